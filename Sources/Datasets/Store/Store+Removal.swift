import Files
import Foundation
import GRDB

/// Whether removed data is gone from every file of the store.
public enum Erasure: Hashable, Sendable {
  case complete
  /// Not yet; the next opening of the store erases it, unless something prevents that.
  case pending(reason: String)
}

/// The result of a removal.
public struct Removal: Sendable {
  public let datasets: [StoredDataset]
  /// Runs of the history, the newest first.
  public let runs: [(id: String, suite: String)]
  public let erasure: Erasure
}

extension Store {
  /// Removes datasets with all their clips, and leaves no byte of them in the store's files.
  ///
  /// One transaction removes them and logs it; then their bytes are cleared, see `erase()`. If the process is killed in
  /// between, a mark makes the next opening finish the work. Copies of overwritten bytes may remain in the file system
  /// or on the disk. The names remain in the log and in runs.
  ///
  /// - Parameters:
  ///   - action: `removed`, or `purged` to remove only expired ones.
  ///   - names: The datasets whose runs are removed too, even if the dataset itself is already gone.
  @discardableResult
  public func remove(
    _ datasets: [StoredDataset], _ action: AuditEntry.Action = .removed, runsOn names: [String] = []
  ) throws -> Removal {
    let (removed, runs) = try write { db in
      // Looked up again: another process may have removed one, or changed its expiry date.
      let removed = try datasets.flatMap { try self.datasets(where: "id = ?", [$0.id], in: db) }
        .filter { action != .purged || $0.expires?.hasPassed() ?? false }
      for dataset in removed {
        let clips = "\(dataset.clipCount) clip\(dataset.clipCount == 1 ? "" : "s")"
        let expiry = dataset.expires.map { ", \(action == .purged ? "expired" : "expires") \($0)" } ?? ""
        try record(
          action, dataset, detail: clips + expiry + (dataset.content == nil ? " of an unfinished import" : ""), in: db)
      }
      try discard(removed, in: db)
      var runs: [(id: String, suite: String)] = []
      for name in names {
        let own = try self.runs(onDataset: name, in: db)
        try discardRuns(onDataset: name, own.map(\.id), in: db)
        if !own.isEmpty {
          let detail = "\(own.count) run\(own.count == 1 ? "" : "s") of the history"
          try record(action, dataset: name, content: "", detail: detail, in: db)
        }
        runs += own
      }
      if !runs.isEmpty { try db.execute(sql: "INSERT INTO unerased (runs) VALUES (1)") }
      return (removed, runs)
    }
    return Removal(datasets: removed, runs: runs, erasure: try erase())
  }

  /// Removes datasets within a transaction: they can no longer be found, and `erase()` clears their bytes.
  ///
  /// Their clips are not deleted here, because a transaction's log is as large as the bytes it clears.
  func discard(_ datasets: [StoredDataset], in db: Database) throws {
    for dataset in datasets {
      try db.execute(
        sql: """
          UPDATE dataset SET removed = 1, name = '#' || id, manifest = '', source = '', folder = NULL, content = NULL,
            expires = NULL, base = NULL
          WHERE id = ?
          """, arguments: [dataset.id])
    }
    if !datasets.isEmpty { try db.execute(sql: "INSERT INTO unerased DEFAULT VALUES") }
  }

  /// The expired datasets, finished or not.
  public func expiredDatasets() throws -> [StoredDataset] {
    try datasets().filter { $0.expires?.hasPassed() ?? false }
  }

  /// The runs of the history that name a dataset, the newest first.
  public func runs(onDataset name: String) throws -> [(id: String, suite: String)] {
    try read { db in try runs(onDataset: name, in: db) }
  }

