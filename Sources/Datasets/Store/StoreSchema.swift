import Foundation
import GRDB

/// The store's tables, created step by step. `PRAGMA user_version` counts a store's completed steps.
///
/// Stores of earlier versions have 0 there, and a table of GRDB's migrator with a row per step, which is only read.
enum StoreSchema {
  /// The number of steps for the tables of this version.
  static var version: Int { steps.count }

  /// The number of a store's completed steps: 0 if it has no tables yet.
  static func version(of db: Database) throws -> Int {
    if let version = try Int.fetchOne(db, sql: "PRAGMA user_version"), version > 0 { return version }
    guard try db.tableExists("grdb_migrations") else { return 0 }
    return max(0, try Int.fetchOne(db, sql: "SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations") ?? 0)
  }

  /// The `application_id` of a store ("FrmB" as bytes), from version 5 on.
  static let applicationID = 0x4672_6D42

  /// - Throws: `StoreError.foreign` for a file with another mark, and for a file without a mark that lacks the tables
  ///   of older versions, unless it has no tables and no version.
  static func requireOurs(_ db: Database, path: String) throws {
    // One snapshot for all checks: another process may be creating the store.
    try db.inTransaction(.deferred) {
      guard try !isOurs(db) else { return .commit }
      throw StoreError.foreign(path: path)
    }
  }

  private static func isOurs(_ db: Database) throws -> Bool {
    let mark = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    guard mark == 0 else { return mark == applicationID }
    func has(_ table: String, _ columns: String...) throws -> Bool {
      try Set(String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])).isSuperset(
        of: columns)
    }
    // A version without tables is another program's, which has numbered its own and not made them yet.
    let isNew =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
      && Int.fetchOne(db, sql: "PRAGMA user_version") == 0
    return try isNew
      || has("dataset", "name", "manifest", "source", "content")
        && has("clip", "dataset", "info", "labels", "hash", "poses") && has("run", "suite", "created", "results")
  }

  /// Creates the tables of a new store, or upgrades those of an older one: all steps or, if one fails, none.
  ///
  /// In one transaction, because other processes may open the same store at the same time.
  ///
  /// - Returns: The versions before and after; `nil` for a new store and if there was nothing to do.
  /// - Throws: `DatabaseError`, and `StoreError.newerVersion`.
  static func upgrade(_ queue: DatabaseQueue, path: String) throws -> (from: Int, to: Int)? {
    let found = try queue.read(version(of:))
    guard found <= version else { throw StoreError.newerVersion(path: path) }
    guard found < version else { return nil }
    var before = version
    try queue.inTransaction(.immediate) { db in
      before = try version(of: db)
      guard before < version else { return .commit }
      for step in steps[before...] { try step(db) }
      try db.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
    return before == 0 || before >= version ? nil : (before, version)
  }

  private static let steps: [@Sendable (Database) throws -> Void] = [
    { db in
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
    },
    { db in
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
    },
    { db in
      try db.execute(
        sql: """
          -- The baselines that runs were compared with, each once.
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
    },
    { db in
      try db.execute(
        sql: """
          -- The results without their long parts, to list hundreds of runs.
          ALTER TABLE run ADD COLUMN head TEXT NOT NULL DEFAULT '';
          -- The metrics of the results, to show a history without reading the results.
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
    },
    { db in
      try db.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          -- Whether the clips are in a table of their own, see `ClipRows`; older stores keep all clips in `clip`
          -- until a removal.
          ALTER TABLE dataset ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
          -- 1 for a removed dataset whose bytes are still to be cleared.
          ALTER TABLE dataset ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
          -- Whether rows of runs were deleted too.
          ALTER TABLE unerased ADD COLUMN runs INTEGER NOT NULL DEFAULT 0;
          -- Always empty. It numbers the datasets and never gives a number twice, not even a removed dataset's.
          CREATE TABLE dataset_number (id INTEGER PRIMARY KEY AUTOINCREMENT);
          INSERT INTO dataset_number SELECT ifnull(max(id), 0) FROM dataset;
          DELETE FROM dataset_number;
          """)
      if try Int.fetchOne(db, sql: "SELECT count(*) FROM dataset") == 0 { try db.execute(sql: "DROP TABLE clip") }
    },
    { db in
      try db.execute(
        sql: """
          -- SHA-256, see `RunHash`: of the run, of its part in lists of runs, of all its counts, of each metric.
          ALTER TABLE run ADD COLUMN hash BLOB;
          ALTER TABLE run ADD COLUMN head_hash BLOB;
          ALTER TABLE run ADD COLUMN counts_hash BLOB;
          ALTER TABLE run_metric ADD COLUMN hash BLOB;
          """)
    },
    { db in
      try db.execute(
        sql: """
          ALTER TABLE run RENAME TO run_0;
          ALTER TABLE baseline RENAME TO baseline_0;
          ALTER TABLE run_metric RENAME TO run_metric_0;
          ALTER TABLE run_count RENAME TO run_count_0;
          DROP INDEX run_suite;
          -- The datasets of runs whose results are in tables of their own, see `RunPart`.
          CREATE TABLE run_part (
            id INTEGER PRIMARY KEY,
            -- The names as a JSON list; NULL for runs on any datasets and for removed runs.
            datasets TEXT UNIQUE,
            -- 1 for removed runs whose bytes are still to be cleared.
            removed INTEGER NOT NULL DEFAULT 0
          );
          CREATE TABLE run (
            -- In the order in which they were added.
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            suite TEXT NOT NULL,
            created TEXT NOT NULL,
            part INTEGER NOT NULL REFERENCES run_part(id),
            -- SHA-256, see `RunHash`: of the run, of its part in lists of runs, of all its counts.
            hash BLOB,
            head_hash BLOB,
            counts_hash BLOB
          );
          CREATE INDEX run_suite ON run(suite, created);
          INSERT INTO run_part (id) VALUES (0);
          INSERT INTO run SELECT rowid, id, suite, created, 0, hash, head_hash, counts_hash FROM run_0;
          """)
      try Store.complete(.mixed, db)
      if try Int.fetchOne(db, sql: "SELECT count(*) FROM run") == 0 { try RunPart.mixed.drop(in: db) }
    },
    { db in
      try db.execute(
        sql: """
          -- JSON, see `SyncBase`: an imported dataset and its folder when they were last alike; NULL before that.
          ALTER TABLE dataset ADD COLUMN base TEXT;
          -- See `FileStamps`, of the folder that it is a cache of; NULL before that is read again.
          ALTER TABLE dataset ADD COLUMN stamps TEXT;
          -- An imported dataset and the cache of a folder may have one name.
          DROP INDEX dataset_complete;
          DROP INDEX dataset_unfinished;
          CREATE UNIQUE INDEX dataset_complete ON dataset(name, folder IS NULL) WHERE content IS NOT NULL;
          CREATE UNIQUE INDEX dataset_unfinished ON dataset(name, folder IS NULL) WHERE content IS NULL;
          """)
    },
  ]
}
