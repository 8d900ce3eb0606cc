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
  /// The run's origin as JSON; `nil` if it was not recorded.
  public let origin: String?
  /// The release of this run; `nil` for none.
  public let release: String?
  /// The baseline that the run was compared with, as JSON; `nil` for none.
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

  /// `nil` if a value has the wrong type.
  fileprivate init?(_ row: Row) {
    func text(_ column: String) -> String? { String.fromDatabaseValue(row[column]) }
    guard let id = text("id"), let suite = text("suite"), let created = text("created"), let results = text("results")
    else { return nil }
    self.init(
      id: id, suite: suite, created: created, results: results, origin: text("origin"), release: text("release"),
      baseline: text("baseline_content"))
  }

  /// The run's name within its suite: `2026-03-01T10-00-00Z`.
  public var name: String { id.hasPrefix("\(suite)/") ? String(id.dropFirst(suite.count + 1)) : id }
}

extension Store {
  /// Adds a run and its baseline to the history.
  ///
  /// - Parameter isNumbered: Whether to append a number if another run has the id, which is an error otherwise.
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
      try Self.seal(run: id, in: db)
    }
  }

  /// A run whose names are valid file names and whose content matches its hash.
  private func storedRun(_ row: Row) throws -> StoredRun {
    guard let run = StoredRun(row) else {
      throw StoreError.alteredRun(path: path, run: String.fromDatabaseValue(row["id"]) ?? "")
    }
    _ = try named(run.suite, "suite", run)
    _ = try named(run.name, "run", run)
    guard try RunHash.of(row, RunHash.columns).databaseValue == row["sealed"] else {
      throw StoreError.alteredRun(path: path, run: run.id)
    }
    return run
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

  /// One run; `nil` if there is none with that id.
  public func run(id: String) throws -> StoredRun? {
    try read { db in
      try Row.fetchOne(db, sql: Self.selection("run.id = ?"), arguments: [id]).map(storedRun)
    }
  }

  private static func selection(_ condition: String) -> String {
    """
    SELECT run.id, suite, created, results, origin, release, baseline.content AS baseline_content, hash AS sealed
    FROM run LEFT JOIN baseline ON baseline.id = run.baseline WHERE \(condition)
    """
  }

  /// The version of the library that reads and writes this file.
  public var sqliteVersion: String {
    get throws { try read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "" } }
  }
}

/// Parts of results stored separately, to list hundreds of runs without reading whole results.
extension Store {
  /// A metric of a run.
  public struct KeptMetric: Hashable, Sendable {
    public var run: String
    public var detector: String
    public var metric: String
    public var unit: String
    /// The direction as in the results.
    public var direction: String
    public var value: Double?
    /// The interval's bounds; `nil` if there is none.
    public var low: Double?
    public var high: Double?
    /// The number of subjects with a value.
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
    /// `nil` if there is no true count.
    public var truth: Int?
  }

