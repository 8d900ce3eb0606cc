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

  fileprivate init(_ row: Row) {
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
    }
  }

  /// The runs of a suite, the newest first.
  public func runs(ofSuite suite: String) throws -> [StoredRun] { try runs(ofSuite: suite, replacing: []) }

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
      try Row.fetchOne(db, sql: Self.selection("results", where: "run.id = ?"), arguments: [id]).map(StoredRun.init)
    }
  }

  /// The runs of a suite or of all, the newest first, without the parts of their results that are not wanted.
  ///
  /// - Parameter parts: keys of `results` and the JSON to put in the place of what they hold: `("clips", "[]")`.
  public func runs(ofSuite suite: String?, replacing parts: [(key: String, json: String)]) throws -> [StoredRun] {
    let results =
      parts.isEmpty ? "results" : "json_replace(results\(String(repeating: ", ?, json(?)", count: parts.count)))"
    return try read { db in
      try Row.fetchAll(
        db, sql: Self.selection(results, where: "suite = ? OR ?") + " ORDER BY created DESC, run.rowid DESC",
        arguments: StatementArguments(parts.flatMap { ["$.\($0.key)", $0.json] }) + [suite, suite == nil]
      ).map(StoredRun.init)
    }
  }

  private static func selection(_ results: String, where condition: String) -> String {
    """
    SELECT run.id, suite, created, \(results) AS results, origin, release, baseline.content AS baseline_content
    FROM run LEFT JOIN baseline ON baseline.id = run.baseline WHERE \(condition)
    """
  }

  /// The items of a list in the results of runs, those alone whose fields have these values.
  ///
  /// - Parameters:
  ///   - list: a key of `results`: `metrics`.
  ///   - fields: by key; empty for every item.
  ///   - ids: of the runs.
  /// - Returns: the items' JSON by the run's id, in the list's order.
  public func items(
    of list: String, where fields: [String: String] = [:], inRuns ids: [String]
  ) throws -> [String: [String]] {
    let fields = fields.sorted { $0.key < $1.key }
    let condition = fields.map { _ in " AND json_extract(item.value, ?) = ?" }.joined()
    let wanted = String(decoding: try canonicalJSON(ids), as: UTF8.self)
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT run.id AS id, item.value AS item FROM run, json_each(run.results, ?) AS item
          WHERE run.id IN (SELECT value FROM json_each(?))\(condition) ORDER BY run.rowid, item.key
          """,
        arguments: ["$.\(list)", wanted] + StatementArguments(fields.flatMap { ["$.\($0.key)", $0.value] }))
      return Dictionary(grouping: rows) { $0["id"] as String }.mapValues { $0.map { $0["item"] as String } }
    }
  }

  /// Of the library that reads and writes this file.
  public var sqliteVersion: String {
    get throws { try read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "" } }
  }
}
