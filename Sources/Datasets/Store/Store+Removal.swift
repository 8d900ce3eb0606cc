import Foundation
import GRDB

/// Whether what was removed is gone from every file of the store.
public enum Erasure: Hashable, Sendable {
  case complete
  /// It will be, when the store is next opened and nothing is in the way.
  case pending(reason: String)
}

extension Store {
  /// Removes datasets with all their clips, and leaves no byte of them in the store's files.
  ///
  /// The rows go in one transaction, which also writes it into the audit log. Then the file is built anew from what
  /// remains (`VACUUM`) and the journal is cut to nothing. Who is killed between the two leaves a mark, by which the next
  /// opening does the rest. What a file system or a disk keeps of overwritten files is beyond this, as are the names in
  /// the log and in runs.
  ///
  /// - Parameters:
  ///   - action: `removed` or `purged`.
  ///   - runs: of the history, that go with them.
  @discardableResult
  public func remove(
    _ datasets: [StoredDataset], _ action: AuditEntry.Action = .removed, runs: [String] = []
  ) throws -> Erasure {
    try write { db in
      for dataset in datasets {
        try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [dataset.id])
        let clips = "\(dataset.clipCount) clip\(dataset.clipCount == 1 ? "" : "s")"
        let expiry = dataset.expires.map { ", \(action == .purged ? "expired" : "expires") \($0)" } ?? ""
        try record(
          action, dataset, detail: clips + expiry + (dataset.content == nil ? " of an unfinished import" : ""), in: db)
      }
      for run in runs { try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [run]) }
      // What only these runs were held against names the same subjects.
      try db.execute(
        sql: "DELETE FROM baseline WHERE id NOT IN (SELECT baseline FROM run WHERE baseline IS NOT NULL)")
      try markUnerased(in: db)
    }
    return try erase()
  }

  /// The datasets that have expired, finished or not.
  public func expiredDatasets() throws -> [StoredDataset] {
    try datasets().filter { $0.expires?.hasPassed() ?? false }
  }

  /// The runs of the history that name a dataset, the newest first.
  public func runs(onDataset name: String) throws -> [(id: String, suite: String)] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, suite FROM run WHERE EXISTS (
            SELECT 1 FROM json_each(CASE json_valid(head) WHEN 1 THEN head ELSE '{}' END, '$.datasets')
            WHERE json_extract(value, '$.name') = ?) ORDER BY created DESC, id DESC
          """, arguments: [name]
      ).map { ($0["id"], $0["suite"]) }
    }
  }

  /// Clears whatever deleted rows have left in the file and its journal.
  ///
  /// - Throws: `StoreError` but for what only delays it: another process that is using the store, and a full disk.
  @discardableResult
  public func erase() throws -> Erasure {
    ScratchFolder.clear(beside: path)
    do {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "VACUUM")
        _ = try db.checkpoint(.truncate)
        try db.execute(sql: "DELETE FROM unerased")
        // Only the mark's own deletion can be left now.
        _ = try? db.checkpoint(.truncate)
      }
      return .complete
    } catch let error as DatabaseError {
      switch StoreError(error, path: path) {
      case .locked: return .pending(reason: "another process is using the store")
      case .diskFull: return .pending(reason: "the disk is full")
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

  /// Notes within a transaction that deletes rows that their bytes are still to be cleared.
  func markUnerased(in db: Database) throws { try db.execute(sql: "INSERT INTO unerased DEFAULT VALUES") }
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