  /// The runs of a suite or of all suites, the newest first, without their baselines; the results lack metrics, clips,
  /// slices and measurements.
  public func runHeads(ofSuite suite: String?) throws -> [StoredRun] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, suite, created, head AS results, origin, release, NULL AS baseline_content, head_hash AS sealed
          FROM run WHERE suite = ? OR ? ORDER BY created DESC, rowid DESC
          """, arguments: [suite, suite == nil]
      ).map(storedRun)
    }
  }

  /// A metric of several runs as JSON, by run id.
  ///
  /// - Parameter detector: `nil` for every detector with the metric.
  public func results(
    ofMetric metric: String, detector: String?, inRuns ids: [String]
  ) throws -> [String: [String]] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT \(RunHash.metricColumns.joined(separator: ", ")), hash FROM run_metric
          WHERE metric = ? AND (detector = ? OR ?) AND run IN (SELECT value FROM json_each(?)) ORDER BY run, position
          """, arguments: [metric, detector, detector == nil, try Self.list(ids)])
      for row in rows { try requireSealed(row) }
      return try Dictionary(grouping: rows) { try $0.value("run") as String }
        .mapValues { try $0.map { try $0.value("result") } }
    }
  }

  /// Every metric of a run, in the order of its results.
  public func metrics(ofRun id: String) throws -> [KeptMetric] {
    try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT \(RunHash.metricColumns.joined(separator: ", ")), hash FROM run_metric WHERE run = ? ORDER BY position
          """, arguments: [id]
      ).mapKept { row in
        try requireSealed(row)
        return KeptMetric(
          run: try row.value("run"), detector: try row.value("detector"), metric: try row.value("metric"),
          unit: try row.value("unit"), direction: try row.value("direction"), value: try row.valueIfPresent("value"),
          low: try row.valueIfPresent("low"), high: try row.valueIfPresent("high"),
          subjects: try row.value("subjects"), clips: try row.value("clips"))
      }
    }
  }

  /// Each subject's value of every metric of a run, by name within a metric; `nil` if undefined.
  public func subjectValues(ofRun id: String) throws -> [(metric: KeptMetric, subject: String, value: Double?)] {
    // Only from metrics that are unchanged since they were stored.
    _ = try metrics(ofRun: id)
    return try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, metric, unit, direction, item.key, item.value
          FROM run_metric, json_each(result, '$.bySubject') AS item
          WHERE run = ? ORDER BY position, item.key
          """, arguments: [id]
      ).mapKept { row in
        let metric = KeptMetric(
          run: try row.value(at: 0), detector: try row.value(at: 1), metric: try row.value(at: 2),
          unit: try row.value(at: 3), direction: try row.value(at: 4), subjects: 1, clips: 0)
        return (metric, try row.value(at: 5), try row.valueIfPresent(at: 6))
      }
    }
  }

  /// Each detector's count on the clips of a run, in the order of the clips and, within one, of the detectors' names.
  public func counts(ofRun id: String) throws -> [KeptCount] {
    try read { db in
      let sealed = try DatabaseValue.fetchOne(db, sql: "SELECT counts_hash FROM run WHERE id = ?", arguments: [id])
      guard try RunHash.counts(ofRun: id, in: db).databaseValue == sealed else {
        throw StoreError.alteredRun(path: path, run: id)
      }
      return try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, clip, subject, count, truth FROM run_count WHERE run = ? ORDER BY position, detector
          """, arguments: [id]
      ).mapKept {
        KeptCount(
          run: try $0.value(at: 0), detector: try $0.value(at: 1), clip: try $0.value(at: 2),
          subject: try $0.value(at: 3), count: try $0.value(at: 4), truth: try $0.valueIfPresent(at: 5))
      }
    }
  }

  private func requireSealed(_ metric: Row) throws {
    guard try RunHash.of(metric, RunHash.metricColumns).databaseValue == metric["hash"] else {
      throw StoreError.alteredRun(path: path, run: String.fromDatabaseValue(metric["run"]) ?? "")
    }
  }

  private static func list(_ ids: [String]) throws -> String { String(decoding: try canonicalJSON(ids), as: UTF8.self) }

  /// Stores the parts of a run's results separately. Skips results that are not JSON or lack the fields of every
  /// metric.
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
          (run, position, detector, metric, unit, direction, value, low, high, subjects, clips, result)
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

extension Store {
  /// Stores the hashes of a run and of its separately stored parts.
  static func seal(run id: String, in db: Database) throws {
    for (column, results) in [("hash", "results"), ("head_hash", "head AS results")] {
      let baseline = column == "hash" ? "baseline.content" : "NULL"
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT run.id, suite, created, \(results), origin, release, \(baseline) AS baseline_content
          FROM run LEFT JOIN baseline ON baseline.id = run.baseline WHERE run.id = ?
          """, arguments: [id])
      try db.execute(
        sql: "UPDATE run SET \(column) = ? WHERE id = ?",
        arguments: [row.map { try RunHash.of($0, RunHash.columns) }, id])
    }
    try db.execute(
      sql: "UPDATE run SET counts_hash = ? WHERE id = ?", arguments: [RunHash.counts(ofRun: id, in: db), id])
    for metric in try Row.fetchAll(db, sql: "SELECT * FROM run_metric WHERE run = ?", arguments: [id]) {
      try db.execute(
        sql: "UPDATE run_metric SET hash = ? WHERE run = ? AND position = ?",
        arguments: [RunHash.of(metric, RunHash.metricColumns), id, metric.value("position") as Int])
    }
  }
}

/// The hash of a run's stored parts, 32 bytes, which reveals any changed byte on reading.
private enum RunHash {
  /// The columns of a run, as in `StoredRun`.
  static let columns = ["id", "suite", "created", "results", "origin", "release", "baseline_content"]
  static let metricColumns = [
    "run", "position", "detector", "metric", "unit", "direction", "value", "low", "high", "subjects", "clips", "result",
  ]

  static func of(_ row: Row, _ columns: [String]) throws -> Data {
    let hash = SHA256()
    hash.update("run 1")
    for column in columns { update(hash, try row.decode(DatabaseValue.self, forColumn: column)) }
    return hash.finish()
  }

  /// The hash of each detector's counts.
  static func counts(ofRun id: String, in db: Database) throws -> Data {
    let hash = SHA256()
    hash.update("counts 1")
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT position, detector, clip, subject, count, truth FROM run_count WHERE run = ? ORDER BY position, detector
        """, arguments: [id])
    while let row = try rows.next() {
      for column in 0..<row.count { update(hash, row[column]) }
    }
    return hash.finish()
  }

  /// Adds a value with its type, to hash equal bytes of different types differently.
  private static func update(_ hash: SHA256, _ value: DatabaseValue) {
    switch value.storage {
    case .null: hash.update("null")
    case .int64(let number): hash.update("integer \(number)")
    case .double(let number): hash.update("real \(number.bitPattern)")
    case .string(let text): hash.update("text \(text)")
    case .blob(let bytes):
      hash.update("blob \(bytes.count)")
      hash.update(bytes)
    }
  }
}

extension RowCursor {
  fileprivate func mapKept<Value>(_ make: (Row) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    while let row = try next() { values.append(try make(row)) }
    return values
  }
}
