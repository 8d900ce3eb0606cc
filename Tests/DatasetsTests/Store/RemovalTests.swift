import Datasets
import Files
import Foundation
import GRDB
import PoseModel
import TestSupport
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
    #expect(try store.remove([dataset]).erasure == .complete)
    #expect(try traces(of: anna) == [false, false])
    // Another's recordings are as they were.
    #expect(try traces(of: bert) == [true, true])
    let left = try #require(try Store(at: path).datasets().first)
    #expect(try store.clips(of: left).count == 40)
    #expect(try traces(of: anna) == [false, false])
  }

  /// What a removal writes depends on what is removed: of all other pages of the file most stay as they are and where they
  /// are.
  @Test func aRemovalLeavesTheRestOfTheFileAlone() throws {
    let store = try Store(at: path)
    for number in 0..<8 {
      try store.importing(Person(name: "n\(number)", subject: "subject-\(number)", coordinate: 0.25 + Float(number)))
    }
    func pages() throws -> [Data] {
      try DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return stride(from: 0, to: bytes.count, by: 16_384).map { bytes[$0..<min($0 + 16_384, bytes.count)] }
    }
    let before = try pages()
    try store.remove([try #require(try store.datasets().first { $0.manifest.name == "n1" })])
    let after = try pages()
    // 40 clips of 1 to 274 frames of 144 bytes: 792,000 bytes on 49 pages at least.
    #expect((49...60).contains(before.count - after.count), "\(before.count) to \(after.count)")
    let changed = zip(before, after).count { $0 != $1 }
    // Those that come from the end in the place of what is gone, and some that tell where everything is.
    #expect(changed < 60 + 15, "\(changed) of \(after.count)")
  }

  /// Rows of several datasets that were written in turns, with names in no order, so that SQLite moves rows about between
  /// its pages: no copy of one stays where it was.
  @Test func noNameStaysWhereRowsWereMoved() throws {
    struct Names: DatasetSource {
      let name: String
      let names: [String]
      var manifest: Manifest {
        Manifest(
          name: name, version: "1", licence: "none", source: "made of \(name)", origin: .recorded, skeleton: "coco-17",
          coordinates: CoordinateSystem(unit: .metre, yAxis: .down), channels: [.x, .y])
      }
      var clipCount: Int { names.count }
      func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "c", count: 64))) }
      func clip(_ index: Int) throws -> Clip {
        Clip(
          info: Clip.Info(
            name: names[index], subject: "subject-of-" + names[index], exercise: "squat", view: "side", fps: 30,
            split: ""
          ), keypoints: nil,
          labels: GroundTruth(
            repCount: index,
            events: (0..<index % 9).map {
              LabelledInstant(time: Microseconds(Int64($0)), label: "event-of-" + names[index])
            }))
      }
    }
    var random = TestGenerator(seed: 12)
    let sources = (0..<12).map { number in
      Names(
        name: "set-\(number)",
        names: (0..<400).map { _ in
          "clip-\(number)-" + String(UInt64.random(in: 0..<UInt64.max, using: &random), radix: 36)
        })
    }
    let store = try Store(at: path)
    // Four at a time, whose transactions alternate.
    for group in stride(from: 0, to: sources.count, by: 4) {
      func take(_ index: Int) throws {
        try store.importing(sources[index]) { progress in
          if progress.clips == 200, index + 1 < min(group + 4, sources.count) { try take(index + 1) }
        }
      }
      try take(group)
    }
    for (number, source) in sources.enumerated() where number % 3 != 2 {
      let dataset = try #require(try store.datasets().first { $0.manifest.name == source.name })
      #expect(try store.remove([dataset]).erasure == .complete)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder).map {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))
      }
      for pattern in ["clip-\(number)-", "made of set-\(number)\""] {
        #expect(files.allSatisfy { $0.range(of: Data(pattern.utf8)) == nil }, "\(pattern)")
      }
    }
    for dataset in try store.datasets() { #expect(try store.clips(of: dataset).count == 400) }
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
      return try store.remove([dataset]).erasure
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
    try store.importing(anna, expires: Expiry("2020-04-01"))
    let kept = try #require(try store.datasets().first)
    #expect(kept.expires?.description == "2020-04-01T00:00:00Z")
    try store.remove([kept], .purged)
    let log = try store.auditLog()
    #expect(log.damage == nil)
    #expect(log.entries.map(\.action) == [.imported, .exported, .kept, .purged])
    #expect(
      log.entries.map(\.detail) == [
        "40 clips, expires 2027-03-01T00:00:00Z", "40 clips to there", "expires 2020-04-01T00:00:00Z",
        "40 clips, expired 2020-04-01T00:00:00Z",
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
      try damage("UPDATE audit SET detail = '41 clips' WHERE number = 1")?.hasPrefix("entry 1 was changed")
        == true)
    #expect(try damage("UPDATE audit SET detail = '40 clips' WHERE number = 1") == nil)
    #expect(
      try damage("DELETE FROM audit WHERE number = 3") == "2 of 3 entries: the last ones are missing")
    #expect(
      try damage("DELETE FROM audit WHERE number = 1")
        == "entry 2 in place of entry 1: earlier entries are missing")
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
    try store.remove([], runsOn: ["march"])
    #expect(try store.runs(ofSuite: "squat").map(\.id) == ["d", "c", "b"])
  }

  /// A store with both people and a run, as version 4 left it: the clips of all datasets in one table, no mark of this
  /// program, and no notes on free pages.
  private func makeVersionFour() throws {
    let store = try Store(at: path)
    for person in [anna, bert] { try store.importing(person) }
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try OlderStore.makeVersionFive(db)
      try db.execute(
        sql: """
          CREATE TABLE clip (
            id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
            name TEXT NOT NULL, info TEXT NOT NULL, labels TEXT NOT NULL, hash BLOB NOT NULL, times BLOB, poses BLOB,
            UNIQUE (dataset, name));
          INSERT INTO clip SELECT NULL, dataset, name, info, labels, hash, times, poses FROM clip_1;
          INSERT INTO clip SELECT NULL, dataset, name, info, labels, hash, times, poses FROM clip_2;
          DROP TABLE clip_1;
          DROP TABLE clip_2;
          DROP TABLE dataset_number;
          ALTER TABLE dataset DROP COLUMN own;
          ALTER TABLE dataset DROP COLUMN removed;
          ALTER TABLE unerased DROP COLUMN runs;
          INSERT INTO run (id, suite, created, results) VALUES ('r', 'squat', '2026-01-02T03:04:05Z', '{}');
          PRAGMA application_id = 0;
          PRAGMA user_version = 4;
          """)
    }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA auto_vacuum = NONE; VACUUM") }
    try queue.close()
  }

  /// The tables as the first version made them, with GRDB's own note of which version they are.
  private func makeFirstVersion(and more: String = "") throws {
    try makeVersionFour()
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          DROP TABLE run_metric; DROP TABLE run_count; DROP TABLE run; DROP TABLE baseline; DROP TABLE audit;
          DROP TABLE unerased;
          ALTER TABLE dataset DROP COLUMN expires;
          CREATE TABLE run (
            id TEXT PRIMARY KEY, suite TEXT NOT NULL, created TEXT NOT NULL, results TEXT NOT NULL);
          CREATE INDEX run_suite ON run(suite, created);
          INSERT INTO run VALUES ('r', 'squat', '2026-01-02T03:04:05Z', '{}');
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1');
          PRAGMA user_version = 0;
          """ + more)
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
    #expect(version == 8)
    #expect(rows == ["1"])
  }

  /// As the version before that left them.
  @Test func aStoreWhoseVersionsGRDBHasCountedIsOpened() throws {
    try makeVersionFour()
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
    #expect(try Store(at: path).upgrade?.from == 4)
  }

  @Test func aStoreOfTheFirstVersionIsTakenOver() throws {
    try makeFirstVersion()
    let store = try Store(at: path)
    #expect(store.upgrade?.from == 1)
    #expect(store.upgrade?.to == 8)
    #expect(try Store(at: path).upgrade == nil)
    let dataset = try #require(try store.datasets().first { $0.manifest.name == "march" })
    #expect(dataset.expires == nil)
    try expectWhole(dataset, anna, in: store)
    #expect(try store.runs(ofSuite: "squat").map(\.id) == ["r"])
    #expect(try store.auditLog().entries.isEmpty)
    try store.remove([dataset])
    #expect(try store.auditLog().entries.map(\.action) == [.removed])
  }

  private func expectWhole(_ dataset: StoredDataset, _ person: Person, in store: Store) throws {
    let clips = try store.clips(of: dataset)
    #expect(clips.count == 40)
    for clip in clips {
      #expect(try store.clip(clip, of: dataset).keypoints?.values.allSatisfy { $0 == person.coordinate } == true)
    }
  }

  /// The first removal makes an older store like a new one, and loses nothing.
  @Test func anOlderStoreIsReadAndConvertedByARemoval() throws {
    try makeVersionFour()
    let store = try Store(at: path)
    for (name, person) in [("march", anna), ("april", bert)] {
      try expectWhole(#require(try store.datasets().first { $0.manifest.name == name }), person, in: store)
    }
    // What comes now stands apart already.
    try store.importing(Person(name: "may", subject: "Carl-Nyman", coordinate: 0.5772157))
    let dataset = try #require(try store.datasets().first { $0.manifest.name == "march" })
    #expect(try store.remove([dataset]).erasure == .complete)
    #expect(try traces(of: anna) == [false, false])
    let again = try Store(at: path)
    #expect(try again.datasets().map(\.manifest.name) == ["april", "may"])
    try expectWhole(again.datasets()[0], bert, in: again)
    #expect(try again.clips(of: again.datasets()[1]).count == 40)
    #expect(try again.runs(ofSuite: "squat").map(\.id) == ["r"])
    #expect(try again.auditLog().entries.map(\.action) == [.imported, .imported, .imported, .removed])
    #expect(try again.auditLog().damage == nil)
    let queue = try DatabaseQueue(path: path)
    let (mode, free, tables) = try queue.read { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA auto_vacuum"), try Int.fetchOne(db, sql: "PRAGMA freelist_count"),
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'clip*' ORDER BY name")
      )
    }
    #expect(mode == 2)
    #expect(free == 0)
    #expect(tables == ["clip_2", "clip_3"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasPrefix("store.sqlite") })
  }

  /// Runs are cleared like clips, and the history stays as it was; in a store of an older version too, where the runs
  /// on all datasets lie in the same tables.
  @Test(arguments: [false, true]) func noNameOfARemovedRunStays(isOlder: Bool) throws {
    do {
      let store = try Store(at: path)
      for run in 0..<40 { try store.add(Self.run(run)) }
    }
    if isOlder {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try OlderStore.makeVersionFive($0) }
      try queue.close()
    }
    let store = try Store(at: path)
    #expect(store.upgrade?.from == (isOlder ? 5 : nil))
    // Until a removal, a new run lies in a table of its own beside the others.
    for run in 40..<42 { try store.add(Self.run(run)) }
    #expect(try store.runs(ofSuite: "squat") == (0..<42).reversed().map(Self.run))
    let metrics = try store.results(ofMetric: "m", detector: nil, inRuns: (0..<42).map { Self.run($0).id })
    #expect(metrics.count == 42)
    #expect(try store.remove([], runsOn: ["d0"]).runs.map(\.id) == (0..<21).reversed().map { Self.run($0 * 2).id })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for run in 0..<42 {
      #expect((bytes.range(of: Data("run-\(run)-of-".utf8)) != nil) == (run % 2 == 1), "\(run)")
    }
    let kept = (0..<21).reversed().map { Self.run($0 * 2 + 1) }
    #expect(try store.runs(ofSuite: "squat") == kept)
    #expect(try store.runHeads(ofSuite: nil).map(\.id) == kept.map(\.id))
    #expect(try store.counts(ofRun: kept[0].id).count == 60)
    #expect(try store.subjectValues(ofRun: kept[20].id).map(\.subject) == ["s-run-1"])
    let keptMetrics = metrics.filter { id, _ in kept.contains { $0.id == id } }
    #expect(try store.results(ofMetric: "m", detector: nil, inRuns: metrics.keys.sorted()) == keptMetrics)
    #expect(try store.auditLog().entries.map(\.detail) == ["21 runs of the history"])
    let queue = try DatabaseQueue(path: path)
    let tables = try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'run_[0-9]*' ORDER BY name")
    }
    #expect(tables == ["run_2"])
  }

  /// Runs on two datasets in turn, whose ids are in another order than their times.
  private static func run(_ number: Int) -> StoredRun {
    func name(_ clip: Int) -> String { "run-\(number)-of-\(clip &* 2_654_435_761 & 0xFFFF)" }
    let dataset = "d\(number % 2)"
    let clips = (0..<60).map { clip in
      #"{"dataset":"\#(dataset)","name":"\#(name(clip))","subject":"s-\#(name(clip))","outcomes":{"reps":{"count":1}}}"#
    }
    let metric = #"""
      {"bySubject":{"s-run-\#(number)":1},"clips":60,"detector":"reps","direction":"higher","metric":"m","unit":"","value":1}
      """#
    return StoredRun(
      id: "squat/\(number * 7 % 42)-\(number)", suite: "squat", created: "2026-01-02T03:04:\(10 + number)Z",
      results:
        #"{"datasets":[{"name":"\#(dataset)"}],"metrics":[\#(metric)],"clips":[\#(clips.joined(separator: ","))]}"#,
      baseline: #"{"of":"s-\#(name(0))"}"#)
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
