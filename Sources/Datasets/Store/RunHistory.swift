import Files
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
  public var name: String { RunID(id).flatMap { $0.suite == suite ? $0.name : nil } ?? id }
}

/// The tables of all runs on the same datasets. As each dataset has its own table of clips (`ClipRows`), no page of the
/// file has the people of two: removed runs leave no copy in pages of other runs, which need not be rewritten.
///
/// The table `run` lists all runs, without anybody's name.
struct RunPart: Hashable, Sendable {
  /// 0 for runs on any datasets, in stores of older versions until a removal.
  let id: Int64

  static let mixed = RunPart(id: 0)

  var run: String { "run_\(id)" }
  var baseline: String { "baseline_\(id)" }
  var metric: String { "run_metric_\(id)" }
  var count: String { "run_count_\(id)" }
  /// Tables that refer to others come before these.
  var tables: [String] { [count, metric, run, baseline] }

  /// The part of the runs on some datasets, with new tables if there is none.
  ///
  /// - Parameter datasets: The names as a JSON list, each once, in ascending order.
  static func make(on datasets: String, in db: Database) throws -> RunPart {
    if let id = try Int64.fetchOne(db, sql: "SELECT id FROM run_part WHERE datasets = ?", arguments: [datasets]) {
      return RunPart(id: id)
    }
    try db.execute(sql: "INSERT INTO run_part (datasets) VALUES (?)", arguments: [datasets])
    let part = RunPart(id: db.lastInsertedRowID)
    try db.execute(
      sql: """
        -- The baselines that runs were compared with, each once.
        CREATE TABLE \(part.baseline) (
          id TEXT PRIMARY KEY,
          content TEXT NOT NULL
        );
        CREATE TABLE \(part.run) (
          id TEXT PRIMARY KEY,
          -- The results without their long parts, to list hundreds of runs.
          head TEXT NOT NULL,
          -- JSON: revision, command, machine and versions; NULL for runs of versions before 3.
          origin TEXT,
          -- The release that the run stands for; NULL for none.
          release TEXT,
          baseline TEXT REFERENCES \(part.baseline)(id),
          results TEXT NOT NULL
        );
        -- The metrics of the results, to show a history without reading the results.
        CREATE TABLE \(part.metric) (
          run TEXT NOT NULL REFERENCES \(part.run)(id) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          detector TEXT NOT NULL,
          metric TEXT NOT NULL,
          unit TEXT NOT NULL,
          direction TEXT NOT NULL,
          value REAL,
          low REAL,
          high REAL,
          -- With a value.
          subjects INTEGER NOT NULL,
          clips INTEGER NOT NULL,
          -- JSON, all of it.
          result TEXT NOT NULL,
          hash BLOB,
          PRIMARY KEY (run, position)
        ) WITHOUT ROWID;
        CREATE INDEX \(part.metric)_name ON \(part.metric)(metric, detector, run);
        CREATE TABLE \(part.count) (
          run TEXT NOT NULL REFERENCES \(part.run)(id) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          detector TEXT NOT NULL,
          clip TEXT NOT NULL,
          subject TEXT NOT NULL,
          count INTEGER NOT NULL,
          truth INTEGER,
          PRIMARY KEY (run, position, detector)
        ) WITHOUT ROWID;
        """)
    return part
  }

  /// The part of a run; `nil` if there is no such run.
  static func of(run id: String, in db: Database) throws -> RunPart? {
    try Int64.fetchOne(db, sql: "SELECT part FROM run WHERE id = ?", arguments: [id]).map(RunPart.init)
  }

  /// Whether the tables exist; false if another process removed the runs.
  func exists(in db: Database) throws -> Bool { try ClipRows.exists(run, in: db) }

