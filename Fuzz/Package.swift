// swift-tools-version: 6.2
import PackageDescription

/// The readers under libFuzzer, which has a main of its own; apart, because all below is built with its instruments.
let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "form-bench", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: [.product(name: "FuzzTargets", package: "form-bench")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)
