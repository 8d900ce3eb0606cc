import Datasets
import Files
import Foundation
import GRDB
import PoseModel
import Testing

/// What stays of a dataset that was removed: nothing but a line of the log.
@Suite final class RemovalTests {
  let folder = NSTemporaryDirectory() + "removal-" + UUID().uuidString
  var path: String { folder + "/store.sqlite" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A dataset of one person, whose name and one of whose coordinates are found nowhere else.
  private struct Person: DatasetSource {
    let name: String
    let subject: String
    let coordinate: Float
    var clipCount: Int { 40 }

    var manifest: Manifest {
      Manifest(
        name: name, version: "1", licence: "none", source: "a test of \(subject)", origin: .recorded,
        skeleton: "coco-17", coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down), channels: [.x, .y])
    }

    func digest() throws -> ContentHash {
      try #require(ContentHash(String(repeating: coordinate > 0 ? "a" : "b", count: 64)))
    }

    func clip(_ index: Int) throws -> Clip {
      // Some clips are longer than a page, some shorter, some in between.
      let frames = 1 + index * 7
      return Clip(
        info: Clip.Info(
          name: "\(subject)_\(index)", subject: subject, exercise: "squat", view: "side", fps: 30, split: ""),
        keypoints: Keypoints(
          times: (0..<frames).map { Microseconds(frame: $0, rate: 30) }, keypointCount: 17, channels: [.x, .y],
          values: [Float](repeating: coordinate, count: frames * 34)),
        labels: GroundTruth(grades: [
          GroundTruth.Grade(rep: nil, rater: "rater-of-\(subject)", criterion: "form", value: 5)
        ]))
    }
  }

  private let anna = Person(name: "march", subject: "Anna-Kowalska", coordinate: 0.7182817)
  private let bert = Person(name: "april", subject: "Bert-Lindqvist", coordinate: -0.3141592)

