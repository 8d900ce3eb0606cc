import Datasets
import Evaluation
import Files
import Foundation
import GRDB
import Synchronization
import Testing

/// A project folder of its own within a temporary one, in which `bench` runs as a person runs it; gone after the test.
final class Workspace: Sendable {
  let outside: String
  /// Where `bench` runs: holds `datasets/`.
  let project: String

  init() throws {
    let temporary = FileManager.default.temporaryDirectory.path
    // As a process in it finds it: that of macOS is behind a link.
    outside = "\(RealPath(temporary)?.text ?? temporary)/bench-\(UUID().uuidString)"
    project = outside + "/project"
    try FileManager.default.createDirectory(atPath: project + "/datasets", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: outside) }

  /// A project as another one is.
  convenience init(copyOf other: Workspace) throws {
    try self.init()
    try FileManager.default.removeItem(atPath: project)
    try FileManager.default.copyItem(atPath: other.project, toPath: project)
    guard exists(".formbench/store.sqlite") else { return }
    // The store knows the folders that it holds copies of by their whole paths.
    let (theirs, mine) = (other.project, project)
    let store = try DatabaseQueue(path: path(".formbench/store.sqlite"))
    try store.write {
      try $0.execute(sql: "UPDATE dataset SET folder = replace(folder, ?, ?)", arguments: [theirs, mine])
    }
    try store.close()
  }

  /// A project that several tests begin with: it is made once, and each test has a copy.
  ///
  /// - Parameter key: What it is made of: one text for each way.
  static func shared(_ key: String, making: () throws -> Workspace) throws -> Workspace {
    let shared = SharedProject.all.withLock { all in
      // With the last reference to a project its folder goes.
      if all.isEmpty { atexit { SharedProject.all.withLock { $0 = [:] } } }
      let shared = all[key] ?? SharedProject()
      all[key] = shared
      return shared
    }
    let made = try shared.project.withLock { project in
      let made = try project ?? making()
      project = made
      return made
    }
    return try Workspace(copyOf: made)
  }

  /// A project with the dataset `squats` as a folder and the suite `squat` on it.
  static func withSquats(
    _ clips: [SquatClip] = SquatClip.three, suite change: (inout SquatSuite) -> Void = { _ in }
  ) throws -> Workspace {
    let content = "content"
    let workspace = try shared("squats \(clips)") {
      let workspace = try Workspace()
      try workspace.write(workspace.add(SquatClip.dataset("squats", clips)), to: content)
      return workspace
    }
    var suite = SquatSuite(content: try workspace.text(content))
    try workspace.remove(content)
    change(&suite)
    try workspace.write(suite.yaml, to: "datasets/suites/\(suite.name).yaml")
    return workspace
  }

  /// Such a project after these commands, each of which succeeds.
  static func withSquats(
    _ clips: [SquatClip] = SquatClip.three, after commands: [[String]],
    suite change: (inout SquatSuite) -> Void = { _ in }
  ) throws -> Workspace {
    var suite = SquatSuite(content: "")
    change(&suite)
    return try shared("\(commands) \(clips) \(suite.yaml)") {
      let workspace = try withSquats(clips, suite: change)
      for (command, outcome) in zip(commands, try workspace.runEach(commands)) {
        try #require(outcome.code == 0 && outcome.error == "", "\(command): \(outcome.error)")
      }
      return workspace
    }
  }

