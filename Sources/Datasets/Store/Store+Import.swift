import Foundation
import GRDB
import PoseModel

/// Something that yields a dataset clip by clip: a folder, or an importer.
public protocol DatasetSource {
  var manifest: Manifest { get }
  var clipCount: Int { get }
  /// Tells an unchanged source without reading its clips: a hash of the bytes that it is read from.
  func digest() throws -> ContentHash
  /// Reads and checks the clip at a position below `clipCount`.
  func clip(_ index: Int) throws -> Clip
}

/// What an import did.
public enum ImportOutcome: Hashable, Sendable {
  /// The same content was there already.
  case unchanged(ContentHash)
  /// - Parameter resumed: how many clips an interrupted import had left.
  case imported(ContentHash, clips: Int, resumed: Int)

  public var content: ContentHash {
    switch self {
    case .unchanged(let content), .imported(let content, _, _): content
    }
  }
}

/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
  public var clips = 0
  /// Of their poses, as the store has them.
  public var bytes = 0
}

extension Store {
  /// Takes a dataset in, writing clips down while the next are read.
  ///
  /// An import that was interrupted goes on where it stopped. Content that is there already is left as it is. Nothing
  /// that is complete is replaced unless it is the cache of a folder and makes room for such a cache.
  ///
  /// - Parameters:
  ///   - folder: where the source is a dataset folder that the store shall be a cache of.
  ///   - expires: from when on it may no longer be kept; what is there already keeps its own where this is `nil`.
  ///   - progress: called after each clip. A `CancellationError` of it stops the import and leaves the finished clips to
  ///     go on from.
  /// - Throws: `StoreError`, and what the source or `progress` throws; where that is nothing that stops it, the store is
  ///   then as it was.
  @discardableResult
  public func importing(
    _ source: some DatasetSource, cacheOf folder: String? = nil, expires: Expiry? = nil,
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportOutcome {
    let name = source.manifest.name
    let digest = try source.digest()
    let existing = try datasets().first { $0.manifest.name == name && $0.content != nil }
    if let existing, let content = existing.content, try self.digest(of: existing) == digest.hex {
      if expires != nil { try write { db in try keep(existing, until: expires, in: db) } }
      return .unchanged(content)
    }
    let reserve = try DiskReserve(beside: path)
    let id = try unfinishedDataset(source.manifest, digest: digest, folder: folder, expires: expires)
    defer { use(.log) }
    do {
      return try fill(
        id, from: source, replacing: existing, cacheOf: folder, digest: digest, expires: expires, progress: progress)
    } catch {
      // What failed leaves the store as it was; only what was stopped or killed leaves its finished clips to go on from.
      reserve.release()
      if error is CancellationError { throw error }
      try? write { db in
        try db.execute(sql: "DELETE FROM dataset WHERE id = ? AND content IS NULL", arguments: [id])
        try markUnerased(in: db)
      }
      throw error
    }
  }

  private func fill(
    _ id: Int64, from source: some DatasetSource, replacing existing: StoredDataset?, cacheOf folder: String?,
    digest: ContentHash, expires: Expiry?, progress: (ImportProgress) throws -> Void
  ) throws -> ImportOutcome {
    let present = try hashes(of: id)
    var clips: [(name: String, hash: Data)] = []
    var done = ImportProgress()
    let writer = ClipWriter(self, into: id)
    do {
      for index in 0..<source.clipCount {
        let clip = try source.clip(index)
        let texts = try ClipTexts(clip)
        let hash = ContentHash.clip(clip, texts)
        clips.append((clip.info.name, hash))
        if present[clip.info.name] != hash { try writer.add(clip, texts, hash: hash) }
        done.clips += 1
        done.bytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
        try progress(done)
      }
    } catch let error as CancellationError {
      try writer.finish()
      throw error
    }
    try writer.finish()
    let content = try ContentHash.dataset(source.manifest, clips: clips)
    if let existing, let stored = existing.content {
      if stored == content {
        // The same content from other files: only where it comes from is new.
        try write { db in
          try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [id])
          try db.execute(sql: "UPDATE dataset SET source = ? WHERE id = ?", arguments: [digest.hex, existing.id])
          try keep(existing, until: expires, in: db)
        }
        return .unchanged(content)
      }
      guard existing.folder != nil, folder != nil else {
        throw StoreError.nameTaken(dataset: source.manifest.name, stored: stored)
      }
    }
    try write { db in
      if let existing { try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [existing.id]) }
      try db.execute(sql: "UPDATE dataset SET content = ? WHERE id = ?", arguments: [content.description, id])
      // The cache of a folder is no import: whoever has the folder has the recordings.
      if folder == nil {
        try record(
          .imported, dataset: source.manifest.name, content: content.description,
          detail: "\(clips.count) clip\(clips.count == 1 ? "" : "s")" + (expires.map { ", expires \($0)" } ?? ""),
          in: db)
      }
    }
    return .imported(content, clips: clips.count, resumed: present.count)
  }

  /// Sets another date of expiry where one is given.
  private func keep(_ dataset: StoredDataset, until expires: Expiry?, in db: Database) throws {
    guard let expires, expires != dataset.expires else { return }
    try db.execute(
      sql: "UPDATE dataset SET expires = ? WHERE id = ?", arguments: [expires.description, dataset.id])
    try record(.kept, dataset, detail: "expires \(expires)", in: db)
  }

  private func digest(of dataset: StoredDataset) throws -> String? {
    try read { db in try String.fetchOne(db, sql: "SELECT source FROM dataset WHERE id = ?", arguments: [dataset.id]) }
  }

  /// The unfinished import of the same source, or a new one in place of any other.
  private func unfinishedDataset(
    _ manifest: Manifest, digest: ContentHash, folder: String?, expires: Expiry?
  ) throws -> Int64 {
    try write { db in
      let encoded = String(decoding: try canonicalJSON(manifest), as: UTF8.self)
      let row = try Row.fetchOne(
        db, sql: "SELECT id, source, manifest FROM dataset WHERE name = ? AND content IS NULL",
        arguments: [manifest.name])
      if let row {
        if row["source"] == digest.hex && row["manifest"] == encoded {
          let id: Int64 = row["id"]
          try db.execute(
            sql: "UPDATE dataset SET expires = ? WHERE id = ?", arguments: [expires?.description, id])
          return id
        }
        try db.execute(sql: "DELETE FROM dataset WHERE id = ?", arguments: [row["id"] as Int64])
        try markUnerased(in: db)
      }
      try db.execute(
        sql: "INSERT INTO dataset (name, manifest, source, folder, expires) VALUES (?, ?, ?, ?, ?)",
        arguments: [manifest.name, encoded, digest.hex, folder, expires?.description])
      return db.lastInsertedRowID
    }
  }

  private func hashes(of dataset: Int64) throws -> [String: Data] {
    try read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, hash FROM clip WHERE dataset = ?", arguments: [dataset])
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"] as String, $0["hash"] as Data) })
    }
  }
}
