import GRDB
import Testing

/// What a store's file holds, read by SQLite itself and not by the code that wrote it.
struct StoreContents: Equatable {
  /// Every complete dataset by name: its content hash, and every column of its clips in order of their names.
  private(set) var datasets: [String: [DatabaseValue]] = [:]
  /// How many clips unfinished imports have.
  private(set) var unfinishedClips = 0
  private(set) var runs: [DatabaseValue] = []

  /// Opens the file as the next command does, journal and all, and expects SQLite to find nothing wrong with it.
  init(_ workspace: Workspace, sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard workspace.exists(".formbench/store.sqlite") else { return }
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: workspace.path(".formbench/store.sqlite"), configuration: configuration)
    self = try queue.read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
      #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty, sourceLocation: sourceLocation)
      var contents = StoreContents()
      // A process that was killed while it made the store leaves none of its tables or all.
      guard try db.tableExists("dataset") else { return contents }
      for dataset in try Row.fetchAll(db, sql: "SELECT id, name, manifest, content FROM dataset WHERE NOT removed") {
        let clips = try Row.fetchAll(
          db, sql: "SELECT name, info, labels, hash, times, poses FROM clip_\(dataset["id"] as Int64) ORDER BY name")
        if dataset["content"] == nil {
          contents.unfinishedClips += clips.count
        } else {
          contents.datasets[dataset["name"]] =
            [dataset["manifest"], dataset["content"]] + clips.flatMap { Array($0.databaseValues) }
        }
      }
      for run in try Row.fetchAll(db, sql: "SELECT * FROM run ORDER BY id") {
        let kept = try Row.fetchOne(
          db, sql: "SELECT * FROM run_\(run["part"] as Int64) WHERE id = ?", arguments: [run["id"] as String])
        contents.runs += Array(run.databaseValues) + Array(try #require(kept).databaseValues)
      }
      return contents
    }
  }

  private init() {}

  /// How many clips an unfinished import of another process has; `nil` while that process has the store locked.
  static func unfinishedClips(_ workspace: Workspace) -> Int? {
    guard workspace.exists(".formbench/store.sqlite") else { return 0 }
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let queue = try? DatabaseQueue(path: workspace.path(".formbench/store.sqlite"), configuration: configuration)
    return try? queue?.read { db in
      let unfinished = try Int64.fetchAll(db, sql: "SELECT id FROM dataset WHERE NOT removed AND content IS NULL")
      return try unfinished.reduce(0) { try $0 + (Int.fetchOne(db, sql: "SELECT count(*) FROM clip_\($1)") ?? 0) }
    }
  }
}
