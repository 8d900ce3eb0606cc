import Datasets
import Foundation
import GRDB
import Testing

/// What the store holds is compared with its hashes whenever it is read.
@Suite struct StoreContentTests {
  /// A store with `mine` imported, whose content somebody then changed with a statement.
  ///
  /// - Parameter options: Of a second run before the change.
  private func changed(_ sql: String, afterRun options: [String] = []) throws -> Workspace {
    let workspace = try StoreFaultTests.project()
    if !options.isEmpty { try workspace.run(["run", "--suite", "squat"] + options).expectSuccess() }
    let queue = try DatabaseQueue(path: workspace.path(StoreFaultTests.store))
    try queue.write { db in
      for table in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'clip*' AND type = 'table'")
      {
        try db.execute(sql: sql.replacing("CLIPS", with: table))
      }
    }
    try queue.close()
    return workspace
  }

  /// The exponents of all floats one less: every coordinate is halved.
  private static let halved = "UPDATE CLIPS SET poses = zeroblob(length(poses)) WHERE name = 'bert_1'"
  private static let relabelled = "UPDATE CLIPS SET labels = replace(labels, '90', '91') WHERE name = 'bert_1'"

  @Test(arguments: [halved, relabelled]) func aChangedClipIsAnErrorWhereverItIsRead(_ sql: String) throws {
    let workspace = try changed(sql)
    let commands = [
      ["run", "--suite", "squat"], ["dataset", "export", "mine", "--to", "out"], ["dataset", "show", "mine"],
      ["replay", "mine/bert_1"],
    ]
    for (arguments, outcome) in zip(commands, try workspace.runEach(commands)) {
      #expect(outcome.code == 1, "\(arguments)")
      for part in ["was changed after its import", "clip bert_1", "other bytes"] {
        #expect(outcome.error.contains(part), "\(arguments): \(outcome.error)")
      }
    }
    #expect(!workspace.exists("out"))
  }

  /// With a lower angle cleo's only squat is missed, so the page looks for a correct one of the others.
  @Test func aPageDoesNotLeaveAChangedClipOut() throws {
    let workspace = try changed(
      "UPDATE CLIPS SET poses = zeroblob(length(poses)) WHERE name <> 'cleo_1'",
      afterRun: ["--set", "reps.squat-states.bottomAngle=84"])
    let outcome = try workspace.run("report", "--html")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("was changed after its import"), "\(outcome.error)")
  }

  @Test func aCheckNamesEveryChangedClip() throws {
    let workspace = try changed("UPDATE CLIPS SET poses = zeroblob(length(poses)) WHERE name <> 'anna_1'")
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "unreadable")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("bert_1") && outcome.output.contains("cleo_1"), "\(outcome.output)")
    #expect(!outcome.output.contains("anna_1"))
  }

  @Test func aClipThatIsGoneIsMissed() throws {
    let workspace = try changed("DELETE FROM CLIPS WHERE name = 'bert_1'")
    let commands = [["dataset", "show", "mine"], ["dataset", "check", "mine"], ["run", "--suite", "squat"]]
    for (arguments, outcome) in zip(commands, try workspace.runEach(commands)) {
      #expect(outcome.code == 1, "\(arguments)")
      #expect(outcome.error.contains("was changed after its import"), "\(outcome.error)")
    }
  }
}

/// What the store holds of runs is compared with its hashes whenever it is read.
@Suite struct RunContentTests {
  /// A subject has another name.
  private static func changed(_ column: String, _ table: String = "run_1") -> String {
    "UPDATE \(table) SET \(column) = replace(\(column), 'anna', 'bnna')"
  }

  private static let compare = ["compare", "--suite", "squat", "--runs", "latest"]
  private static let blame = ["history", "blame", "count.exact"]

  /// A project with a baseline and two runs.
  static func project() throws -> Workspace {
    let runs = [["run", "--suite", "squat"], ["run", "--suite", "squat"]]
    return try Workspace.withSquats(after: [["baseline", "accept", "--suite", "squat"]] + runs)
  }

  private static let changes: [(String, [[String]])] = [
    (changed("results"), [["report"], compare]),
    ("UPDATE run_1 SET origin = replace(origin, 'squat', 'squad')", [["report"], ["history", "list"]]),
    ("UPDATE run SET created = replace(created, '20', '19')", [["report"], compare, ["history", "list"], blame]),
    ("UPDATE run_1 SET head = replace(head, 'squats', 'squads')", [["history", "list"], blame]),
    ("UPDATE baseline_1 SET content = replace(content, '1', '2')", [["report"], compare]),
    ("UPDATE run_metric_1 SET value = 1 - value", [["history", "export", "--csv"]]),
    (changed("result", "run_metric_1"), [["history", "list", "--metric", "count.exact"], blame]),
    ("UPDATE run_count_1 SET count = count + 1", [["history", "export", "--csv", "--by", "clip"]]),
    ("UPDATE run SET hash = NULL", [["report"]]), ("DELETE FROM run_1", [["report"], ["history", "list"]]),
  ]

  @Test func unchangedRunsAreRead() throws {
    let workspace = try Self.project()
    let commands = Array(Set(Self.changes.flatMap { $0.1 }))
    for (command, outcome) in zip(commands, try workspace.runEach(commands)) {
      #expect(outcome.code == 0, "\(command)")
    }
  }

