import Files
import Foundation
import GRDB

/// One line of the store's audit log: the user, the action, the dataset and the time. It never contains a pose or a
/// label.
///
/// Each entry contains a hash over itself and the previous hash, which reveals changed, inserted or deleted entries. A
/// user who can write the file can also write a whole new chain, or cut off its end; only a copy of the last hash kept
/// elsewhere reveals that.
///
/// - Source: Schneier and Kelsey, Secure Audit Logs to Support Computer Forensics, ACM TISSEC, 1999.
public struct AuditEntry: Codable, Hashable, Sendable {
  public enum Action: String, Codable, Hashable, Sendable {
    case imported = "import"
    case exported = "export"
    case removed = "remove"
    /// An expired dataset was removed.
    case purged = "purge"
    /// An existing dataset got a new expiry date.
    case kept = "expiry"
    /// Clips got new labels.
    case labelled = "label"
    /// A dataset and its folder got each other's changes.
    case synced = "sync"
  }

  /// The entry's number, from 1 without gaps.
  public let number: Int
  /// The time, ISO 8601 in UTC.
  public let time: String
  /// The login of the user who ran the command, and the machine: `anna@laptop`.
  public let who: String
  public let action: Action
  public let dataset: String
  /// The dataset's content hash; empty for an unfinished import.
  public let content: String
  /// Further details, as text.
  public let detail: String
  /// The entry's hash, 64 hexadecimal digits.
  public let hash: String

  /// The predecessor of the first entry.
  static let beginning = String(repeating: "0", count: 64)

  /// The expected hash of the entry after a given previous hash.
  func expectedHash(after previous: String) -> String {
    let hash = SHA256()
    for text in ["audit 1", previous, "\(number)", time, who, action.rawValue, dataset, content, detail] {
      hash.update(text)
    }
    return ContentHash(hash.finish()).hex
  }

  /// The next entry of a chain, for the current user and time.
  init(after last: (number: Int, hash: String)?, _ action: Action, dataset: String, content: String, detail: String) {
    let unsigned = AuditEntry(
      number: (last?.number ?? 0) + 1, time: Date().formatted(.iso8601), who: Self.currentUser, action: action,
      dataset: dataset, content: content, detail: detail, hash: "")
    self = AuditEntry(
      number: unsigned.number, time: unsigned.time, who: unsigned.who, action: action, dataset: dataset,
      content: content, detail: detail, hash: unsigned.expectedHash(after: last?.hash ?? Self.beginning))
  }

  init(
    number: Int, time: String, who: String, action: Action, dataset: String, content: String, detail: String,
    hash: String
  ) {
    self.number = number
    self.time = time
    self.who = who
    self.action = action
    self.dataset = dataset
    self.content = content
    self.detail = detail
    self.hash = hash
  }

  private static var currentUser: String {
    let login = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
    var host = [CChar](repeating: 0, count: 256)
    guard gethostname(&host, host.count - 1) == 0 else { return login }
    return "\(login)@\(String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))"
  }
}

/// The audit log, and whether it was tampered with.
public struct AuditLog: Sendable {
  /// The oldest first.
  public let entries: [AuditEntry]
  /// The evidence of tampering; `nil` for none.
  public let damage: String?

  init(_ entries: [AuditEntry], issued: Int) {
    self.entries = entries
    var previous = AuditEntry.beginning
    var damage: String?
    for (index, entry) in entries.enumerated() where damage == nil {
      if entry.number != index + 1 {
        damage = "entry \(entry.number) in place of entry \(index + 1): earlier entries are missing"
      } else if entry.hash != entry.expectedHash(after: previous) {
        damage = "entry \(entry.number) was changed: its hash is wrong"
      }
      previous = entry.hash
    }
    if damage == nil, issued != entries.count {
      damage = "\(entries.count) of \(issued) entries: the last ones are missing"
    }
    self.damage = damage
  }

  /// The last entry's hash, which identifies the whole log.
  public var head: String? { entries.last?.hash }
}

extension Store {
  /// All imports, exports, removals and changes.
  public func auditLog() throws -> AuditLog {
    try read { db in
      let entries = try Row.fetchAll(db, sql: "SELECT * FROM audit ORDER BY number").map { row in
        let action: String = try row.value("action")
        return AuditEntry(
          number: try row.value("number"), time: try row.value("time"), who: try row.value("who"),
          action: try AuditEntry.Action(rawValue: action) ?? unknown(action), dataset: try row.value("dataset"),
          content: try row.value("content"), detail: try row.value("detail"), hash: try row.value("hash"))
      }
      // SQLite counts all numbers that it has issued, also those of deleted rows.
      let issued = try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'audit'") ?? 0
      return AuditLog(entries, issued: issued)
    }
  }

  /// Records that a dataset was exported.
  ///
  /// - Parameter detail: The destination and form.
  public func recordExport(of dataset: StoredDataset, detail: String) throws {
    try write { db in try record(.exported, dataset, detail: detail, in: db) }
  }

  func record(_ action: AuditEntry.Action, _ dataset: StoredDataset, detail: String, in db: Database) throws {
    try record(
      action, dataset: dataset.manifest.name, content: dataset.content?.description ?? "", detail: detail, in: db)
  }

  /// Adds an entry in the transaction of the change it describes: both are stored or neither.
  func record(
    _ action: AuditEntry.Action, dataset: String, content: String, detail: String, in db: Database
  ) throws {
    let last: (number: Int, hash: String)? = try Row.fetchOne(
      db, sql: "SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1"
    ).map { (try $0.value("number"), try $0.value("hash")) }
    guard last.map({ $0.number < .max }) ?? true else {
      throw StoreError.damaged(path: path, detail: "the audit log has no number left")
    }
    let entry = AuditEntry(after: last, action, dataset: dataset, content: content, detail: detail)
    try db.execute(
      sql: """
        INSERT INTO audit (number, time, who, action, dataset, content, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        entry.number, entry.time, entry.who, action.rawValue, dataset, content, detail, entry.hash,
      ])
  }

  private func unknown(_ action: String) throws -> AuditEntry.Action {
    throw StoreError.damaged(path: path, detail: "unknown audit action \(Excerpt.of(action))")
  }
}
