import Files
import Foundation
import GRDB
import GRDBSQLite
import PoseModel

/// A dataset in the store.
public struct StoredDataset: Sendable {
  public let id: Int64
  public let manifest: Manifest
  /// The content hash; `nil` while the import is unfinished.
  public let content: ContentHash?
  /// The folder that the store caches; `nil` for an import.
  public let folder: String?
  public let clipCount: Int
  /// The date of expiry; `nil` for none.
  public let expires: Expiry?
  let rows: ClipRows
  /// The manifest's JSON, which is a part of the content.
  let manifestText: String
  /// The hash of the source files.
  let source: String
}

/// A clip without its poses.
public struct StoredClip: Sendable {
  public let id: Int64
  public let info: Clip.Info
  public let labels: GroundTruth
  public let hasPoses: Bool
  /// The hash of the clip with its poses.
  let hash: Data
}

/// The table of a dataset's clips. Each dataset has its own table: no page of the file has rows of two datasets, and a
/// removed dataset leaves no copy in other pages.
///
/// SQLite moves rows between the pages of a table and overwrites their old bytes only later.
struct ClipRows: Sendable {
  let dataset: Int64
  /// Whether the dataset has its own table; `false` in stores of older versions with one table for all clips.
  let areOwn: Bool

  var table: String { areOwn ? "clip_\(dataset)" : Self.shared }

  static let shared = "clip"

  /// The number of clips, from the index of names: the rows themselves lie pages apart.
  func count(in db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)\(areOwn ? "" : " WHERE dataset = \(dataset)")") ?? 0
  }

  /// Creates the dataset's own table.
  static func make(of dataset: Int64, in db: Database) throws -> ClipRows {
    let rows = ClipRows(dataset: dataset, areOwn: true)
    try db.execute(
      sql: """
        CREATE TABLE \(rows.table) (
          id INTEGER PRIMARY KEY,
          dataset INTEGER NOT NULL,
          name TEXT NOT NULL UNIQUE,
          info TEXT NOT NULL,
          labels TEXT NOT NULL,
          hash BLOB NOT NULL,
          -- int64 microseconds a frame and float32 columns, little-endian; NULL for a clip with labels only.
          times BLOB,
          poses BLOB
        )
        """)
    return rows
  }

  /// Whether the table exists; false if another process removed the dataset.
  func exist(in db: Database) throws -> Bool { try Self.exists(table, in: db) }

  static func exists(_ table: String, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", arguments: [table])
      ?? false
  }
}

extension Store {
  /// All datasets, finished or not, by name; an imported one before the cache of a folder with its name.
  public func datasets() throws -> [StoredDataset] { try read { db in try datasets(in: db) } }