  @Test(arguments: changes)
  func aChangedRunIsNamedByWhatReadsIt(_ sql: String, commands: [[String]]) throws {
    let workspace = try Self.project()
    let queue = try DatabaseQueue(path: workspace.path(StoreFaultTests.store))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    for (command, outcome) in zip(commands, try workspace.runEach(commands)) {
      #expect(outcome.code == 1, "\(command)")
      let isNamed = outcome.error.contains(
        #/\.formbench/store\.sqlite: run squat/\S+ was changed after it was stored; restore/#)
      #expect(isNamed, "\(command): \(outcome.error)")
    }
  }

  /// Of a store as a disk spoils it: one byte of the results in the file.
  @Test func aFlippedByteIsNamed() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    var bytes = try workspace.bytes(StoreFaultTests.store)
    let run = try #require(try workspace.store().runs(ofSuite: "squat").first)
    let place = try #require(bytes.range(of: Data(run.results.utf8.prefix(200)))).lowerBound + 150
    bytes[place] ^= 1
    try workspace.write(bytes, to: StoreFaultTests.store)
    try workspace.run("report").expectFailure(1, saying: ["run \(run.id) was changed after it was stored"])
  }
}

/// Files that are no store of this program are left alone.
@Suite struct ForeignStoreTests {
  @Test(arguments: ["", ":memory:"]) func aNameThatIsNoFile(_ name: String) throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    let commands = [["dataset", "import", "folder", "--from", "incoming/mine"], ["dataset", "list"]]
    for outcome in try workspace.runEach(commands.map { $0 + ["--store", name] }) {
      outcome.expectFailure(64, saying: ["--store takes the path of a file"])
    }
    #expect(workspace.names(in: ".") == ["datasets", "incoming"])
  }

  /// What SQLite would take for an address is a file's name.
  @Test func aNameThatSQLiteWouldReadOtherwise() throws {
    let workspace = try Workspace()
    try workspace.run("dataset", "list", "--store", "file:mine?mode=memory").expectSuccess()
    #expect(workspace.names(in: ".") == ["datasets", "file:mine?mode=memory"])
  }

  /// One with tables of its own, one that calls them as a store does, one with the mark of another program, one with
  /// nothing but a version.
  @Test(arguments: [
    "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')",
    "CREATE TABLE dataset (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE run (id INTEGER); PRAGMA user_version = 3",
    "PRAGMA application_id = 1", "PRAGMA user_version = 3", "PRAGMA user_version = -1",
    "CREATE TABLE note (text TEXT); PRAGMA user_version = 4; PRAGMA journal_mode = WAL",
  ])
  func anotherProgramsFileStaysAsItIs(_ sql: String) throws {
    let workspace = try Workspace()
    let queue = try DatabaseQueue(path: workspace.path("other.db"))
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    try #require(chmod(workspace.path("other.db"), 0o644) == 0)
    let before = try workspace.bytes("other.db")
    for outcome in try workspace.runEach(["list", "purge"].map { ["dataset", $0, "--store", "other.db"] }) {
      outcome.expectFailure(
        1, saying: ["other.db: the file is another program's SQLite file", "--store"])
    }
    #expect(try workspace.bytes("other.db") == before)
    #expect(try mode(of: "other.db", in: workspace) == 0o644)
    #expect(workspace.names(in: ".") == ["datasets", "other.db"])
  }

  private func mode(of file: String, in workspace: Workspace) throws -> mode_t {
    var status = stat()
    try #require(stat(workspace.path(file), &status) == 0)
    return status.st_mode & 0o7777
  }

  /// A person's file that was named by mistake stays readable for those who could read it.
  @Test(arguments: ["short", String(repeating: "my shopping list\n", count: 100)])
  func aTextStaysAsItIs(_ text: String) throws {
    let workspace = try Workspace()
    try workspace.write(text, to: "list.txt")
    try #require(chmod(workspace.path("list.txt"), 0o644) == 0)
    try workspace.run("dataset", "list", "--store", "list.txt").expectFailure(
      1, saying: ["list.txt: the store is damaged"])
    #expect(try mode(of: "list.txt", in: workspace) == 0o644)
    #expect(try workspace.text("list.txt") == text)
  }

  /// SQLite has names of its own beside a store's, which must fit too.
  @Test func aNameThatIsTooLongLeavesNothing() throws {
    let workspace = try Workspace()
    let part = String(repeating: "x", count: 200)
    for (name, problem) in [
      (String(repeating: "x", count: 250), "its name has 250 bytes, more than 234"),
      (part + String(repeating: "é", count: 18), "its name has 236 bytes, more than 234"),
      ("\(part)/\(part)/\(part)", "bytes, more than 504"),
    ] {
      try workspace.run("dataset", "list", "--store", name).expectFailure(
        1, saying: ["\(name): cannot open the store: ", problem])
      #expect(workspace.names(in: ".") == ["datasets"])
    }
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    let longest = String(repeating: "x", count: 234)
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--store", longest).expectSuccess()
    try workspace.run("dataset", "remove", "mine", "--store", longest).expectSuccess()
    #expect(workspace.names(in: ".") == ["datasets", "incoming", longest])
  }
}