  private func runs(onDataset name: String, in db: Database) throws -> [(id: String, suite: String)] {
    let mixed =
      try RunPart.mixed.exists(in: db)
      ? """
      OR id IN (SELECT id FROM \(RunPart.mixed.run) WHERE EXISTS (
        SELECT 1 FROM json_each(CASE json_valid(head) WHEN 1 THEN head ELSE '{}' END, '$.datasets')
        WHERE json_extract(value, '$.name') = :name))
      """ : ""
    return try Row.fetchAll(
      db,
      sql: """
        SELECT id, suite FROM run WHERE part IN (\(Self.partsOnDataset)) \(mixed) ORDER BY created DESC, id DESC
        """, arguments: ["name": name]
    ).map { (try $0.value("id"), try $0.value("suite")) }
  }

  private static let partsOnDataset = """
    SELECT id FROM run_part WHERE EXISTS (
      SELECT 1 FROM json_each(CASE json_valid(datasets) WHEN 1 THEN datasets ELSE '[]' END) WHERE value = :name)
    """

  /// Removes the runs on a dataset within a transaction, see `discard(_:in:)`.
  private func discardRuns(onDataset name: String, _ ids: [String], in db: Database) throws {
    let isMixed = try RunPart.mixed.exists(in: db)
    for id in ids {
      if isMixed { try db.execute(sql: "DELETE FROM \(RunPart.mixed.run) WHERE id = ?", arguments: [id]) }
      try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [id])
    }
    try db.execute(
      sql: "UPDATE run_part SET removed = 1, datasets = NULL WHERE id IN (\(Self.partsOnDataset))",
      arguments: ["name": name])
  }

  /// Clears removed data from the file and its journal, and frees its disk space.
  ///
  /// Clips are deleted a few megabytes at a time, and SQLite overwrites them with zeros (`secure_delete`). Pages at the
  /// end of the file then move into the free pages, and the file is truncated, again piece by piece
  /// (`incremental_vacuum`). Time and space therefore depend on the removed data, not on the rest. Only the table of
  /// datasets, which is small, is rewritten, and tables of older versions, see `splitClips()` and `splitHistory()`.
  ///
  /// - Throws: `StoreError`, except if the work is only delayed: by another process that is using the store, or a full
  ///   disk.
  @discardableResult
  public func erase() throws -> Erasure {
    ScratchFolder.clear(beside: path)
    do {
      let mark = try read { db in try Row.fetchOne(db, sql: "SELECT max(id) AS id, max(runs) AS runs FROM unerased") }
      try clearRemoved()
      try clearRemovedRuns()
      try splitClips()
      if let mark, let id: Int64 = try mark.valueIfPresent("id") {
        if try mark.value("runs") { try splitHistory() }
        try write { db in try rebuildDatasets(in: db) }
        try giveBack()
        try emptyLog()
        // Marks that other processes added meanwhile stay.
        try write { db in try db.execute(sql: "DELETE FROM unerased WHERE id <= ?", arguments: [id]) }
      } else {
        try giveBack()
      }
      // Only the deletion of the mark itself may be unfinished.
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.truncate) }
      return .complete
    } catch {
      switch StoreError.meaning(of: error, path: path) {
      case StoreError.locked: return .pending(reason: "another process is using the store")
      case StoreError.diskFull: return .pending(reason: "the disk is full")
      case let other: throw other
      }
    }
  }

  /// Finishes the work of a process that was killed, or was blocked by another one.
  func finishErasing() throws {
    ScratchFolder.clear(beside: path)
    let isPending = try read { db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM unerased)") ?? false }
    // If this fails now, a later opening retries it; other calls report errors of the store.
    if isPending { _ = try? erase() }
  }

  /// The bytes cleared in one transaction, which limits the size of the log beside the store.
  private static let pieceSize = 1 << 24

  /// Calls `body` with a size until it returns that everything is done, and checkpoints the log after each call.
  ///
  /// If the disk has less space than a piece needs, it continues with smaller ones.
  private func inPieces(_ body: (Database, Int) throws -> Bool) throws {
    var size = Self.pieceSize
    while true {
      do {
        if try write({ db in try body(db, size) }) { return }
      } catch StoreError.diskFull where size > 0 {
        size = size > 1 << 14 ? size / 4 : 0
      }
      // Another process may be erasing.
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.passive) }
    }
  }

  /// Deletes the clips of removed datasets.
  private func clearRemoved() throws {
    let removed = try read { db in
      try Row.fetchAll(db, sql: "SELECT id, own FROM dataset WHERE removed").map {
        ClipRows(dataset: try $0.value("id"), areOwn: try $0.value("own"))
      }
    }
    for rows in removed {
      try inPieces { db, size in
        if try rows.exist(in: db) {
          let (clips, isLast) = try piece(
            of: rows.table, ["times", "poses"], where: "dataset = \(rows.dataset)", size: size, in: db)
          for clip in clips { try db.execute(sql: "DELETE FROM \(rows.table) WHERE rowid = ?", arguments: [clip]) }
          guard isLast else { return false }
          if rows.areOwn { try db.execute(sql: "DROP TABLE \(rows.table)") }
        }
        try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [rows.dataset])
        return true
      }
    }
  }

  /// Deletes removed runs with their metrics and counts, then their baselines.
  private func clearRemovedRuns() throws {
    let removed = try read { db in try Int64.fetchAll(db, sql: "SELECT id FROM run_part WHERE removed") }
    for part in removed.map(RunPart.init) {
      try inPieces { db, size in
        guard try part.exists(in: db) else { return true }
        let (rows, isLast) = try piece(of: part.run, ["results"], size: size, in: db)
        for row in rows { try db.execute(sql: "DELETE FROM \(part.run) WHERE rowid = ?", arguments: [row]) }
        if isLast { try part.drop(in: db) }
        return isLast
      }
    }
  }

  /// Gives the runs of an older version's store tables by their datasets.
  private func splitHistory() throws {
    let mixed = RunPart.mixed
    try inPieces { db, size in
      guard try mixed.exists(in: db) else { return true }
      let (rows, isLast) = try piece(of: mixed.run, ["results"], size: size, in: db)
      for row in rows {
        guard let run = try Row.fetchOne(db, sql: "SELECT id, head FROM \(mixed.run) WHERE rowid = ?", arguments: [row])
        else { continue }
        let id: String = try run.value("id")
        let part = try RunPart.make(on: UnfoldedResults(run.value("head") as String).datasets, in: db)
        let columns = "id, head, origin, release, baseline, results"
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO \(part.baseline) SELECT id, content FROM \(mixed.baseline)
              WHERE id = (SELECT baseline FROM \(mixed.run) WHERE id = :id);
            INSERT INTO \(part.run) (\(columns)) SELECT \(columns) FROM \(mixed.run) WHERE id = :id;
            INSERT INTO \(part.metric) SELECT * FROM \(mixed.metric) WHERE run = :id;
            INSERT INTO \(part.count) SELECT * FROM \(mixed.count) WHERE run = :id;
            UPDATE run SET part = \(part.id) WHERE id = :id;
            DELETE FROM \(mixed.run) WHERE id = :id;
            """, arguments: ["id": id])
      }
      if isLast { try mixed.drop(in: db) }
      return isLast
    }
  }

  /// The numbers of at least one row of a table, of enough rows for a size, and whether these are all.
  ///
  /// - Parameters:
  ///   - columns: Those whose bytes count.
  ///   - condition: Of the rows.
  private func piece(
    of table: String, _ columns: [String], where condition: String = "1", size: Int, in db: Database
  ) throws -> (rows: [Int64], isLast: Bool) {
    var (rows, bytes) = ([Int64](), 0)
    let length = columns.map { "ifnull(length(\($0)), 0)" }.joined(separator: " + ")
    let found = try Row.fetchCursor(
      db, sql: "SELECT rowid AS number, \(length) AS size FROM \(table) WHERE \(condition)")
    while let row = try found.next() {
      guard rows.isEmpty || bytes < size && rows.count < 1000 else { return (rows, false) }
      rows.append(try row.value("number"))
      bytes += try row.value("size") as Int
    }
    return (rows, true)
  }

  /// Gives every dataset of an older version's store its own table, and makes SQLite track free pages: this rewrites
  /// the file once, with a temporary copy beside the store.
  private func splitClips() throws {
    let shared = try read { db in
      try ClipRows.exists(ClipRows.shared, in: db)
        ? Int64.fetchAll(db, sql: "SELECT id FROM dataset WHERE NOT own") : nil
    }
    for id in shared ?? [] {
      try write { db in
        guard try Bool.fetchOne(db, sql: "SELECT own FROM dataset WHERE id = ?", arguments: [id]) == false else {
          return
        }
        let rows = try ClipRows.make(of: id, in: db)
        let columns = "id, dataset, name, info, labels, hash, times, poses"
        try db.execute(
          sql: """
            INSERT INTO \(rows.table) (\(columns)) SELECT \(columns) FROM \(ClipRows.shared) WHERE dataset = :id;
            DELETE FROM \(ClipRows.shared) WHERE dataset = :id;
            UPDATE dataset SET own = 1 WHERE id = :id;
            """, arguments: ["id": id])
      }
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.passive) }
    }
    if shared != nil {
      try write { db in
        let left = try Int.fetchOne(db, sql: "SELECT count(*) FROM dataset WHERE NOT own") ?? 0
        if left == 0 { try db.execute(sql: "DROP TABLE IF EXISTS \(ClipRows.shared)") }
      }
    }
    try queue.writeWithoutTransaction { db in
      guard try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 else { return }
      let folder = PathParts(path).folder
      // The setting applies to the whole process, but nothing else in it keeps such files on disk.
      try db.execute(
        sql: """
          PRAGMA temp_store = FILE;
          PRAGMA temp_store_directory = '\((folder.isEmpty ? "." : folder).replacing("'", with: "''"))';
          """)
      defer { try? db.execute(sql: "PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY") }
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute(sql: "VACUUM")
    }
  }

  /// Rewrites the table of datasets, to leave only its rows in its pages.
  private func rebuildDatasets(in db: Database) throws {
    let schema = try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM sqlite_master WHERE tbl_name = 'dataset' AND sql IS NOT NULL ORDER BY type = 'table' DESC
        """)
    try db.execute(sql: "CREATE TABLE kept_dataset AS SELECT * FROM dataset; DROP TABLE dataset")
    for statement in schema { try db.execute(sql: statement) }
    try db.execute(sql: "INSERT INTO dataset SELECT * FROM kept_dataset; DROP TABLE kept_dataset")
  }

  /// Checkpoints the log and truncates it.
  ///
  /// SQLite waits for readers, but not for another process that is checkpointing too.
  private func emptyLog() throws {
    let start = ContinuousClock.now
    while true {
      do {
        return try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now - start < .seconds(5)
      {
        usleep(10_000)
      }
    }
  }

  /// Frees the file's unused pages.
  private func giveBack() throws {
    try inPieces { db, size in
      func free() throws -> Int { try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 }
      let before = try free()
      try db.execute(sql: "PRAGMA incremental_vacuum(\(max(1, size >> 14)))")
      let after = try free()
      return after == 0 || after == before
    }
  }
}

/// The instant after which a dataset may no longer be kept.
public struct Expiry: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// ISO 8601 in UTC with whole seconds; sorts in the order of time.
  public let description: String

  /// - Parameter text: A day such as `2027-03-01`, at whose start in UTC it expires, or a number of days from `now`
  ///   such as `30d`; `nil` for anything else.
  public init?(_ text: String, now: Date = Date()) {
    if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...Self.longest).contains(days) {
      description = now.addingTimeInterval(Double(days) * 86_400).formatted(.iso8601)
    } else {
      // The parser alone would read 31 February as 3 March.
      let day = Date.ISO8601FormatStyle().year().month().day()
      guard text.count == 10, let date = try? day.parse(text), date.formatted(day) == text else { return nil }
      description = date.formatted(.iso8601)
    }
  }

  /// The text in the store.
  init(stored: String) { description = stored }

  public static let expected = "a day such as 2027-03-01, or a number of days such as 30d"

  private static let longest = 36_500

  public func hasPassed(by now: Date = Date()) -> Bool { description <= now.formatted(.iso8601) }

  public static func < (a: Self, b: Self) -> Bool { a.description < b.description }
}
