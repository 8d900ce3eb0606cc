import Foundation
import GRDB

/// A finished run in the store.
public struct StoredRun: Hashable, Sendable {
  public let id: String
  public let suite: String
  /// ISO 8601, UTC.
  public let created: String
  /// The run's `results.json`.
  public let results: String

  public init(id: String, suite: String, created: String, results: String) {
    self.id = id
    self.suite = suite
    self.created = created
    self.results = results
  }
}

extension Store {
  /// Keeps a run for the history.
  public func add(_ run: StoredRun) throws {
    try write { db in
      try db.execute(
        sql: "INSERT INTO run (id, suite, created, results) VALUES (?, ?, ?, ?)",
        arguments: [run.id, run.suite, run.created, run.results])
    }
  }

  /// The runs of a suite, the newest first.
  public func runs(ofSuite suite: String) throws -> [StoredRun] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM run WHERE suite = ? ORDER BY created DESC, id DESC", arguments: [suite]
      ).map { StoredRun(id: $0["id"], suite: $0["suite"], created: $0["created"], results: $0["results"]) }
    }
  }
}
