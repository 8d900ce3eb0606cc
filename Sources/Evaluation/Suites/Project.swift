import Coaching
import Datasets
import Files
import Foundation
import Pipeline
import Simulation

/// The places of a checkout's datasets, suites, baselines, reports and store.
public struct Project: Hashable, Sendable {
  /// The folder that holds `datasets/`.
  public let root: String
  public let storePath: String

  /// - Parameter store: The store's path, if not `.formbench/store.sqlite`.
  public init(root: String, store: String? = nil) {
    self.root = root
    storePath = store ?? Self.join(root, ".formbench/store.sqlite")
  }

  /// The nearest folder from `directory` upwards that has a `datasets` folder, or `directory` itself.
  public static func around(_ directory: String, store: String? = nil) -> Project {
    var candidate = URL(fileURLWithPath: directory).standardizedFileURL
    while true {
      var isFolder: ObjCBool = false
      let datasets = candidate.appendingPathComponent("datasets").path
      if FileManager.default.fileExists(atPath: datasets, isDirectory: &isFolder), isFolder.boolValue {
        // Paths in messages stay as short as people write them.
        let isHere = candidate.path == URL(fileURLWithPath: directory).standardizedFileURL.path
        return Project(root: isHere ? "" : candidate.path, store: store)
      }
      let parent = candidate.deletingLastPathComponent()
      // Above a path that is not absolute, such as that of a deleted folder, the search would never end.
      guard candidate.path.hasPrefix("/"), parent.path != candidate.path else { return Project(root: "", store: store) }
      candidate = parent
    }
  }

  public func datasetFolder(_ name: String) -> String { Self.join(root, "datasets/\(name)") }
  public func suiteFile(_ name: String) -> String { Self.join(root, "datasets/suites/\(name).yaml") }
  public func publicSetFile(_ name: String) -> String { Self.join(root, "datasets/public/\(name).yaml") }
  public func detectorFile(_ name: String) -> String { Self.join(root, "detectors/\(name).yaml") }
  public func exerciseFile(_ name: String) -> String { Self.join(root, "exercises/\(name).yaml") }
  public func baselineFile(_ suite: String) -> String { "\(baselines)/\(suite).json" }
  public func reportFolder(_ suite: String) -> String { "\(reports)/\(suite)" }

  /// The folder of all reports.
  public var reports: String { Self.join(root, "reports") }
  /// The folder of all baselines.
  public var baselines: String { Self.join(root, "baselines") }

  /// A path to read or write, refused if a link in the checkout leads out of the project: otherwise the checkout's
  /// author could choose which files are read and written.
  ///
  /// - Parameter path: The path below the root; it need not exist yet.
  ///
  /// - Throws: `DataError` if a link leads out.
  public func within(_ path: String) throws -> String {
    guard let root = RealPath(root.isEmpty ? "." : root) else { return path }
    var part = path
    while FileKind(part) == nil {
      part = PathParts(part).folder
      if part.isEmpty || part == "/" { return path }
    }
    guard let place = RealPath(part), place == root || place.isWithin(root) else {
      throw DataError(
        file: path, expected: "a place within this project", found: "a link that leads out of it")
    }
    return path
  }

  private static func join(_ root: String, _ path: String) -> String { root.isEmpty ? path : "\(root)/\(path)" }

  /// Reads a suite by name.
  ///
  /// - Throws: `EvaluationError.missing` if there is no such file, and the errors of `Suite(yaml:registry:)`.
  public func suite(named name: String, registry: DetectorRegistry) throws -> Suite {
    let path = suiteFile(name)
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(
        what: "suite \(name)", expected: "the file \(path)",
        found: suiteNames.isEmpty
          ? "no suites there; make one with bench init, or run bench in a checkout that has datasets/suites"
          : "no such file; " + NearNames.choice(name, in: suiteNames))
    }
    let suite = try Suite(yaml: InputFile(within(path)), registry: registry)
    guard suite.name == name else {
      throw DataError(file: path, expected: "suite: \(name), the name of the file", found: "suite: \(suite.name)")
    }
    return suite
  }

  public var suiteNames: [String] { names(in: "datasets/suites", ending: ".yaml") }

  /// The public datasets that the checkout names and does not contain.
  public var publicSetNames: [String] { names(in: "datasets/public", ending: ".yaml") }

  /// The checkout's own exercises.
  public var exerciseNames: [String] { names(in: "exercises", ending: ".yaml") }

  /// The detectors in other languages that the checkout adds.
  public var commandNames: [String] { names(in: "detectors", ending: ".yaml") }

  /// The dataset folders of the checkout: with files or with a recipe.
  public var datasetNames: [String] {
    names(in: "datasets", ending: "").filter { name in
      ["dataset.yaml", DatasetRecipe.file].contains {
        FileManager.default.fileExists(atPath: "\(datasetFolder(name))/\($0)")
      }
    }
  }

  /// The tables in a dataset's folder.
  func datasetTables(_ name: String) -> [String] { names(in: "datasets/\(name)", ending: ".csv").map { "\($0).csv" } }

  private func names(in folder: String, ending: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.join(root, folder))) ?? []
    return files.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map { String($0.dropLast(ending.count)) }
      .sorted()
  }
}

extension Project {
  /// The project's own exercises.
  ///
  /// - Throws: `DataError` if a file is wrong, or its name differs from its exercise's.
  public func exercises() throws -> [ExerciseDefinition] {
    try exerciseNames.map { try ExerciseDefinition(calledAsItsFile: within(exerciseFile($0))) }
  }

  /// The project's own detectors in other languages.
  ///
  /// - Throws: `DataError` if a file is wrong, or its name is not its detector's.
  public func commands() throws -> [CommandDetector] {
    try commandNames.map {
      try CommandDetector(yaml: InputFile(within(detectorFile($0))), called: $0, in: root)
    }
  }

  /// The detectors available in this project: those in code, the built-in exercises, the project's own exercises and
  /// commands, and `others`. Later ones replace earlier ones with the same name.
  ///
  /// - Parameter consent: Whether commands may be run.
  public func registry(
    adding others: DetectorRegistry, consent: CommandConsent = CommandConsent()
  ) throws -> DetectorRegistry {
    let (known, own) = (try BuiltInExercises.exercises, try exercises())
    return try DetectorRegistry.builtIn.adding(DetectorRegistry(known)).adding(DetectorRegistry(own))
      .adding(DetectorRegistry(known.compactMap(\.counter))).adding(DetectorRegistry(own.compactMap(\.counter)))
      .adding(DetectorRegistry(commands(), consent: consent)).adding(others)
  }
}

extension ExerciseDefinition {
  /// Reads an exercise's file.
  ///
  /// - Throws: `DataError` if it is wrong, or its name differs from its exercise's.
  public init(calledAsItsFile path: String) throws {
    try self.init(yaml: InputFile(path))
    let called = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    guard name == called else {
      throw DataError(file: path, expected: "exercise: \(called), the name of the file", found: "exercise: \(name)")
    }
  }
}