  /// Runs the command in the project.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try Outcome(
      of: BenchExecutable.command(arguments), in: project,
      environment: ["COLUMNS": "120"].merging(environment) { _, own in own }, scratch: outside)
  }

  /// Runs commands in the project in turn, with no word of the test between them.
  func runEach(_ commands: [[String]], environment: [String: String] = [:]) throws -> [Outcome] {
    try Outcome.each(
      of: commands, in: project, environment: ["COLUMNS": "120"].merging(environment) { _, own in own },
      scratch: outside)
  }

  /// Runs another of the programs that are built beside the tests.
  func run(program: String, _ arguments: String...) throws -> Outcome {
    try Outcome(
      of: [BenchExecutable.path(program)] + arguments, in: project, environment: [:], scratch: outside)
  }

  /// Runs a shell script in the project, in which `$bench` is the command.
  func shell(_ script: String, wrapper: [String] = []) throws -> Outcome {
    try Outcome(
      of: wrapper + ["/bin/sh", "-c", "bench=$0; \(script)", BenchExecutable.path()], in: project, environment: [:],
      scratch: outside)
  }

  /// A wrapper that ends a command by SIGALRM; macOS has no timeout(1).
  static func limited(seconds: Int) -> [String] { ["/usr/bin/perl", "-e", "alarm shift; exec @ARGV", "\(seconds)"] }

  /// Writes a dataset below `datasets/` and returns its content hash.
  @discardableResult
  func add(_ dataset: Dataset, in folder: String = "datasets") throws -> String {
    let path = "\(project)/\(folder)/\(dataset.manifest.name)"
    try DatasetFolder.write(dataset, to: path)
    let hashes = "\(outside)/hashes-\(UUID().uuidString).sqlite"
    try Self.emptyStore.get().write(to: URL(fileURLWithPath: hashes))
    return try Store(at: hashes).importing(DatasetFolder(path)).content.description
  }

  /// The bytes of a store without datasets: to make one takes longer than to fill it.
  private static let emptyStore: Result<Data, any Error> = Result {
    let workspace = try Workspace()
    // It is whole when it is closed.
    _ = try workspace.store()
    return try workspace.bytes(".formbench/store.sqlite")
  }

  func path(_ file: String) -> String { "\(project)/\(file)" }

  func write(_ text: String, to file: String) throws { try write(Data(text.utf8), to: file) }

  func write(_ bytes: Data, to file: String) throws {
    let url = URL(fileURLWithPath: path(file))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  func bytes(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(file))) }

  func text(_ file: String) throws -> String { String(decoding: try bytes(file), as: UTF8.self) }

  /// Whether a file has the bytes of a text. As characters it may not have them: the last of a picture's text and the
  /// checksum after it can make one letter with an accent.
  func holds(_ text: String, in file: String) throws -> Bool {
    try bytes(file).range(of: Data(text.utf8)) != nil
  }

  /// Puts `new` in the place of the one `old` in a file.
  func replace(
    _ old: String, with new: String, in file: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let parts = try text(file).components(separatedBy: old)
    try #require(parts.count == 2, "\(file) has \(old) \(parts.count - 1) times", sourceLocation: sourceLocation)
    try write(parts.joined(separator: new), to: file)
  }

  func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: path(file)) }

  func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(file)) }

  /// The names in a folder but for hidden ones; none where there is no such folder.
  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The project's store, through the library.
  func store() throws -> Store { try Store(at: path(".formbench/store.sqlite")) }

  /// What a run's `results.json` says of what changed.
  struct Changes: Decodable {
    struct Answer: Decodable {
      var outcome: String
      var reason: String
    }
    var verdict: Answer
    var metrics: [MetricChange]
    var slices: [SliceChange]
    var parameters: [String]
    var counts: [ClipChange]
  }

  func changes(suite: String = "squat") throws -> Changes {
    struct File: Decodable { var comparison: Changes }
    return try JSONDecoder().decode(File.self, from: bytes("reports/\(suite)/latest/results.json")).comparison
  }

  /// The values in a run's `results.json`.
  func results(_ suite: String = "squat") throws -> RunResults {
    try JSONDecoder().decode(RunResults.self, from: bytes("reports/\(suite)/latest/results.json"))
  }
}

/// A project that several tests begin with, from the first of them to the end of the process.
private final class SharedProject: Sendable {
  static let all = Mutex([String: SharedProject]())

  let project = Mutex<Workspace?>(nil)
}
