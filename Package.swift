// swift-tools-version: 6.2
import PackageDescription

// Set by the checks: warnings are errors there, and a newer compiler's warning does not stop a user.
let isStrict = Context.environment["BENCH_STRICT"] != nil
// Set by scripts/swift, which optimises what runs per frame, per setting or per resample, and nothing else: the optimiser
// takes most of a whole optimised build's time. Not for others, as a package with such flags can't be a dependency.
let isOptimised = Context.environment["BENCH_OPTIMISED"] != nil

let settings: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []
// A flag of the compiler's frontend: the driver's own level, the last on its command line, is none.
func atLevel(_ level: String) -> [SwiftSetting] {
  settings + (isOptimised ? [.unsafeFlags(["-Xfrontend", level, "-enable-default-cmo"])] : [])
}
let optimised = atLevel("-O")
// For modules that run as fast in a fifth less of the compiler's time.
let optimisedForSize = atLevel("-Osize")
let optimisedC: [CSetting] = isOptimised ? [.unsafeFlags(["-O2"])] : []

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let rainbow = Target.Dependency.product(name: "Rainbow", package: "Rainbow")
let realModule = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "form-bench",
  // The first macOS with the standard library's Mutex.
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .library(name: "PoseModel", targets: ["PoseModel"]),
    .library(name: "Coaching", targets: ["Coaching"]),
    .library(name: "Charts", targets: ["Charts"]),
    .library(name: "BenchCommand", targets: ["BenchCommand"]),
    // For a program that imports and scores without the commands, as the package Benchmarks does.
    .library(
      name: "Evaluation",
      targets: ["Files", "Statistics", "Scoring", "Datasets", "Simulation", "Importers", "Pipeline", "Evaluation"]),
    // The readers of foreign files, for the package Fuzz.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
  ],
  targets: [
    // System libraries, and C of our own where Swift can't call them or is too slow.
    .systemLibrary(name: "CCSV", providers: [.apt(["libcsv-dev"]), .brew(["libcsv"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
    .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CRename"),
    .target(name: "CPNG", dependencies: ["CLibPNG"], cSettings: optimisedC),
    .target(name: "CDecimals", cSettings: optimisedC),

    // The modules from the ground up. Each depends on modules above it alone: a test in BenchCommandTests holds the order.
    .target(name: "PoseModel", dependencies: [realModule], swiftSettings: optimised),
    .target(name: "Coaching", dependencies: ["PoseModel", realModule], swiftSettings: optimised),
    .target(name: "Files", dependencies: ["CCSV", "CZlib", "CDecimals", "CRename", yams], swiftSettings: optimised),
    .target(name: "Statistics", dependencies: [realModule], swiftSettings: optimised),
    .target(name: "Scoring", dependencies: ["PoseModel", realModule], swiftSettings: optimisedForSize),
    .target(
      name: "Datasets", dependencies: ["PoseModel", "Files", "CCrypto", grdb, sqlite, yams], swiftSettings: settings),
    .target(
      name: "Simulation", dependencies: ["PoseModel", "Files", "Statistics", "Datasets", realModule],
      swiftSettings: optimisedForSize),
    .target(
      name: "Importers", dependencies: ["PoseModel", "Files", "Datasets", realModule],
      resources: [.embedInCode("MarkerSets"), .embedInCode("Skeletons")], swiftSettings: optimisedForSize),
    .target(
      name: "Pipeline",
      dependencies: ["PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", realModule],
      swiftSettings: optimised),
    .target(
      name: "Evaluation",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Pipeline", yams,
      ],
      resources: [.embedInCode("Exercises/BuiltIn")], swiftSettings: settings),
    .target(
      name: "Checks",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Pipeline", "Evaluation",
        realModule,
      ], swiftSettings: optimised),
    .target(
      name: "Charts",
      dependencies: [
        "CCairo", "CPNG", "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Pipeline",
        "Evaluation",
      ], swiftSettings: settings),
    .target(
      name: "Reports",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Pipeline", "Evaluation", "Charts",
        mustache,
      ],
      resources: [.embedInCode("Templates")], swiftSettings: settings),
    .target(
      name: "BenchCommand",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Importers", "Pipeline",
        "Evaluation", "Checks", "Charts", "Reports", argumentParser, rainbow,
      ], swiftSettings: settings),
    .executableTarget(name: "bench", dependencies: ["BenchCommand"], swiftSettings: settings),

    // The program of the example package, built here with everything else.
    .executableTarget(
      name: "example-coach", dependencies: ["PoseModel", "Coaching", "BenchCommand"],
      path: "Tests/ExampleCoach/Sources/ExampleCoach", swiftSettings: settings),

    // What tests share.
    .executableTarget(
      name: "bench-server", dependencies: ["BenchCommand"], path: "Tests/BenchServer", swiftSettings: settings),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .target(
      name: "TestSupport", dependencies: ["CAllocationCounter"], path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "FuzzTargets", dependencies: ["PoseModel", "Files", "Datasets", "Importers"], path: "Tests/FuzzTargets",
      swiftSettings: settings),

    .testTarget(
      name: "PoseModelTests", dependencies: ["PoseModel", "TestSupport", realModule], swiftSettings: settings),
    .testTarget(
      name: "CoachingTests",
      dependencies: ["PoseModel", "Coaching", "Pipeline", "CAllocationCounter", "TestSupport", realModule],
      swiftSettings: settings),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics", "TestSupport", realModule], swiftSettings: settings),
    .testTarget(
      name: "ScoringTests", dependencies: ["PoseModel", "Scoring", "TestSupport", realModule], swiftSettings: settings),
    .testTarget(
      name: "DatasetsTests",
      dependencies: ["PoseModel", "Files", "Datasets", "TestSupport", grdb], swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["PoseModel", "Files", "Statistics", "Datasets", "Simulation", "TestSupport", realModule],
      swiftSettings: settings),
    .testTarget(
      name: "ImportersTests",
      dependencies: ["PoseModel", "Files", "Datasets", "Simulation", "Importers", "TestSupport", realModule],
      swiftSettings: settings),
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Pipeline", "Evaluation",
        "Checks",
        "TestSupport", yams,
      ], swiftSettings: settings),
    .testTarget(
      name: "ChartsTests",
      dependencies: [
        "CCairo", "CPNG", "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Pipeline",
        "Evaluation",
        "Charts", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Pipeline", "Evaluation", "Charts",
        "Reports",
      ], swiftSettings: settings),
    .testTarget(
      name: "BenchCommandTests",
      dependencies: [
        "PoseModel", "Coaching", "Files", "Statistics", "Scoring", "Datasets", "Simulation", "Importers", "Pipeline",
        "Evaluation",
        "Charts", "Checks", "Reports", "BenchCommand", "TestSupport", argumentParser, rainbow, grdb, yams,
      ], swiftSettings: settings),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["Statistics", "FuzzTargets"], swiftSettings: settings),
  ]
)
