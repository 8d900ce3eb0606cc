// swift-tools-version: 6.2
import PackageDescription

/// One module: what it is made of and what it may import.
struct Module {
  enum Kind {
    case system(pkgConfig: String?, apt: String)
    case c
    case library
    case executable
  }
  var name: String
  var kind: Kind = .library
  /// Modules of this package, all of which stand earlier in the list.
  var imports: [String] = []
  var packages: [Target.Dependency] = []
  /// Folders of its files that are compiled in.
  var embedded: [String] = []
  var tested = true
  /// Where it is, if not in `Sources/<name>`.
  var path: String?
  /// Modules that only its tests import.
  var testImports: [String] = []
  var testPackages: [Target.Dependency] = []
  /// Whether the tests spend minutes in it without optimisation.
  var computes = false
}

let realModule = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let rainbow = Target.Dependency.product(name: "Rainbow", package: "Rainbow")

/// The modules from the ground up: each may import only what stands above it in this list.
let modules: [Module] = [
  Module(name: "CCSV", kind: .system(pkgConfig: nil, apt: "libcsv-dev"), tested: false),
  Module(name: "CCrypto", kind: .system(pkgConfig: "libcrypto", apt: "libssl-dev"), tested: false),
  Module(name: "CCairo", kind: .system(pkgConfig: "cairo", apt: "libcairo2-dev"), tested: false),
  Module(name: "CLibPNG", kind: .system(pkgConfig: "libpng", apt: "libpng-dev"), tested: false),
  Module(name: "CPNG", kind: .c, imports: ["CLibPNG"], tested: false),
  Module(name: "CDecimals", kind: .c, tested: false),
  Module(name: "PoseModel", packages: [realModule], computes: true),
  Module(name: "CAllocationCounter", kind: .c, tested: false, path: "Tests/CAllocationCounter"),
  Module(name: "TestSupport", imports: ["CAllocationCounter"], tested: false, path: "Tests/TestSupport"),
  Module(
    name: "Coaching", imports: ["PoseModel"], packages: [realModule],
    testImports: ["CAllocationCounter", "TestSupport"]),
  Module(
    name: "Datasets", imports: ["PoseModel", "CCSV", "CCrypto", "CDecimals"],
    packages: [grdb, sqlite, yams, realModule],
    testImports: ["TestSupport"], computes: true),
  Module(
    name: "Importers", imports: ["PoseModel", "Datasets"], packages: [realModule], embedded: ["MarkerSets"],
    testImports: ["TestSupport"]),
  Module(name: "FuzzTargets", imports: ["PoseModel", "Datasets", "Importers"], path: "Tests/FuzzTargets"),
  Module(name: "Scoring", imports: ["PoseModel"], packages: [realModule], testImports: ["TestSupport"]),
  Module(name: "Statistics", packages: [realModule], testImports: ["TestSupport"]),
  Module(
    name: "Evaluation", imports: ["PoseModel", "Coaching", "Datasets", "Scoring", "Statistics"], packages: [yams],
    embedded: ["Exercises/BuiltIn"], testImports: ["TestSupport"]),
  Module(name: "Plots", imports: ["CCrypto", "CCairo", "CPNG"], testImports: ["TestSupport"]),
  Module(
    name: "Reports", imports: ["PoseModel", "Coaching", "Datasets", "Scoring", "Evaluation", "Plots"],
    packages: [mustache], embedded: ["Templates"]),
  Module(
    name: "BenchCommand",
    imports: [
      "PoseModel", "Coaching", "Datasets", "Importers", "Scoring", "Statistics", "Evaluation", "Plots", "Reports",
    ], packages: [argumentParser, rainbow], testImports: ["TestSupport"], testPackages: [grdb]),
  Module(name: "bench", kind: .executable, imports: ["BenchCommand"], tested: false),
  // The program of the example package, built here with everything else.
  Module(
    name: "example-coach", kind: .executable, imports: ["PoseModel", "Coaching", "BenchCommand"], tested: false,
    path: "Tests/ExampleCoach/Sources/ExampleCoach"),
]

for (index, module) in modules.enumerated() {
  let below = Set(modules[..<index].map(\.name))
  for name in module.imports + module.testImports where !below.contains(name) {
    fatalError("\(module.name) may not import \(name): arrows point down the list of modules only")
  }
}

/// Warnings are errors where BENCH_STRICT is set, as the checks do; a newer compiler's warning does not stop a user.
let strict: [SwiftSetting] = Context.environment["BENCH_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// What generates motion or encodes pictures is optimised for the tests, which is 15 times as fast. Asked for by scripts/test
/// only, as a package with such a flag can't be another's dependency.
let isTesting = Context.environment["BENCH_TESTING"] != nil
let optimised: [SwiftSetting] = isTesting ? [.unsafeFlags(["-O"])] : []
let optimisedC: [CSetting] = isTesting ? [.unsafeFlags(["-O2"])] : []

let package = Package(
  name: "form-bench",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .library(name: "PoseModel", targets: ["PoseModel"]),
    .library(name: "Coaching", targets: ["Coaching"]),
    .library(name: "Plots", targets: ["Plots"]),
    .library(name: "BenchCommand", targets: ["BenchCommand"]),
    // The readers of foreign files, for the package that fuzzes them.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    // What a program needs that imports and scores without the commands, as the benchmarks do.
    .library(name: "Evaluation", targets: ["Datasets", "Importers", "Scoring", "Statistics", "Evaluation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
  ],
  targets: modules.flatMap { module -> [Target] in
    let dependencies = module.imports.map { Target.Dependency.target(name: $0) } + module.packages
    let target: Target
    switch module.kind {
    case .system(let pkgConfig, let apt):
      target = .systemLibrary(name: module.name, pkgConfig: pkgConfig, providers: [.apt([apt])])
    case .c:
      target = .target(name: module.name, dependencies: dependencies, path: module.path, cSettings: optimisedC)
    case .library:
      target = .target(
        name: module.name, dependencies: dependencies, path: module.path,
        resources: module.embedded.map { .embedInCode($0) },
        swiftSettings: strict + (module.computes ? optimised : []))
    case .executable:
      target = .executableTarget(
        name: module.name, dependencies: dependencies, path: module.path, swiftSettings: strict)
    }
    guard module.tested else { return [target] }
    // A test may look at anything that its module may, and at the module.
    return [
      target,
      .testTarget(
        name: "\(module.name)Tests",
        dependencies: [.target(name: module.name)] + dependencies
          + module.testImports.map { Target.Dependency.target(name: $0) } + module.testPackages,
        swiftSettings: strict),
    ]
  }
)
