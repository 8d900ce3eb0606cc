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

  /// What the run is called within its suite: `2026-03-01T10-00-00Z`.
  public var name: String { id.hasPrefix("\(suite)/") ? String(id.dropFirst(suite.count + 1)) : id }
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

  /// A run whose names may be names of files.
  private func storedRun(_ row: Row) throws -> StoredRun {
    let run = StoredRun(row)
    _ = try named(run.suite, "suite", run)
    return try named(run.name, "run", run)
  }

  /// The runs of a suite, the newest first.
  public func runs(ofSuite suite: String) throws -> [StoredRun] {
    try read { db in
      try Row.fetchAll(
        db, sql: Self.selection("suite = ?") + " ORDER BY created DESC, run.rowid DESC", arguments: [suite]
      ).map(storedRun)
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
      try Row.fetchOne(db, sql: Self.selection("run.id = ?"), arguments: [id]).map(storedRun)
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

/// What the history reads of hundreds of runs: parts of their results that are kept beside them, so that no more is read.
extension Store {
  /// A metric of a run.
  public struct KeptMetric: Hashable, Sendable {
    public var run: String
    public var detector: String
    public var metric: String
    public var unit: String
    /// As the results have it.
    public var direction: String
    public var value: Double?
    /// The interval's bounds; `nil` where there is none.
    public var low: Double?
    public var high: Double?
    /// With a value.
    public var subjects: Int
    public var clips: Int
  }

  /// A detector's count on a clip of a run.
  public struct KeptCount: Hashable, Sendable {
    public var run: String
    public var detector: String
    /// `squat-sample/s01_side_1`
    public var clip: String
    /// `squat-sample/s01`
    public var subject: String
    public var count: Int
    /// `nil` where nobody counted.
    public var truth: Int?
  }

  /// The runs of a suite or of all, the newest first, without what they were held against; their results have no metrics, no
  /// clips, no slices and nothing measured.
  public func runHeads(ofSuite suite: String?) throws -> [StoredRun] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, suite, created, head AS results, origin, release, NULL AS baseline_content
          FROM run WHERE suite = ? OR ? ORDER BY created DESC, rowid DESC
          """, arguments: [suite, suite == nil]
      ).map(storedRun)
    }
  }

  /// A metric of runs as JSON, by the run's id.
  ///
  /// - Parameter detector: `nil` for any that has it.
  public func results(
    ofMetric metric: String, detector: String?, inRuns ids: [String]
  ) throws -> [String: [String]] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT run, result FROM run_metric
          WHERE metric = ? AND (detector = ? OR ?) AND run IN (SELECT value FROM json_each(?)) ORDER BY run, position
          """, arguments: [metric, detector, detector == nil, try Self.list(ids)])
      return Dictionary(grouping: rows) { $0["run"] as String }.mapValues { $0.map { $0["result"] as String } }
    }
  }

  /// Every metric of a run, in the order of its results.
  public func metrics(ofRun id: String) throws -> [KeptMetric] {
    try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, metric, unit, direction, value, low, high, subjects, clips FROM run_metric
          WHERE run = ? ORDER BY position
          """, arguments: [id]
      ).mapKept {
        KeptMetric(
          run: $0[0], detector: $0[1], metric: $0[2], unit: $0[3], direction: $0[4], value: $0[5], low: $0[6],
          high: $0[7], subjects: $0[8], clips: $0[9])
      }
    }
  }

  /// Each subject's value of every metric of a run, by name within a metric; `nil` where it is undefined.
  public func subjectValues(ofRun id: String) throws -> [(metric: KeptMetric, subject: String, value: Double?)] {
    try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, metric, unit, direction, item.key, item.value
          FROM run_metric, json_each(result, '$.bySubject') AS item
          WHERE run = ? ORDER BY position, item.key
          """, arguments: [id]
      ).mapKept { row in
        let metric = KeptMetric(
          run: row[0], detector: row[1], metric: row[2], unit: row[3], direction: row[4], subjects: 1, clips: 0)
        return (metric, row[5], row[6])
      }
    }
  }

  /// What each detector counted on the clips of a run, in the order of the clips and, within one, of the detectors' names.
  public func counts(ofRun id: String) throws -> [KeptCount] {
    try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, clip, subject, count, truth FROM run_count WHERE run = ? ORDER BY position, detector
          """, arguments: [id]
      ).mapKept {
        KeptCount(run: $0[0], detector: $0[1], clip: $0[2], subject: $0[3], count: $0[4], truth: $0[5])
      }
    }
  }

  private static func list(_ ids: [String]) throws -> String { String(decoding: try canonicalJSON(ids), as: UTF8.self) }

  /// Keeps the parts of a run's results beside them. Of what is no JSON, or lacks what every metric has, there are none.
  static func unfold(run id: String, in db: Database) throws {
    try db.execute(
      sql: """
        UPDATE run SET head = CASE json_valid(results) WHEN 1 THEN json_remove(
          json_replace(
            results, '$.clips', json('[]'), '$.metrics', json('[]'), '$.slices', json('[]'), '$.measured', json('{}')),
          '$.robustness') ELSE results END
        WHERE id = ?
        """, arguments: [id])
    let results = "(SELECT CASE json_valid(results) WHEN 1 THEN results ELSE '{}' END FROM run WHERE id = ?)"
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO run_metric
        SELECT ?, item.key, json_extract(item.value, '$.detector'), json_extract(item.value, '$.metric'),
          json_extract(item.value, '$.unit'), json_extract(item.value, '$.direction'),
          json_extract(item.value, '$.value'), json_extract(item.value, '$.interval.low'),
          json_extract(item.value, '$.interval.high'),
          (SELECT count(*) FROM json_each(item.value, '$.bySubject') AS subject WHERE subject.type <> 'null'),
          json_extract(item.value, '$.clips'), json(item.value)
        FROM json_each(\(results), '$.metrics') AS item WHERE item.type = 'object'
        """, arguments: [id, id])
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO run_count
        SELECT ?, item.key, outcome.key,
          json_extract(item.value, '$.dataset') || '/' || json_extract(item.value, '$.name'),
          json_extract(item.value, '$.dataset') || '/' || json_extract(item.value, '$.subject'),
          json_extract(outcome.value, '$.count'), json_extract(item.value, '$.trueCount')
        FROM json_each(\(results), '$.clips') AS item, json_each(item.value, '$.outcomes') AS outcome
        WHERE item.type = 'object' AND outcome.type = 'object' AND json_extract(outcome.value, '$.count') IS NOT NULL
        """, arguments: [id, id])
  }
}

extension RowCursor {
  fileprivate func mapKept<Value>(_ make: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    while let row = try next() { values.append(try make(row)) }
    return values
  }
}
