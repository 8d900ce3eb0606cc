import GRDB

/// Turns the tables of a store into those of an older version.
enum OlderStore {
  /// All runs in the same tables, without hashes.
  static func makeVersionFive(_ db: Database) throws {
    let parts = try Int64.fetchAll(db, sql: "SELECT id FROM run_part")
    try db.execute(
      sql: """
        DROP INDEX run_suite;
        ALTER TABLE run RENAME TO listed;
        CREATE TABLE baseline (id TEXT PRIMARY KEY, content TEXT NOT NULL);
        CREATE TABLE run (
          id TEXT PRIMARY KEY, suite TEXT NOT NULL, created TEXT NOT NULL, results TEXT NOT NULL, origin TEXT,
          release TEXT, baseline TEXT REFERENCES baseline(id), head TEXT NOT NULL DEFAULT '');
        CREATE INDEX run_suite ON run(suite, created);
        CREATE TABLE run_metric (
          run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL, detector TEXT NOT NULL,
          metric TEXT NOT NULL, unit TEXT NOT NULL, direction TEXT NOT NULL, value REAL, low REAL, high REAL,
          subjects INTEGER NOT NULL, clips INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (run, position)
        ) WITHOUT ROWID;
        CREATE TABLE run_count (
          run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL, detector TEXT NOT NULL,
          clip TEXT NOT NULL, subject TEXT NOT NULL, count INTEGER NOT NULL, truth INTEGER,
          PRIMARY KEY (run, position, detector)
        ) WITHOUT ROWID;
        """)
    for part in parts {
      try db.execute(sql: "INSERT OR IGNORE INTO baseline SELECT id, content FROM baseline_\(part)")
    }
    for (id, part) in try Row.fetchAll(db, sql: "SELECT id, part FROM listed ORDER BY number").map({
      ($0["id"] as String, $0["part"] as Int64)
    }) {
      try db.execute(
        sql: """
          INSERT INTO run SELECT listed.id, suite, created, results, origin, release, baseline, head
            FROM listed JOIN run_\(part) AS kept ON kept.id = listed.id WHERE listed.id = :id
          """, arguments: ["id": id])
    }
    for part in parts {
      try db.execute(
        sql: """
          INSERT INTO run_metric SELECT run, position, detector, metric, unit, direction, value, low, high, subjects,
            clips, result FROM run_metric_\(part);
          INSERT INTO run_count SELECT * FROM run_count_\(part);
          DROP TABLE run_metric_\(part);
          DROP TABLE run_count_\(part);
          DROP TABLE run_\(part);
          DROP TABLE baseline_\(part);
          """)
    }
    try db.execute(
      sql: """
        CREATE INDEX run_metric_name ON run_metric(metric, detector, run);
        DROP TABLE listed;
        DROP TABLE run_part;
        DROP INDEX dataset_complete;
        DROP INDEX dataset_unfinished;
        ALTER TABLE dataset DROP COLUMN base;
        ALTER TABLE dataset DROP COLUMN stamps;
        CREATE UNIQUE INDEX dataset_complete ON dataset(name) WHERE content IS NOT NULL;
        CREATE UNIQUE INDEX dataset_unfinished ON dataset(name) WHERE content IS NULL;
        PRAGMA user_version = 5;
        """)
  }
}
