import Foundation
import GRDB

/// Whether what was removed is gone from every file of the store.
public enum Erasure: Hashable, Sendable {
  case complete
  /// It will be, when the store is next opened and nothing is in the way.
  case pending(reason: String)
}

/// What a removal took away.
public struct Removal: Sendable {
  public let datasets: [StoredDataset]
  /// Of the history, the newest first.
  public let runs: [(id: String, suite: String)]
  public let erasure: Erasure
}

extension Store {
  /// Removes datasets with all their clips, and leaves no byte of them in the store's files.
  ///
  /// One transaction takes them away and writes it into the audit log; then their bytes are cleared, see `erase()`. Who is
  /// killed between the two leaves a mark, by which the next opening does the rest. What a file system or a disk keeps of
  /// overwritten files is beyond this, as are the names in the log and in runs.
  ///
  /// - Parameters:
  ///   - action: `removed`, or `purged` for those that have expired; others are then left.
  ///   - names: of datasets whose runs go too, also where the dataset is gone already.
  @discardableResult
  public func remove(
    _ datasets: [StoredDataset], _ action: AuditEntry.Action = .removed, runsOn names: [String] = []
  ) throws -> Removal {
    let (removed, runs) = try write { db in
      // As they are now: another process may have removed one, or set another date of expiry.
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
        let own = try self.runs(onDataset: name, in: db).filter { run in !runs.contains { $0.id == run.id } }
        for run in own { try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [run.id]) }
        if !own.isEmpty {
          let detail = "\(own.count) run\(own.count == 1 ? "" : "s") of the history"
          try record(action, dataset: name, content: "", detail: detail, in: db)
        }
        runs += own
      }
      if !runs.isEmpty {
        // What only these runs were held against names the same subjects.
        try db.execute(
          sql: "DELETE FROM baseline WHERE id NOT IN (SELECT baseline FROM run WHERE baseline IS NOT NULL)")
        try db.execute(sql: "INSERT INTO unerased (runs) VALUES (1)")
      }
      return (removed, runs)
    }
    return Removal(datasets: removed, runs: runs, erasure: try erase())
  }

  /// Takes datasets away within a transaction: from then on nothing finds them, and `erase()` clears their bytes.
  ///
  /// Their clips are not deleted here, as the log of a transaction is as large as what it clears.
  func discard(_ datasets: [StoredDataset], in db: Database) throws {
    for dataset in datasets {
      try db.execute(
        sql: """
          UPDATE dataset SET removed = 1, name = '#' || id, manifest = '', source = '', folder = NULL, content = NULL,
            expires = NULL
          WHERE id = ?
          """, arguments: [dataset.id])
    }
    if !datasets.isEmpty { try db.execute(sql: "INSERT INTO unerased DEFAULT VALUES") }
  }

  /// The datasets that have expired, finished or not.
  public func expiredDatasets() throws -> [StoredDataset] {
    try datasets().filter { $0.expires?.hasPassed() ?? false }
  }

  /// The runs of the history that name a dataset, the newest first.
  public func runs(onDataset name: String) throws -> [(id: String, suite: String)] {
    try read { db in try runs(onDataset: name, in: db) }
  }

  private func runs(onDataset name: String, in db: Database) throws -> [(id: String, suite: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, suite FROM run WHERE EXISTS (
          SELECT 1 FROM json_each(CASE json_valid(head) WHEN 1 THEN head ELSE '{}' END, '$.datasets')
          WHERE json_extract(value, '$.name') = ?) ORDER BY created DESC, id DESC
        """, arguments: [name]
    ).map { ($0["id"], $0["suite"]) }
  }

  /// Clears whatever was removed from the file and its journal, and gives its room back to the disk.
  ///
  /// Clips are deleted a few megabytes at a time, which SQLite overwrites with zeros (`secure_delete`). What lies at the end
  /// of the file then moves into the free pages, and the file is cut, again piece by piece (`incremental_vacuum`). So the
  /// time and the room that it takes depend on what was removed and not on what remains. Tables in which rows of what
  /// remains and of what was removed stood side by side are written anew: that of the datasets, which is small, and, where
  /// runs were removed, those of the history.
  ///
  /// - Throws: `StoreError` but for what only delays it: another process that is using the store, and a full disk.
  @discardableResult
  public func erase() throws -> Erasure {
    ScratchFolder.clear(beside: path)
    do {
      let mark = try read { db in try Row.fetchOne(db, sql: "SELECT max(id) AS id, max(runs) AS runs FROM unerased") }
      try clearRemoved()
      try splitClips()
      if let mark, let id = mark["id"] as Int64? {
        try write { db in
          try rebuild(["dataset"], in: db)
          if mark["runs"] == 1 { try rebuild(["run_count", "run_metric", "run", "baseline"], in: db) }
        }
        try giveBack()
        try emptyLog()
        // Those of other processes stay, which came meanwhile.
        try write { db in try db.execute(sql: "DELETE FROM unerased WHERE id <= ?", arguments: [id]) }
      } else {
        try giveBack()
      }
      // Only the mark's own deletion can be left now.
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.truncate) }
      return .complete
    } catch {
      switch (error as? DatabaseError).map({ StoreError($0, path: path) }) ?? error {
      case StoreError.locked: return .pending(reason: "another process is using the store")
      case StoreError.diskFull: return .pending(reason: "the disk is full")
      case let other: throw other
      }
    }
  }

  /// Does what a process that was killed, or stood in another's way, has left to do.
  func finishErasing() throws {
    ScratchFolder.clear(beside: path)
    let isPending = try read { db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM unerased)") ?? false }
    // Where it does not work now, it will another time; what is wrong with the store other calls tell.
    if isPending { _ = try? erase() }
  }

  /// As much as is cleared in one transaction, bytes: so large becomes the log beside the store.
  private static let pieceSize = 1 << 24

  /// Calls `body` with a size until it says that all is done, bringing the log into the file after each time.
  ///
  /// With less room on the disk than a piece takes it goes on with smaller ones.
  private func inPieces(_ body: (Database, Int) throws -> Bool) throws {
    var size = Self.pieceSize
    while true {
      do {
        if try write({ db in try body(db, size) }) { return }
      } catch StoreError.diskFull where size > 0 {
        size = size > 1 << 14 ? size / 4 : 0
      }
      // Another process may be at it.
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.passive) }
    }
  }

  /// Deletes the clips of removed datasets.
  private func clearRemoved() throws {
    let removed = try read { db in
      try Row.fetchAll(db, sql: "SELECT id, own FROM dataset WHERE removed").map {
        ClipRows(dataset: $0["id"], areOwn: $0["own"])
      }
    }
    for rows in removed {
      try inPieces { db, size in
        if try rows.exist(in: db) {
          let (ids, isLast) = try piece(of: rows, size: size, in: db)
          for id in ids { try db.execute(sql: "DELETE FROM \(rows.table) WHERE id = ?", arguments: [id]) }
          guard isLast else { return false }
          if rows.areOwn { try db.execute(sql: "DROP TABLE \(rows.table)") }
        }
        try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [rows.dataset])
        return true
      }
    }
  }

  /// At least one clip, and as many as make up a size, and whether these are all.
  private func piece(of rows: ClipRows, size: Int, in db: Database) throws -> (clips: [Int64], isLast: Bool) {
    var (ids, bytes) = ([Int64](), 0)
    let found = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, ifnull(length(times), 0) + ifnull(length(poses), 0) AS size FROM \(rows.table) WHERE dataset = ?
        """, arguments: [rows.dataset])
    while let row = try found.next() {
      guard ids.isEmpty || bytes < size && ids.count < 1000 else { return (ids, false) }
      ids.append(row["id"])
      bytes += row["size"] as Int
    }
    return (ids, true)
  }

  /// Gives every dataset of an older version's store a table of its own, and has SQLite keep track of free pages: the file
  /// is written anew for that, once. A copy of it lies meanwhile beside the store.
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
      let folder = (path as NSString).deletingLastPathComponent
      // The folder is the whole process's, but nothing else in it keeps such files on the disk.
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

  /// Writes tables anew, so that their pages hold nothing but their rows.
  ///
  /// - Parameter tables: those that refer to others before these.
  private func rebuild(_ tables: [String], in db: Database) throws {
    let schemas = try tables.map { table in
      try String.fetchAll(
        db,
        sql: "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC",
        arguments: [table])
    }
    for table in tables { try db.execute(sql: "CREATE TABLE kept_\(table) AS SELECT * FROM \(table)") }
    for table in tables { try db.execute(sql: "DROP TABLE \(table)") }
    for (table, schema) in zip(tables, schemas).reversed() {
      for statement in schema { try db.execute(sql: statement) }
      try db.execute(sql: "INSERT INTO \(table) SELECT * FROM kept_\(table); DROP TABLE kept_\(table)")
    }
  }

  /// Brings the log into the file and cuts it to nothing.
  ///
  /// SQLite waits for readers, but not for another process that brings the log into the file too.
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

  /// Gives the file's free pages back to the disk.
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

/// The instant from which a dataset may no longer be kept.
public struct Expiry: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// ISO 8601 in UTC with whole seconds, which sorts as its instants do.
  public let description: String

  /// - Parameter text: a day as `2027-03-01`, from whose beginning in UTC on it has expired, or a number of days from
  ///   `now` as `30d`; `nil` for anything else.
  public init?(_ text: String, now: Date = Date()) {
    if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...Self.longest).contains(days) {
      description = now.addingTimeInterval(Double(days) * 86_400).formatted(.iso8601)
    } else {
      // The parser alone would take the 31st of February for the 3rd of March.
      let day = Date.ISO8601FormatStyle().year().month().day()
      guard text.count == 10, let date = try? day.parse(text), date.formatted(day) == text else { return nil }
      description = date.formatted(.iso8601)
    }
  }

  /// As the store holds it.
  init(stored: String) { description = stored }

  public static let expected = "a day such as 2027-03-01, or a number of days such as 30d"

  private static let longest = 36_500

  public func hasPassed(by now: Date = Date()) -> Bool { description <= now.formatted(.iso8601) }

  public static func < (a: Self, b: Self) -> Bool { a.description < b.description }
}
