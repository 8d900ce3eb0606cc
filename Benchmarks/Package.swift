// swift-tools-version: 6.2
import PackageDescription

/// Measures what the documentation claims; apart, so that whoever depends on the package does not build it.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "form-bench", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["PoseModel", "Coaching", "Evaluation", "Charts"].map { .product(name: $0, package: "form-bench") })
  ]
)