  func datasets(
    where condition: String = "1", _ arguments: StatementArguments = [], in db: Database
  ) throws -> [StoredDataset] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, manifest, source, folder, content, expires, own FROM dataset WHERE NOT removed AND \(condition)
        ORDER BY name, content IS NULL, folder IS NOT NULL
        """, arguments: arguments
    ).map { row in
      let rows = ClipRows(dataset: try row.value("id"), areOwn: try row.value("own"))
      let text: String = try row.value("manifest")
      let manifest: Manifest = try decode(text)
      return StoredDataset(
        id: rows.dataset, manifest: try named(manifest.name, "dataset", manifest),
        content: try row.valueIfPresent("content").map(content), folder: try row.valueIfPresent("folder"),
        clipCount: try rows.count(in: db), expires: try row.valueIfPresent("expires").map(Expiry.init(stored:)),
        rows: rows,
        manifestText: text, source: try row.value("source"))
    }
  }

  private func content(_ text: String) throws -> ContentHash {
    guard let content = ContentHash(text) else {
      throw StoreError.damaged(path: path, detail: "expected a content hash, found \(Excerpt.of(text))")
    }
    return content
  }

  /// The current state of a dataset.
  ///
  /// - Throws: `StoreError.changedMeanwhile` if it is gone.
  func current(_ dataset: StoredDataset, in db: Database) throws -> StoredDataset {
    guard let current = try datasets(where: "id = ?", [dataset.id], in: db).first else {
      throw StoreError.changedMeanwhile(path: path, dataset: dataset.manifest.name)
    }
    return current
  }

  /// The names of a dataset's clips.
  public func clipNames(of dataset: StoredDataset) throws -> Set<String> {
    try read { db in
      let rows = try current(dataset, in: db).rows
      return try String.fetchSet(db, sql: "SELECT name FROM \(rows.table) WHERE dataset = ?", arguments: [dataset.id])
    }
  }

  /// The clips of a dataset by name, without their poses.
  ///
  /// - Throws: `StoreError.changedMeanwhile` if the content changed since the lookup, `StoreError.altered` if the clips
  ///   do not match the content.
  public func clips(of dataset: StoredDataset) throws -> [StoredClip] {
    try read { db in
      guard try current(dataset, in: db).content == dataset.content else {
        throw StoreError.changedMeanwhile(path: path, dataset: dataset.manifest.name)
      }
      return try clips(of: dataset, in: db)
    }
  }

  func clips(of dataset: StoredDataset, in db: Database) throws -> [StoredClip] {
    // Its type is in the row's header: IS NOT NULL would read the poses.
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, info, labels, hash, typeof(poses) = 'blob' AS hasPoses FROM \(dataset.rows.table) WHERE dataset = ?
        ORDER BY name
        """, arguments: [dataset.id])
    var clips: [StoredClip] = []
    // Texts take more memory than what they say.
    while let rows = try cursor.next(512, ClipRow.init) {
      clips += try concurrently(rows.count) { [self] index in
        let row = rows[index]
        let info = try read(row.info, Clip.Info.init)
        return StoredClip(
          id: row.id, info: try named(info.name, "clip", info), labels: try read(row.labels, GroundTruth.init),
          hasPoses: row.hasPoses, hash: row.hash)
      }
    }
    if let content = dataset.content {
      let found = ContentHash.dataset(
        Data(dataset.manifestText.utf8), clips: clips.map { (name: $0.info.name, hash: $0.hash) })
      guard found == content else { throw altered(dataset, clip: nil) }
    }
    return clips
  }

  /// A clip with its poses.
  ///
  /// - Throws: `StoreError.altered` if the clip differs from the imported one.
  public func clip(_ clip: StoredClip, of dataset: StoredDataset) throws -> Clip {
    // Clips are read one after the other, and held against their hashes on all cores.
    let row: ReadClip = try readOnce { db in
      do {
        return try self.row(of: clip, of: dataset, in: db)
      } catch let error as DatabaseError where error.message?.hasPrefix("no such table") ?? false {
        throw StoreError.changedMeanwhile(path: path, dataset: dataset.manifest.name)
      }
    }
    return try held(row, against: clip, of: dataset)
  }

  func clip(_ stored: StoredClip, of dataset: StoredDataset, in db: Database) throws -> Clip {
    try held(try row(of: stored, of: dataset, in: db), against: stored, of: dataset)
  }

  /// A clip as its table has it, and the texts of its description and labels.
  private typealias ReadClip = (clip: Clip, info: Data, labels: Data)

  private func row(of stored: StoredClip, of dataset: StoredDataset, in db: Database) throws -> ReadClip {
    // SQLite's own calls on GRDB's statement read directly from SQLite's memory, without a dictionary per row.
    let statement = try db.cachedStatement(
      sql: "SELECT times, poses, info, labels FROM \(dataset.rows.table) WHERE id = ?"
    ).sqliteStatement
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, stored.id)
    switch sqlite3_step(statement) {
    case SQLITE_ROW: break
    case SQLITE_DONE: throw StoreError.changedMeanwhile(path: path, dataset: dataset.manifest.name)
    case let code:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: sqlite3_errmsg(db.sqliteConnection).map(String.init(cString:)))
    }
    var clip = Clip(info: stored.info, keypoints: nil, labels: stored.labels)
    if let times = blob(statement, 0), let poses = blob(statement, 1) {
      clip.keypoints = try decodeKeypoints(times: times, poses: poses, of: dataset, clip: stored.info.name)
    }
    guard let info = blob(statement, 2), let labels = blob(statement, 3) else {
      throw altered(dataset, clip: stored.info.name)
    }
    return (clip, Data(info), Data(labels))
  }

  private func held(_ row: ReadClip, against stored: StoredClip, of dataset: StoredDataset) throws -> Clip {
    let hash = row.info.withUnsafeBytes { info in
      row.labels.withUnsafeBytes { labels in ContentHash.clip(row.clip, info: info, labels: labels) }
    }
    // Another process may have replaced the labels since they were read.
    guard try hash == stored.hash || ContentHash.clip(row.clip, ClipTexts(row.clip)) == stored.hash else {
      throw altered(dataset, clip: stored.info.name)
    }
    return row.clip
  }

  private func altered(_ dataset: StoredDataset, clip: String?) -> StoreError {
    .altered(path: path, dataset: dataset.manifest.name, clip: clip, folder: dataset.folder)
  }

  /// The time of the last frame of each clip with poses, by clip name.
  public func lastFrames(of dataset: StoredDataset) throws -> [String: Microseconds] {
    try read { db in
      let rows = try current(dataset, in: db).rows
      let found = try Row.fetchAll(
        db, sql: "SELECT name, substr(times, -8) AS last FROM \(rows.table) WHERE dataset = ? AND length(times) >= 8",
        arguments: [dataset.id])
      return Dictionary(
        try found.map { row in
          let last = (try row.value("last") as Data).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
          return (try row.value("name"), Microseconds(Int64(littleEndian: last)))
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  private func decodeKeypoints(
    times: UnsafeRawBufferPointer, poses: UnsafeRawBufferPointer, of dataset: StoredDataset, clip: String
  ) throws -> Keypoints {
    let manifest = dataset.manifest
    let frames = times.count / MemoryLayout<Int64>.size
    let count = try skeleton(manifest).keypoints.count
    guard poses.count == frames * count * manifest.channels.count * MemoryLayout<Float>.size else {
      throw altered(dataset, clip: clip)
    }
    return Keypoints(
      times: array(times), keypointCount: count, channels: manifest.channels, values: array(poses))
  }

  private func skeleton(_ manifest: Manifest) throws -> Skeleton {
    guard let skeleton = Skeleton.named(manifest.skeleton) else {
      throw StoreError.newerVersion(path: path)
    }
    return skeleton
  }

  /// Checks a name with the rule for file names: a store may come from another person's checkout, and its names become
  /// file names.
  func named<Value>(_ name: String, _ what: String, _ value: Value) throws -> Value {
    guard PortableName.isValid(name) else {
      throw StoreError.other(
        path: path, detail: "expected \(PortableName.description) for a \(what), found \(Excerpt.of(name))")
    }
    return value
  }

  private func read<Value>(_ text: String, _ value: (inout JSONReader) throws -> Value) throws -> Value {
    do { return try JSONReader.read(InputFile(name: "labels", bytes: Data(text.utf8)), value) } catch {
      throw StoreError.damaged(path: path, detail: "\(error)")
    }
  }

  func decode<Value: Decodable>(_ text: String) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
      throw StoreError.damaged(path: path, detail: "\(error)")
    }
  }
}

/// A clip as its table has it, without poses.
private struct ClipRow: Sendable {
  let id: Int64
  let info: String
  let labels: String
  let hasPoses: Bool
  let hash: Data

  init(_ row: Row) throws {
    id = try row.value("id")
    (info, labels) = (try row.value("info"), try row.value("labels"))
    hasPoses = try row.value("hasPoses")
    hash = try row.value("hash")
  }
}

extension RowCursor {
  /// The values of the next rows, at most a number of them; `nil` at the end.
  fileprivate func next<Value>(_ most: Int, _ value: (Row) throws -> Value) throws -> [Value]? {
    var values: [Value] = []
    while values.count < most, let row = try next() { values.append(try value(row)) }
    return values.isEmpty ? nil : values
  }
}

/// A column of the statement's row, valid until its next step; `nil` for NULL.
private func blob(_ statement: SQLiteStatement, _ column: Int32) -> UnsafeRawBufferPointer? {
  guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
  // This order matters: asking for the bytes fixes their count.
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}

/// Copies a blob, which may start at any address, into an array.
private func array<Element: BitwiseCopyable>(_ blob: UnsafeRawBufferPointer) -> [Element] {
  [Element](unsafeUninitializedCapacity: blob.count / MemoryLayout<Element>.size) { buffer, initialized in
    initialized = blob.count / MemoryLayout<Element>.size
    UnsafeMutableRawBufferPointer(buffer).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: blob[..<(initialized * MemoryLayout<Element>.size)]))
  }
}

