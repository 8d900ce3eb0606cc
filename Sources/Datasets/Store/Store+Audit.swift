import GRDB

extension Store {
  /// Everything that was imported, exported or removed.
  public func auditLog() throws -> AuditLog {
    try read { db in
      let entries = try Row.fetchAll(db, sql: "SELECT * FROM audit ORDER BY number").map { row in
        AuditEntry(
          number: row["number"], time: row["time"], who: row["who"],
          action: try AuditEntry.Action(rawValue: row["action"]) ?? unknown(row["action"]), dataset: row["dataset"],
          content: row["content"], detail: row["detail"], hash: row["hash"])
      }
      // SQLite counts the numbers that it has given, also those of rows that are gone.
      let issued = try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'audit'") ?? 0
      return AuditLog(entries, issued: issued)
    }
  }

  /// Writes down that a dataset was exported.
  ///
  /// - Parameter detail: where to and in which form.
  public func recordExport(of dataset: StoredDataset, detail: String) throws {
    try write { db in try record(.exported, dataset, detail: detail, in: db) }
  }

  func record(_ action: AuditEntry.Action, _ dataset: StoredDataset, detail: String, in db: Database) throws {
    try record(
      action, dataset: dataset.manifest.name, content: dataset.content?.description ?? "", detail: detail, in: db)
  }

  /// Adds an entry in the transaction of what it tells, so that neither is there without the other.
  func record(
    _ action: AuditEntry.Action, dataset: String, content: String, detail: String, in db: Database
  ) throws {
    let last = try Row.fetchOne(db, sql: "SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1")
    let entry = AuditEntry(
      after: last.map { ($0["number"], $0["hash"]) }, action, dataset: dataset, content: content, detail: detail)
    try db.execute(
      sql: """
        INSERT INTO audit (number, time, who, action, dataset, content, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        entry.number, entry.time, entry.who, action.rawValue, dataset, content, detail, entry.hash,
      ])
  }

  private func unknown(_ action: String) throws -> AuditEntry.Action {
    throw StoreError.damaged(path: path, detail: "an audit entry of \(Excerpt.of(action))")
  }
}