  /// Whether a name and a coordinate of a person stand in the bytes of any file beside the store.
  private func traces(of person: Person) throws -> [Bool] {
    // Twice in a row, which no other four bytes give by chance.
    let float = withUnsafeBytes(of: person.coordinate) { Data($0) }
    let patterns = [Data(person.subject.utf8), float + float]
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).map {
      try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))
    }
    return patterns.map { pattern in files.contains { $0.range(of: pattern) != nil } }
  }

  @Test func noByteStaysInAnyFileOfTheStore() throws {
    let store = try Store(at: path)
    try store.importing(anna)
    try store.importing(bert)
    #expect(try traces(of: anna) == [true, true])
    let dataset = try #require(try store.datasets().first { $0.manifest.name == "march" })
    #expect(try store.remove([dataset]) == .complete)
    #expect(try traces(of: anna) == [false, false])
    // Another's recordings are as they were.
    #expect(try traces(of: bert) == [true, true])
    let left = try #require(try Store(at: path).datasets().first)
    #expect(try store.clips(of: left).count == 40)
    #expect(try traces(of: anna) == [false, false])
  }

  @Test func whatAReaderHeldBackGoesWithTheNextOpening() throws {
    let store = try Store(at: path)
    try store.importing(anna)
    let dataset = try #require(try store.datasets().first)
    let reader = try DatabaseQueue(path: path)
    let erasure = try reader.inDatabase { db in
      // A transaction that has read keeps its view of the file.
      try db.beginTransaction(.deferred)
      _ = try Row.fetchOne(db, sql: "SELECT * FROM dataset")
      defer { try? db.rollback() }
      return try store.remove([dataset])
    }
    #expect(erasure == .pending(reason: "another process is using the store"))
    try reader.close()
    #expect(try traces(of: anna) == [true, true])
    #expect(try store.datasets().isEmpty)
    _ = try Store(at: path)
    #expect(try traces(of: anna) == [false, false])
  }

  @Test func anImportThatFailedLeavesNothingAfterTheNextOpening() throws {
    struct Broken: DatasetSource {
      let base: Person
      var manifest: Manifest { base.manifest }
      var clipCount: Int { base.clipCount }
      func digest() throws -> ContentHash { try base.digest() }
      func clip(_ index: Int) throws -> Clip {
        if index == 20 { throw DataError(file: "c", expected: "a clip", found: "none") }
        return try base.clip(index)
      }
    }
    #expect(throws: DataError.self) { try Store(at: path).importing(Broken(base: anna)) }
    _ = try Store(at: path)
    #expect(try traces(of: anna) == [false, false])
  }

  @Test func theLogTellsWhatWasDoneAndNoMore() throws {
    let store = try Store(at: path)
    let content = try store.importing(anna, expires: Expiry("2027-03-01")).content
    let dataset = try #require(try store.datasets().first)
    try store.recordExport(of: dataset, detail: "40 clips to there")
    try store.importing(anna, expires: Expiry("2027-04-01"))
    let kept = try #require(try store.datasets().first)
    #expect(kept.expires?.description == "2027-04-01T00:00:00Z")
    try store.remove([kept], .purged)
    let log = try store.auditLog()
    #expect(log.damage == nil)
    #expect(log.entries.map(\.action) == [.imported, .exported, .kept, .purged])
    #expect(
      log.entries.map(\.detail) == [
        "40 clips, expires 2027-03-01T00:00:00Z", "40 clips to there", "expires 2027-04-01T00:00:00Z",
        "40 clips, expired 2027-04-01T00:00:00Z",
      ])
    #expect(log.entries.allSatisfy { $0.dataset == "march" && $0.content == content.description && !$0.who.isEmpty })
    #expect(log.head == log.entries[3].hash)
    // A cache of a folder is no import.
    try store.importing(bert, cacheOf: "/there")
    #expect(try store.auditLog().entries.count == 4)
  }

  @Test func whoeverChangesTheLogIsFoundOut() throws {
    try Store(at: path).importing(anna)
    let store = try Store(at: path)
    try store.importing(bert)
    try store.recordExport(of: #require(try store.datasets().first), detail: "there")
    let queue = try DatabaseQueue(path: path)
    #expect(throws: DatabaseError.self) {
      try queue.write { try $0.execute(sql: "UPDATE audit SET who = 'nobody'") }
    }
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "DELETE FROM audit") } }
    try queue.write { db in
      try db.execute(sql: "DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_shortened")
    }
    func damage(_ sql: String) throws -> String? {
      try queue.inDatabase { db in
        try db.beginTransaction()
        try db.execute(sql: sql)
        try db.commit()
      }
      return try store.auditLog().damage
    }
    #expect(
      try damage("UPDATE audit SET detail = '41 clips' WHERE number = 1")?.hasPrefix("entry 1 with another hash")
        == true)
    #expect(try damage("UPDATE audit SET detail = '40 clips' WHERE number = 1") == nil)
    #expect(
      try damage("DELETE FROM audit WHERE number = 3") == "2 of 3 entries, as those at the end are missing")
    #expect(
      try damage("DELETE FROM audit WHERE number = 1")
        == "entry 2 where entry 1 should be, as entries before it are missing")
  }

  @Test func runsOnADatasetAreFoundByItsName() throws {
    let store = try Store(at: path)
    for (id, name) in [("a", "march"), ("b", "april"), ("c", "marching")] {
      try store.add(
        StoredRun(
          id: id, suite: "squat", created: "2026-01-02T03:04:05Z",
          results: #"{"datasets":[{"name":"other"},{"name":"\#(name)"}]}"#))
    }
    try store.add(StoredRun(id: "d", suite: "squat", created: "2026-01-02T03:04:05Z", results: "no JSON"))
    #expect(try store.runs(onDataset: "march").map(\.id) == ["a"])
    try store.remove([], runs: ["a"])
    #expect(try store.runs(ofSuite: "squat").map(\.id) == ["d", "c", "b"])
  }

  /// The tables as the first version made them, with GRDB's own note of which version they are.
  private func makeFirstVersion(and more: String = "") throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let info = #"{"exercise":"squat","fps":30,"name":"c1","split":"","subject":"s","view":"side"}"#
    let manifest = try JSONEncoder().encode(anna.manifest)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1');
          CREATE TABLE dataset (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, manifest TEXT NOT NULL, source TEXT NOT NULL, folder TEXT,
            content TEXT);
          CREATE UNIQUE INDEX dataset_complete ON dataset(name) WHERE content IS NOT NULL;
          CREATE UNIQUE INDEX dataset_unfinished ON dataset(name) WHERE content IS NULL;
          CREATE TABLE clip (
            id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
            name TEXT NOT NULL, info TEXT NOT NULL, labels TEXT NOT NULL, hash BLOB NOT NULL, times BLOB, poses BLOB,
            UNIQUE (dataset, name));
          CREATE TABLE run (
            id TEXT PRIMARY KEY, suite TEXT NOT NULL, created TEXT NOT NULL, results TEXT NOT NULL);
          CREATE INDEX run_suite ON run(suite, created);
          INSERT INTO run VALUES ('r', 'squat', '2026-01-02T03:04:05Z', '{}');
          """ + more)
      try db.execute(
        sql: "INSERT INTO dataset VALUES (1, 'march', ?, 'x', NULL, ?)",
        arguments: [String(decoding: manifest, as: UTF8.self), "sha256:" + String(repeating: "0", count: 64)])
      try db.execute(
        sql: "INSERT INTO clip VALUES (1, 1, 'c1', ?, ?, x'00', NULL, NULL)",
        arguments: [info, #"{"events":[],"faults":[],"grades":[],"intervals":[]}"#])
    }
    try queue.close()
  }

  /// The last of the steps finds a table of its name.
  @Test func aStoreThatCanNotBeTakenOverStaysAsItWas() throws {
    try makeFirstVersion(and: "CREATE TABLE run_count (other TEXT);")
    let queue = try DatabaseQueue(path: path)
    func contents() throws -> [String] {
      try queue.read { db in
        try ["sql FROM sqlite_master ORDER BY name", "identifier FROM grdb_migrations", "name FROM dataset"].flatMap {
          try Row.fetchAll(db, sql: "SELECT \($0)").map { "\($0)" }
        }
      }
    }
    let before = try contents()
    for _ in 0..<2 {
      #expect(throws: StoreError.self) { try Store(at: path) }
      #expect(try contents() == before)
    }
    try queue.write { try $0.execute(sql: "DROP TABLE run_count") }
    try queue.close()
    #expect(try Store(at: path).upgrade?.from == 1)
  }

  /// Whether a program of before or of now has counted the versions.
  @Test(arguments: ["INSERT INTO grdb_migrations VALUES ('99');", "PRAGMA user_version = 99;"])
  func aStoreOfANewerVersionIsRefused(_ sql: String) throws {
    try makeFirstVersion(and: sql)
    #expect(throws: StoreError.newerVersion(path: path)) { try Store(at: path) }
  }

  /// What GRDB's migrator has written is read only, and the version is not in its table any more.
  @Test func theVersionOfAStoreIsItsUserVersion() throws {
    try makeFirstVersion()
    _ = try Store(at: path)
    let queue = try DatabaseQueue(path: path)
    let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    let rows = try queue.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
    #expect(version == 4)
    #expect(rows == ["1"])
  }

  /// As the version before this one left them.
  @Test func aStoreWhoseVersionsGRDBHasCountedIsOpened() throws {
    _ = try Store(at: path)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1'), ('2'), ('3'), ('4');
          PRAGMA user_version = 0;
          """)
    }
    try queue.close()
    #expect(try Store(at: path).upgrade == nil)
  }

  @Test func aStoreOfTheFirstVersionIsTakenOver() throws {
    try makeFirstVersion()
    let store = try Store(at: path)
    #expect(store.upgrade?.from == 1)
    #expect(store.upgrade?.to == 4)
    #expect(try Store(at: path).upgrade == nil)
    let dataset = try #require(try store.datasets().first)
    #expect(dataset.expires == nil)
    #expect(try store.clips(of: dataset).map(\.info.name) == ["c1"])
    #expect(try store.runs(ofSuite: "squat").map(\.id) == ["r"])
    #expect(try store.auditLog().entries.isEmpty)
    try store.remove([dataset])
    #expect(try store.auditLog().entries.map(\.action) == [.removed])
  }
}

@Suite struct ExpiryTests {
  // 2026-11-21T23:59:59Z
  private let now = Date(timeIntervalSince1970: 1_795_305_599)

  @Test func daysCountFromNow() {
    #expect(Expiry("1d", now: now)?.description == "2026-11-22T23:59:59Z")
    #expect(Expiry("30d", now: now)?.description == "2026-12-21T23:59:59Z")
  }

  @Test func aDayBeginsInUTC() throws {
    let expiry = try #require(Expiry("2026-11-22"))
    #expect(expiry.description == "2026-11-22T00:00:00Z")
    #expect(!expiry.hasPassed(by: now))
    #expect(expiry.hasPassed(by: now.addingTimeInterval(1)))
  }

  @Test(arguments: ["", "30", "d", "0d", "-1d", "1.5d", "99999d", "2026-02-31", "2026-2-1", "01.02.2026", "tomorrow"])
  func whatIsNoDateIsRefused(_ text: String) { #expect(Expiry(text) == nil) }
}
