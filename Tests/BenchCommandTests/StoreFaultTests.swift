import Foundation
import Testing

/// Stores that cannot be used: each gives an error that says what to do, and loses nothing.
@Suite struct StoreFaultTests {
  static let store = ".formbench/store.sqlite"

  /// A project with a dataset that only the store has, and a run.
  static func project() throws -> Workspace {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    return workspace
  }

  @Test func aStoreThatAnotherProcessHasLocked() throws {
    let workspace = try Self.project()
    let before = try ProjectState(workspace)
    do {
      let lock = try StoreLock(workspace.path(Self.store))
      defer { withExtendedLifetime(lock) {} }
      try workspace.run("dataset", "list").expectFailure(
        1,
        ".formbench/store.sqlite: expected to use the store, found it locked by another process; wait for that one to end"
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
    for arguments in [["dataset", "list"], ["run", "--suite", "squat"], ["dataset", "remove", "mine"]] {
      try workspace.run(arguments).expectFailure(
        1,
        saying: [
          ".formbench/store.sqlite: expected an SQLite store, found a damaged or truncated file", "import the datasets",
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
      1, saying: [".formbench/store.sqlite: expected an SQLite store, found a damaged or truncated file"])
    #expect(try workspace.bytes(Self.store) == before)
  }

  @Test func aStoreThatIsAFolder() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: "\(Self.store)/file")
    try workspace.run("dataset", "list").expectFailure(1, saying: [".formbench/store.sqlite: expected "])
  }

  @Test func aStoreWhoseFolderIsAFile() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: ".formbench")
    try workspace.run("dataset", "list").expectFailure(1, saying: [".formbench/store.sqlite: expected "])
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
        1, saying: [".formbench/store.sqlite: expected a store that can be written, found it read-only"])
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
      1, saying: [".formbench/store.sqlite: expected a store that can be written, found it read-only"])
  }
}
