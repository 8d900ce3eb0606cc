import Datasets
import Evaluation
import Files
import Foundation
import GRDB
import Pipeline
import Statistics
import Testing

/// Stores that cannot be used: each gives an error that says what to do, and loses nothing.
@Suite struct StoreFaultTests {
  static let store = ".formbench/store.sqlite"

  /// A project with a dataset that only the store has, and a run.
  static func project() throws -> Workspace {
    try Workspace.shared("a dataset in the store and a run") {
      let workspace = try Workspace.withSquats()
      try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
      try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
      try workspace.run("run", "--suite", "squat").expectSuccess()
      return workspace
    }
  }

  @Test func aStoreThatAnotherProcessHasLocked() async throws {
    let workspace = try Self.project()
    let before = try ProjectState(workspace)
    do {
      let lock = try StoreLock(workspace.path(Self.store))
      defer { withExtendedLifetime(lock) {} }
      try await aside { try workspace.run("dataset", "list") }.expectFailure(
        1,
        ".formbench/store.sqlite: the store is locked by another process; wait until it ends and try again"
      )
    }
    #expect(try ProjectState(workspace) == before)
    try workspace.run("dataset", "list").expectSuccess()
  }

  @Test(arguments: [100, 5000, 40_000, 120_000]) func aTruncatedStore(length: Int) throws {
    let workspace = try Self.project()
    let whole = try workspace.bytes(Self.store)
    try #require(whole.count > length)
    try workspace.write(whole.prefix(length), to: Self.store)
    let commands = [["dataset", "list"], ["run", "--suite", "squat"], ["dataset", "remove", "mine"]]
    for outcome in try workspace.runEach(commands) {
      outcome.expectFailure(
        1,
        saying: [
          ".formbench/store.sqlite: the store is damaged or truncated", "import the datasets",
        ])
    }
    #expect(try workspace.bytes(Self.store) == whole.prefix(length))
    #expect(workspace.names(in: "reports/squat").count == 2)
    // With the bytes back, everything is back.
    try workspace.write(whole, to: Self.store)
    #expect(try workspace.run("dataset", "list").output.contains(#/\nmine +1 +SYNTHETIC +3\s/#))
  }

