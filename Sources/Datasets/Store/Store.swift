import Foundation
import GRDB
import PoseModel

/// The SQLite file that holds imported datasets and the history of runs.
///
/// A cache of dataset folders, which can be deleted and filled again, except for the history. One transaction for sixteen
/// megabytes of clips and one a run: a process that is killed at any instant leaves every finished dataset and run, nothing
/// half there, and of an import all clips but the last thirty-two megabytes.
public final class Store: Sendable {
  public let path: String
  let queue: DatabaseQueue
  /// From which version of its tables the store was brought to which when it was opened; `nil` where nothing was to do.
  public let upgrade: (from: String, to: String)?

  /// Opens the store at `path`, making it and its folder where they are absent.
  ///
  /// - Throws: `StoreError`.
  public init(at path: String) throws {
    self.path = path
    try Self.makeFolder(of: path)
    // SQLite takes a file shorter than its smallest page for an empty store, which would hide a lost one.
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size == 0 || size >= 512 else {
      throw StoreError.damaged(path: path, detail: "only \(size) bytes long")
    }
    var configuration = Configuration()
    let patience = StorePatience(path)
    configuration.busyMode = .callback { patience.wait($0) }
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 16384")
      do { try Self.use(.log, in: db) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Another process is importing, and has it use the other journal.
      }
      // 64 MB: a large import waits for the disk every so often only.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
      // Clips are read where the system has them; more than this would count as memory of ours.
      try db.execute(sql: "PRAGMA mmap_size = \(192 << 20)")
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      guard try !queue.read({ try Self.isMade($0) && Self.schema.hasBeenSuperseded($0) }) else {
        throw StoreError.newerVersion(path: path)
      }
      upgrade = try Self.upgrade(queue)
      try finishErasing()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  private static func makeFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch let error as CocoaError {
      if error.code == .fileWriteVolumeReadOnly || error.code == .fileWriteNoPermission {
        throw StoreError.readOnly(path: path)
      }
      if error.code == .fileWriteOutOfSpace { throw StoreError.diskFull(path: path) }
      throw StoreError.cannotOpen(path: path, detail: "no folder \(folder) could be made there")
    }
  }

  /// Runs `body` in a transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.write(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.read(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }

  /// Runs a single statement that reads, without the four that a transaction around it takes.
  func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.unsafeRead(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }

  /// Makes the tables of a new store, or brings those of an older one up to date: all steps or, where one fails, none.
  ///
  /// In one transaction, since other processes may open the same new or old store at the same time.
  private static func upgrade(_ queue: DatabaseQueue) throws -> (from: String, to: String)? {
    guard try !queue.read({ try isMade($0) && schema.hasCompletedMigrations($0) }) else { return nil }
    var last: String?
    var reached: String?
    try queue.inTransaction(.immediate) { db in
      // Where the migrator keeps what has been done.
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      let applied = try schema.appliedIdentifiers(db)
      last = applied.max()
      for step in steps where !applied.contains(step.identifier) {
        try step.body(db)
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step.identifier])
        reached = step.identifier
      }
      return .commit
    }
    guard let last, let reached else { return nil }
    return (last, reached)
  }

  /// Whether there are tables. Asked before the migrator is, which fails where another process makes them just then.
  private static func isMade(_ db: Database) throws -> Bool { try db.tableExists("grdb_migrations") }

  private static var schema: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for step in steps { migrator.registerMigration(step.identifier, migrate: step.body) }
    return migrator
  }

  private struct Step {
    var identifier: String
    var body: @Sendable (Database) throws -> Void
  }

  private static var steps: [Step] {
    var steps: [Step] = []
    func step(_ identifier: String, _ body: @escaping @Sendable (Database) throws -> Void) {
      steps.append(Step(identifier: identifier, body: body))
    }
    step("1") { db in
      try db.execute(
        sql: """
          CREATE TABLE dataset (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            manifest TEXT NOT NULL,
            -- What it was read from: a hash of files' bytes, which tells an unchanged source without parsing it.
            source TEXT NOT NULL,
            -- The folder that it is a cache of; NULL where it was imported.
            folder TEXT,
            -- NULL until every clip is there.
            content TEXT
          );
          CREATE UNIQUE INDEX dataset_complete ON dataset(name) WHERE content IS NOT NULL;
          CREATE UNIQUE INDEX dataset_unfinished ON dataset(name) WHERE content IS NULL;
          CREATE TABLE clip (
            id INTEGER PRIMARY KEY,
            dataset INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            info TEXT NOT NULL,
            labels TEXT NOT NULL,
            hash BLOB NOT NULL,
            -- int64 microseconds a frame and float32 columns, little-endian; NULL for a clip with labels only.
            times BLOB,
            poses BLOB,
            UNIQUE (dataset, name)
          );
          CREATE TABLE run (
            id TEXT PRIMARY KEY,
            suite TEXT NOT NULL,
            created TEXT NOT NULL,
            results TEXT NOT NULL
          );
          CREATE INDEX run_suite ON run(suite, created);
          """)
    }
    step("2") { db in
      try db.execute(
        sql: """
          -- ISO 8601 in UTC; NULL for what may be kept.
          ALTER TABLE dataset ADD COLUMN expires TEXT;
          CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            time TEXT NOT NULL,
            who TEXT NOT NULL,
            action TEXT NOT NULL,
            dataset TEXT NOT NULL,
            content TEXT NOT NULL,
            detail TEXT NOT NULL,
            hash TEXT NOT NULL
          );
          CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
          BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
          CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
          BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
          -- Has a row while deleted rows may still be in the file or its journal.
          CREATE TABLE unerased (id INTEGER PRIMARY KEY);
          """)
    }
    step("3") { db in
      try db.execute(
        sql: """
          -- What runs were held against, each once.
          CREATE TABLE baseline (
            id TEXT PRIMARY KEY,
            content TEXT NOT NULL
          );
          -- JSON: revision, command, machine and versions; NULL for runs from before this column.
          ALTER TABLE run ADD COLUMN origin TEXT;
          -- The release that the run stands for; NULL for none.
          ALTER TABLE run ADD COLUMN release TEXT;
          ALTER TABLE run ADD COLUMN baseline TEXT REFERENCES baseline(id);
          """)
    }
    step("4") { db in
      try db.execute(
        sql: """
          -- The results without what is long: hundreds of runs are listed by it.
          ALTER TABLE run ADD COLUMN head TEXT NOT NULL DEFAULT '';
          -- What else a history reads of the results, so that it need not read them.
          CREATE TABLE run_metric (
            run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
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
            PRIMARY KEY (run, position)
          ) WITHOUT ROWID;
          CREATE INDEX run_metric_name ON run_metric(metric, detector, run);
          CREATE TABLE run_count (
            run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            detector TEXT NOT NULL,
            clip TEXT NOT NULL,
            subject TEXT NOT NULL,
            count INTEGER NOT NULL,
            truth INTEGER,
            PRIMARY KEY (run, position, detector)
          ) WITHOUT ROWID;
          """)
      for run in try String.fetchAll(db, sql: "SELECT id FROM run") { try Self.unfold(run: run, in: db) }
    }
    return steps
  }
}
