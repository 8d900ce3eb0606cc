import Foundation
import GRDB

/// A finished run in the store.
public struct StoredRun: Hashable, Sendable {
  /// `squat/2026-03-01T10-00-00Z`
  public let id: String
  public let suite: String
  /// ISO 8601, UTC.
  public let created: String
  /// The run's `results.json`.
  public let results: String
  /// JSON: what the run was made by; `nil` where nobody wrote that down.
  public let origin: String?
  /// The release that the run stands for; `nil` for none.
  public let release: String?
  /// The baseline that the run was held against, as JSON; `nil` for none.
  public let baseline: String?

  public init(
    id: String, suite: String, created: String, results: String, origin: String? = nil, release: String? = nil,
    baseline: String? = nil
  ) {
    self.id = id
    self.suite = suite
    self.created = created
    self.results = results
    self.origin = origin
    self.release = release
    self.baseline = baseline
  }

  init(_ row: Row) {
    self.init(
      id: row["id"], suite: row["suite"], created: row["created"], results: row["results"], origin: row["origin"],
      release: row["release"], baseline: row["baseline_content"])
  }
}

extension Store {
  /// Keeps a run for the history, and what it was held against.
  ///
  /// - Parameter isNumbered: whether a number is added to the id where another run has it, which is an error otherwise.
  public func add(_ run: StoredRun, isNumbered: Bool = false) throws {
    try write { db in
      func isTaken(_ id: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM run WHERE id = ?)", arguments: [id]) ?? false
      }
      var (id, number) = (run.id, 1)
      while try isNumbered && isTaken(id) {
        number += 1
        id = "\(run.id)-\(number)"
      }
      var baseline: String?
      if let content = run.baseline {
        let hash = SHA256()
        hash.update(Data(content.utf8))
        let key = ContentHash(hash.finish()).description
        try db.execute(sql: "INSERT OR IGNORE INTO baseline (id, content) VALUES (?, ?)", arguments: [key, content])
        baseline = key
      }
      try db.execute(
        sql: "INSERT INTO run (id, suite, created, results, origin, release, baseline) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [id, run.suite, run.created, run.results, run.origin, run.release, baseline])
      try Self.unfold(run: id, in: db)
    }
  }

  /// The runs of a suite, the newest first.
  public func runs(ofSuite suite: String) throws -> [StoredRun] {
    try read { db in
      try Row.fetchAll(
        db, sql: Self.selection("suite = ?") + " ORDER BY created DESC, run.rowid DESC", arguments: [suite]
      ).map(StoredRun.init)
    }
  }

  /// The names of a suite's or all runs, the newest first.
  public func runIDs(ofSuite suite: String?) throws -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM run WHERE suite = ? OR ? ORDER BY created DESC, rowid DESC",
        arguments: [suite, suite == nil])
    }
  }

  /// One run; `nil` where there is none of that name.
  public func run(id: String) throws -> StoredRun? {
    try read { db in
      try Row.fetchOne(db, sql: Self.selection("run.id = ?"), arguments: [id]).map(StoredRun.init)
    }
  }

  private static func selection(_ condition: String) -> String {
    """
    SELECT run.id, suite, created, results, origin, release, baseline.content AS baseline_content
    FROM run LEFT JOIN baseline ON baseline.id = run.baseline WHERE \(condition)
    """
  }

  /// Of the library that reads and writes this file.
  public var sqliteVersion: String {
    get throws { try read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "" } }
  }
}
