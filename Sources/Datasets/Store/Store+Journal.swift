import GRDB

extension Store {
  /// How SQLite makes sure that a transaction is there whole or not at all.
  enum Journal {
    /// Changes go into a log and later into the file, so that nobody who reads waits for who writes.
    case log
    /// What is overwritten goes into a journal first. What is appended, as nearly all of an import is, is written once
    /// instead of twice and not summed up. Who reads waits for who writes.
    case rollback
  }

  /// Has all later transactions use a journal, where no other process has the store open; otherwise all stays as it is.
  ///
  /// Nothing but speed depends on which it is: whoever opens the store finds out, and cleans up after whoever was killed.
  func use(_ journal: Journal) {
    try? queue.writeWithoutTransaction { try Self.use(journal, in: $0) }
  }

  static func use(_ journal: Journal, in db: Database) throws {
    switch journal {
    case .log:
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // The log is brought to the disk before it goes into the file, which is enough.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
    case .rollback:
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }
}
