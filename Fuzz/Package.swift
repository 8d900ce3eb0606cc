// swift-tools-version: 6.2
import PackageDescription

/// Fuzzes the readers with libFuzzer. A separate package, because libFuzzer has its own main and instruments all
/// modules.
let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "form-bench", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: [.product(name: "FuzzTargets", package: "form-bench")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)