extension Store {
  /// Replaces the labels of an imported dataset's clips and its manifest, in one transaction that also reads them: two
  /// processes can add labels at the same time.
  ///
  /// - Parameters:
  ///   - names: The clips to change.
  ///   - manifest: Makes the new manifest from the current one.
  ///   - labels: Makes the new labels of a clip.
  /// - Returns: The dataset's new content hash.
  /// - Throws: `StoreError`, `DataError` if a label is outside its clip, and the errors of `manifest` and `labels`. The
  ///   store is then unchanged.
  public func relabel(
    _ dataset: StoredDataset, clips names: Set<String>, as manifest: (Manifest) throws -> Manifest,
    labels: (Clip) throws -> GroundTruth
  ) throws -> ContentHash {
    try write { db in
      let dataset = try current(dataset, in: db)
      let manifest = try manifest(dataset.manifest)
      let check = ClipCheck(
        manifest: manifest, skeleton: try Skeleton(of: manifest, file: manifest.name)
      ) { _ in manifest.name }
      var hashes: [(name: String, hash: Data)] = []
      for stored in try clips(of: dataset, in: db) {
        guard names.contains(stored.info.name) else {
          hashes.append((stored.info.name, stored.hash))
          continue
        }
        var clip = try clip(stored, of: dataset, in: db)
        clip.labels = try labels(clip)
        try check.check(clip, posesFile: manifest.name)
        let texts = try ClipTexts(clip)
        let hash = ContentHash.clip(clip, texts)
        hashes.append((stored.info.name, hash))
        try db.execute(
          sql: "UPDATE \(dataset.rows.table) SET labels = ?, hash = ? WHERE id = ?",
          arguments: [String(decoding: texts.labels, as: UTF8.self), hash, stored.id])
      }
      let text = try canonicalJSON(manifest)
      let content = ContentHash.dataset(text, clips: hashes)
      // The source's hash no longer identifies its labels.
      try db.execute(
        sql: "UPDATE dataset SET manifest = ?, content = ?, source = ? WHERE id = ?",
        arguments: [String(decoding: text, as: UTF8.self), content.description, content.hex, dataset.id])
      try record(
        .labelled, dataset: manifest.name, content: content.description,
        detail: "\(names.count) clip\(names.count == 1 ? "" : "s")", in: db)
      return content
    }
  }
}