  @Test func aStoreThatIsNotSQLite() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(String(repeating: "my shopping list\n", count: 100), to: Self.store)
    let before = try workspace.bytes(Self.store)
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, saying: [".formbench/store.sqlite: the store is damaged or truncated"])
    #expect(try workspace.bytes(Self.store) == before)
  }

  /// A store of another version, that lost a table or has a value of another type: refused by name, and left as it is.
  @Test(arguments: [
    ("PRAGMA user_version = 99", [["dataset", "list"], ["run", "--suite", "squat"]]),
    ("DROP TABLE clip_1", [["run", "--suite", "squat"]]), ("DROP TABLE clip_2", [["dataset", "show", "mine"]]),
    ("DROP TABLE run", [["history", "list"], ["report"], ["run", "--suite", "squat"]]),
    ("DROP TABLE run_1", [["history", "list"], ["report"], ["run", "--suite", "squat"]]),
    ("DROP TABLE run_metric_1", [["history", "list", "--metric", "count.exact"]]),
    ("DROP TABLE dataset", [["dataset", "list"], ["run", "--suite", "squat"]]),
    ("DROP TABLE audit", [["dataset", "log"], ["dataset", "remove", "mine"]]),
    ("UPDATE dataset SET folder = X'FFFE00'", [["dataset", "list"], ["dataset", "show", "mine"]]),
    ("UPDATE dataset SET manifest = X'FFFE00'", [["run", "--suite", "squat"], ["dataset", "remove", "mine"]]),
    ("UPDATE clip_2 SET labels = X'FFFE00'", [["run", "--suite", "squat"]]),
    ("UPDATE run SET suite = X'FFFE00'", [["dataset", "remove", "squats", "--runs"]]),
    ("DROP TRIGGER audit_is_not_changed; UPDATE audit SET who = X'FFFE00'", [["dataset", "log"]]),
  ])
  func aStoreThatLacksSomething(_ sql: String, commands: [[String]]) throws {
    let workspace = try Self.project()
    let queue = try DatabaseQueue(path: workspace.path(Self.store))
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
    try queue.close()
    // But for the header, which says which journal is in use.
    let before = try workspace.bytes(Self.store).dropFirst(100)
    for outcome in try workspace.runEach(commands) { outcome.expectFailure(1, saying: ["\(Self.store): "]) }
    #expect(try workspace.bytes(Self.store).dropFirst(100) == before)
  }

  /// Whatever bytes a disk spoils: all that is read is read, or refused by an error that names the store.
  @Test func flippedBytes() throws {
    let workspace = try Self.project()
    let whole = try workspace.bytes(Self.store)
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for round in 0..<200 {
      var bytes = whole
      for _ in 0...round % 4 {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let path = "\(workspace.outside)/\(round).sqlite"
      try bytes.write(to: URL(filePath: path))
      do {
        let store = try Store(at: path)
        for dataset in try store.datasets() {
          for clip in try store.clips(of: dataset) { _ = try store.clip(clip, of: dataset) }
        }
        _ = try store.runHeads(ofSuite: nil)
        for id in try store.runIDs(ofSuite: nil) {
          if let run = try store.run(id: id) { _ = try store.results(of: run) }
          _ = try (store.metrics(ofRun: id), store.subjectValues(ofRun: id), store.counts(ofRun: id))
        }
      } catch let error as any Error & CustomStringConvertible {
        refused += 1
        let isOurs = error is StoreError || error is DataError || error is EvaluationError
        #expect(isOurs && error.description.contains(path), "round \(round): \(error)")
      }
    }
    // Most of the file is poses and results.
    #expect(refused > 50)
  }

  /// A killed import leaves the file whose lock its turn was; the next import of whatever name removes it.
  @Test func locksOfKilledImportsAreRemoved() throws {
    let workspace = try Self.project()
    try workspace.write("", to: "\(Self.store)-import-0123456789ab")
    try workspace.write("mine", to: "\(Self.store)-import-notes")
    let held = "\(Self.store)-import-ba9876543210"
    try workspace.write("", to: held)
    let descriptor = open(workspace.path(held), O_RDWR)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    defer { close(descriptor) }
    try workspace.add(SquatClip.dataset("other", SquatClip.three), in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/other").expectSuccess()
    #expect(
      workspace.names(in: ".formbench").filter { $0.contains("-import-") }
        == ["store.sqlite-import-ba9876543210", "store.sqlite-import-notes"])
  }

  @Test func aStoreThatIsAFolder() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: "\(Self.store)/file")
    try workspace.run("dataset", "list").expectFailure(1, saying: [".formbench/store.sqlite: cannot open the store: "])
  }

  @Test func aStoreWhoseFolderIsAFile() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: ".formbench")
    try workspace.run("dataset", "list").expectFailure(1, saying: [".formbench/store.sqlite: cannot open the store: "])
  }

  @Test func aStoreInThisVeryFolder() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "list", "--store", "mine.sqlite").expectSuccess()
    #expect(workspace.exists("mine.sqlite") && !workspace.exists(".formbench"))
  }

  @Test(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed), arguments: [store, ".formbench"])
  func aReadOnlyStore(place: String) throws {
    let workspace = try Self.project()
    try workspace.add(SquatClip.dataset("other", SquatClip.three), in: "incoming")
    let before = try ProjectState(workspace)
    for arguments in ["dataset import folder --from incoming/other", "run --suite squat", "dataset remove mine"] {
      let outcome = try workspace.shell(
        MountNamespace.readOnly(place) + "exec $bench \(arguments)", wrapper: MountNamespace.wrapper)
      outcome.expectFailure(
        1, saying: [".formbench/store.sqlite: the store is read-only"])
    }
    #expect(try ProjectState(workspace) == before)
  }

  @Test(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed))
  func aNewStoreInAReadOnlyProject() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.shell(
      MountNamespace.readOnly(workspace.project) + "cd \(workspace.project) && exec $bench dataset list",
      wrapper: MountNamespace.wrapper)
    outcome.expectFailure(
      1, saying: [".formbench/store.sqlite: the store is read-only"])
  }
}