  /// Drops the tables, and forgets the part.
  func drop(in db: Database) throws {
    for table in tables { try db.execute(sql: "DROP TABLE \(table)") }
    try db.execute(sql: "DELETE FROM run_part WHERE id = ?", arguments: [id])
  }
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
      let unfolded = UnfoldedResults(run.results)
      let part = try RunPart.make(on: unfolded.datasets, in: db)
      var baseline: String?
      if let content = run.baseline {
        let hash = SHA256()
        hash.update(Data(content.utf8))
        let key = ContentHash(hash.finish()).description
        try db.execute(
          sql: "INSERT OR IGNORE INTO \(part.baseline) (id, content) VALUES (?, ?)", arguments: [key, content])
        baseline = key
      }
      try db.execute(
        sql: "INSERT INTO run (id, suite, created, part) VALUES (?, ?, ?, ?)",
        arguments: [id, run.suite, run.created, part.id])
      try db.execute(
        sql: """
          INSERT INTO \(part.run) (id, head, origin, release, baseline, results) VALUES (?, ?, ?, ?, ?, ?)
          """, arguments: [id, unfolded.head, run.origin, run.release, baseline, run.results])
      try Self.add(unfolded, toRun: id, in: part, db)
      try Self.seal(run.named(id), head: unfolded.head, in: part, db)
      try writeStamps(in: db)
    }
  }

  /// The listed runs, whose names must be valid file names and whose content must match its hash.
  ///
  /// - Parameter results: The column that takes the place of the results, and the one with its hash.
  private func runs(
    _ listed: [Row], _ results: (column: String, hash: String) = ("results", "hash"), in db: Database
  ) throws -> [StoredRun] {
    try listed.map { listed in
      let (id, suite): (String, String) = (try listed.value("id"), try listed.value("suite"))
      let name = StoredRun(id: id, suite: suite, created: "", results: "").name
      _ = try named(suite, "suite", suite)
      _ = try named(name, "run", name)
      let part = RunPart(id: try listed.value("part"))
      guard let row = try Self.row(ofRun: id, in: part, results, db), let run = StoredRun(row),
        RunHash.of(run).databaseValue == row["sealed"]
      else { throw StoreError.alteredRun(path: path, run: id) }
      return run
    }
  }

  /// The columns of a `StoredRun`, and its hash; `nil` if the part has no such run.
  private static func row(
    ofRun id: String, in part: RunPart, _ results: (column: String, hash: String), _ db: Database
  ) throws -> Row? {
    let baseline = results.column == "results" ? "baseline.content" : "NULL"
    return try Row.fetchOne(
      db,
      sql: """
        SELECT run.id, run.suite, run.created, kept.\(results.column) AS results, kept.origin, kept.release,
          \(baseline) AS baseline_content, run.\(results.hash) AS sealed
        FROM run JOIN \(part.run) AS kept ON kept.id = run.id
          LEFT JOIN \(part.baseline) AS baseline ON baseline.id = kept.baseline
        WHERE run.id = ?
        """, arguments: [id])
  }

  /// The rows of a suite's or all runs in the list, the newest first.
  private func list(ofSuite suite: String?, in db: Database) throws -> [Row] {
    try Row.fetchAll(
      db, sql: "SELECT id, suite, part FROM run WHERE suite = ? OR ? ORDER BY created DESC, number DESC",
      arguments: [suite, suite == nil])
  }

  /// The runs of a suite, the newest first.
  public func runs(ofSuite suite: String) throws -> [StoredRun] {
    try read { db in try runs(list(ofSuite: suite, in: db), in: db) }
  }

  /// The names of a suite's or all runs, the newest first.
  public func runIDs(ofSuite suite: String?) throws -> [String] {
    try read { db in try list(ofSuite: suite, in: db).map { try $0.value("id") } }
  }

  /// One run; `nil` if there is none with that id.
  public func run(id: String) throws -> StoredRun? {
    try read { db in
      let listed = try Row.fetchAll(db, sql: "SELECT id, suite, part FROM run WHERE id = ?", arguments: [id])
      return try runs(listed, in: db).first
    }
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
    try read { db in try runs(list(ofSuite: suite, in: db), ("head", "head_hash"), in: db) }
  }

  /// A metric of several runs as JSON, by run id.
  ///
  /// - Parameter detector: `nil` for every detector with the metric.
  public func results(
    ofMetric metric: String, detector: String?, inRuns ids: [String]
  ) throws -> [String: [String]] {
    let list = String(decoding: try canonicalJSON(ids), as: UTF8.self)
    return try read { db in
      let parts = try Int64.fetchAll(
        db, sql: "SELECT DISTINCT part FROM run WHERE id IN (SELECT value FROM json_each(?))", arguments: [list])
      let rows = try parts.map(RunPart.init).flatMap { part in
        try Row.fetchAll(
          db,
          sql: """
            SELECT \(RunHash.metricColumns.joined(separator: ", ")), hash FROM \(part.metric)
            WHERE metric = ? AND (detector = ? OR ?) AND run IN (SELECT value FROM json_each(?)) ORDER BY run, position
            """, arguments: [metric, detector, detector == nil, list])
      }
      for row in rows { try requireSealed(row) }
      return try Dictionary(grouping: rows) { try $0.value("run") as String }
        .mapValues { try $0.map { try $0.value("result") } }
    }
  }

  /// Every metric of a run, in the order of its results.
  public func metrics(ofRun id: String) throws -> [KeptMetric] {
    try read { db in
      guard let part = try RunPart.of(run: id, in: db) else { return [] }
      return try Row.fetchCursor(
        db,
        sql: """
          SELECT \(RunHash.metricColumns.joined(separator: ", ")), hash FROM \(part.metric) WHERE run = ?
          ORDER BY position
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
      guard let part = try RunPart.of(run: id, in: db) else { return [] }
      return try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, metric, unit, direction, item.key, item.value
          FROM \(part.metric), json_each(result, '$.bySubject') AS item
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
      guard let part = try RunPart.of(run: id, in: db) else { return [] }
      let sealed = try DatabaseValue.fetchOne(db, sql: "SELECT counts_hash FROM run WHERE id = ?", arguments: [id])
      guard try RunHash.counts(ofRun: id, in: part, db).databaseValue == sealed else {
        throw StoreError.alteredRun(path: path, run: id)
      }
      return try Row.fetchCursor(
        db,
        sql: """
          SELECT run, detector, clip, subject, count, truth FROM \(part.count) WHERE run = ? ORDER BY position, detector
          """, arguments: [id]
      ).mapKept {
        KeptCount(
          run: try $0.value(at: 0), detector: try $0.value(at: 1), clip: try $0.value(at: 2),
          subject: try $0.value(at: 3), count: try $0.value(at: 4), truth: try $0.valueIfPresent(at: 5))
      }
    }
  }

  private func requireSealed(_ metric: Row) throws {
    guard try RunHash.of(metric: metric).databaseValue == metric["hash"] else {
      throw StoreError.alteredRun(path: path, run: String.fromDatabaseValue(metric["run"]) ?? "")
    }
  }

  /// Stores metrics and counts of a run separately; skips metrics that lack a field of every metric.
  private static func add(_ unfolded: UnfoldedResults, toRun id: String, in part: RunPart, _ db: Database) throws {
    let addMetric = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO \(part.metric)
          (run, position, detector, metric, unit, direction, value, low, high, subjects, clips, result)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for metric in unfolded.metrics {
      try addMetric.execute(arguments: [
        id, metric.position, metric.detector, metric.metric, metric.unit, metric.direction, metric.value, metric.low,
        metric.high, metric.subjects, metric.clips, metric.result,
      ])
    }
    let addCount = try db.cachedStatement(sql: "INSERT OR IGNORE INTO \(part.count) VALUES (?, ?, ?, ?, ?, ?, ?)")
    for count in unfolded.counts {
      try addCount.execute(arguments: [
        id, count.position, count.detector, count.clip, count.subject, count.count, count.truth,
      ])
    }
  }

  /// Stores the parts of runs of versions before 4 separately, and the hashes of runs of versions before 6.
  static func complete(_ part: RunPart, _ db: Database) throws {
    for id in try String.fetchAll(db, sql: "SELECT id FROM \(part.run) WHERE head = ''") {
      guard let row = try row(ofRun: id, in: part, ("results", "hash"), db), let run = StoredRun(row) else { continue }
      let unfolded = UnfoldedResults(run.results)
      try db.execute(sql: "UPDATE \(part.run) SET head = ? WHERE id = ?", arguments: [unfolded.head, id])
      try add(unfolded, toRun: id, in: part, db)
    }
    for id in try String.fetchAll(db, sql: "SELECT id FROM run WHERE hash IS NULL") {
      guard let row = try row(ofRun: id, in: part, ("results", "hash"), db), let run = StoredRun(row),
        let head = try Self.row(ofRun: id, in: part, ("head", "head_hash"), db).flatMap(StoredRun.init)
      else { continue }
      try seal(run, head: head.results, in: part, db)
    }
  }

  /// Stores the hashes of a run and of its separately stored parts.
  private static func seal(_ run: StoredRun, head: String, in part: RunPart, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE run SET hash = ?, head_hash = ?, counts_hash = ? WHERE id = ?",
      arguments: [
        RunHash.of(run), RunHash.of(run.head(head)), RunHash.counts(ofRun: run.id, in: part, db), run.id,
      ])
    let positions = try Row.fetchAll(
      db, sql: "SELECT position FROM \(part.metric) WHERE run = ?", arguments: [run.id])
    let read = try db.cachedStatement(sql: "SELECT * FROM \(part.metric) WHERE run = ? AND position = ?")
    let write = try db.cachedStatement(sql: "UPDATE \(part.metric) SET hash = ? WHERE run = ? AND position = ?")
    for position in try positions.map({ try $0.value("position") as Int }) {
      let metric = try Row.fetchOne(read, arguments: [run.id, position])
      try write.execute(arguments: [metric.map { try RunHash.of(metric: $0) }, run.id, position])
    }
  }
}

extension StoredRun {
  fileprivate func named(_ id: String) -> StoredRun {
    StoredRun(
      id: id, suite: suite, created: created, results: results, origin: origin, release: release, baseline: baseline)
  }

  /// As in a list of runs.
  fileprivate func head(_ head: String) -> StoredRun {
    StoredRun(id: id, suite: suite, created: created, results: head, origin: origin, release: release)
  }
}

/// The hash of a run's stored parts, 32 bytes, which reveals any changed byte on reading.
private enum RunHash {
  static let metricColumns = [
    "run", "position", "detector", "metric", "unit", "direction", "value", "low", "high", "subjects", "clips", "result",
  ]

  static func of(_ run: StoredRun) -> Data {
    of([run.id, run.suite, run.created, run.results, run.origin, run.release, run.baseline].map(\.databaseValue))
  }

  static func of(metric row: Row) throws -> Data {
    try of(metricColumns.map { try row.decode(DatabaseValue.self, forColumn: $0) })
  }

  private static func of(_ values: [DatabaseValue]) -> Data {
    let hash = SHA256()
    hash.update("run 1")
    for value in values { update(hash, value) }
    return hash.finish()
  }

  /// The hash of each detector's counts.
  static func counts(ofRun id: String, in part: RunPart, _ db: Database) throws -> Data {
    let hash = SHA256()
    hash.update("counts 1")
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT position, detector, clip, subject, count, truth FROM \(part.count) WHERE run = ?
        ORDER BY position, detector
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
    case .string(let text): hash.update("text ", text)
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
