import Files
import Foundation
import GRDB
import GRDBSQLite
import PoseModel

/// A dataset in the store.
public struct StoredDataset: Sendable {
  public let id: Int64
  public let manifest: Manifest
  /// `nil` while its import is unfinished.
  public let content: ContentHash?
  /// The folder that it is a cache of; `nil` where it was imported.
  public let folder: String?
  public let clipCount: Int
  /// `nil` for what may be kept.
  public let expires: Expiry?
}

/// What a clip is, without its poses.
public struct StoredClip: Sendable {
  public let id: Int64
  public let info: Clip.Info
  public let labels: GroundTruth
  public let hasPoses: Bool
}

extension Store {
  /// Every dataset, finished or not, by name.
  public func datasets() throws -> [StoredDataset] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT dataset.*, (SELECT count(*) FROM clip WHERE clip.dataset = dataset.id) AS clips
          FROM dataset ORDER BY name, content IS NULL
          """
      ).map { row in
        let manifest: Manifest = try decode(row["manifest"])
        return StoredDataset(
          id: row["id"], manifest: try named(manifest.name, "dataset", manifest),
          content: (row["content"] as String?).flatMap(ContentHash.init), folder: row["folder"],
          clipCount: row["clips"], expires: (row["expires"] as String?).map(Expiry.init(stored:)))
      }
    }
  }

  /// The clips of a dataset by name, without their poses.
  public func clips(of dataset: StoredDataset) throws -> [StoredClip] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT id, info, labels, poses IS NOT NULL AS hasPoses FROM clip WHERE dataset = ? ORDER BY name",
        arguments: [dataset.id]
      ).map { row in
        let info: Clip.Info = try decode(row["info"])
        return StoredClip(
          id: row["id"], info: try named(info.name, "clip", info), labels: try decode(row["labels"]),
          hasPoses: row["hasPoses"])
      }
    }
  }

  /// A clip with its poses.
  public func clip(_ clip: StoredClip, of dataset: StoredDataset) throws -> Clip {
    let manifest = dataset.manifest
    let keypoints = try readOnce { db -> Keypoints? in
      // GRDB's statement, read as SQLite has it: out of its memory, without a row's dictionary between.
      let statement = try db.cachedStatement(sql: "SELECT times, poses FROM clip WHERE id = ?").sqliteStatement
      defer { sqlite3_reset(statement) }
      sqlite3_bind_int64(statement, 1, clip.id)
      switch sqlite3_step(statement) {
      case SQLITE_ROW: break
      case SQLITE_DONE:
        throw StoreError.other(path: path, detail: "clip \(clip.info.name) has been removed meanwhile")
      case let code:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code),
          message: sqlite3_errmsg(db.sqliteConnection).map(String.init(cString:)))
      }
      guard let times = blob(statement, 0), let poses = blob(statement, 1) else { return nil }
      return try decodeKeypoints(times: times, poses: poses, manifest: manifest, clip: clip.info.name)
    }
    return Clip(info: clip.info, keypoints: keypoints, labels: clip.labels)
  }

  private func decodeKeypoints(
    times: UnsafeRawBufferPointer, poses: UnsafeRawBufferPointer, manifest: Manifest, clip: String
  ) throws -> Keypoints {
    let frames = times.count / MemoryLayout<Int64>.size
    let count = try skeleton(manifest).keypoints.count
    guard poses.count == frames * count * manifest.channels.count * MemoryLayout<Float>.size else {
      throw StoreError.damaged(path: path, detail: "the poses of clip \(clip) have the wrong size")
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

  /// What is called so, by the rule for names in files: a store may come with somebody else's checkout, and its names
  /// become names of files.
  func named<Value>(_ name: String, _ what: String, _ value: Value) throws -> Value {
    guard PortableName.isValid(name) else {
      throw StoreError.other(
        path: path, detail: "expected \(PortableName.description) for a \(what), found \(Excerpt.of(name))")
    }
    return value
  }

  func decode<Value: Decodable>(_ text: String) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
      throw StoreError.damaged(path: path, detail: "\(error)")
    }
  }
}

/// A column of the statement's row, valid until its next step; `nil` for NULL.
private func blob(_ statement: SQLiteStatement, _ column: Int32) -> UnsafeRawBufferPointer? {
  guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
  // In this order, as asking for the bytes settles their count.
  let start = sqlite3_column_blob(statement, column)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
}

/// Copies a blob into an array; a blob may start at any address.
private func array<Element: BitwiseCopyable>(_ blob: UnsafeRawBufferPointer) -> [Element] {
  [Element](unsafeUninitializedCapacity: blob.count / MemoryLayout<Element>.size) { buffer, initialized in
    initialized = blob.count / MemoryLayout<Element>.size
    UnsafeMutableRawBufferPointer(buffer).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: blob[..<(initialized * MemoryLayout<Element>.size)]))
  }
}

extension Store {
  /// Gives clips of an imported dataset other labels, and the dataset another manifest, all in one transaction.
  ///
  /// - Parameters:
  ///   - names: the clips that change.
  ///   - labels: the new labels of one of them.
  /// - Returns: the dataset's new content hash.
  /// - Throws: `StoreError`, `DataError` where a label lies beyond its clip, and what `labels` throws; the store is then
  ///   as it was.
  public func relabel(
    _ dataset: StoredDataset, as manifest: Manifest, clips names: Set<String>, labels: (Clip) throws -> GroundTruth
  ) throws -> ContentHash {
    let skeleton = try Skeleton(of: manifest, file: manifest.name)
    let check = ClipCheck(manifest: manifest, skeleton: skeleton) { _ in manifest.name }
    var changed: [(id: Int64, name: String, labels: String, hash: Data)] = []
    for stored in try clips(of: dataset) where names.contains(stored.info.name) {
      var clip = try clip(stored, of: dataset)
      clip.labels = try labels(clip)
      try check.check(clip, posesFile: manifest.name)
      let texts = try ClipTexts(clip)
      let text = String(decoding: texts.labels, as: UTF8.self)
      changed.append((stored.id, stored.info.name, text, ContentHash.clip(clip, texts)))
    }
    return try write { db in
      for clip in changed {
        try db.execute(
          sql: "UPDATE clip SET labels = ?, hash = ? WHERE id = ?", arguments: [clip.labels, clip.hash, clip.id])
        guard db.changesCount == 1 else {
          throw StoreError.other(path: path, detail: "clip \(clip.name) has been removed meanwhile")
        }
      }
      let rows = try Row.fetchAll(db, sql: "SELECT name, hash FROM clip WHERE dataset = ?", arguments: [dataset.id])
      let content = try ContentHash.dataset(manifest, clips: rows.map { ($0["name"] as String, $0["hash"] as Data) })
      // What it was read from does not tell its labels any more.
      try db.execute(
        sql: "UPDATE dataset SET manifest = ?, content = ?, source = ? WHERE id = ?",
        arguments: [
          String(decoding: try canonicalJSON(manifest), as: UTF8.self), content.description, content.hex, dataset.id,
        ])
      try record(
        .labelled, dataset: manifest.name, content: content.description,
        detail: "\(changed.count) clip\(changed.count == 1 ? "" : "s")", in: db)
      return content
    }
  }
}
