// swift-tools-version: 6.2
import PackageDescription

/// Measures the claims of the documentation. A separate package, which apps do not build.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "form-bench", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["PoseModel", "Coaching", "Evaluation", "Charts"].map { .product(name: $0, package: "form-bench") })
  ]
)
