// swift-tools-version: 6.2
import PackageDescription

// An app's own package that tests the app's own detector with every command of bench:
//
//     swift run example-coach compare --suite squat --detectors squat-states,shoulder-drop
let package = Package(
  name: "example-coach",
  platforms: [.macOS(.v15)],
  // An app names the package by its URL and version.
  dependencies: [.package(name: "form-bench", path: "../..")],
  targets: [
    .executableTarget(
      name: "example-coach",
      dependencies: [
        .product(name: "BenchCommand", package: "form-bench"), .product(name: "Coaching", package: "form-bench"),
        .product(name: "PoseModel", package: "form-bench"),
      ],
      path: "Sources/ExampleCoach")
  ]
)
