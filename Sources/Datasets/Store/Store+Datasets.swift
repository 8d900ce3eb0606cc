import Foundation
import GRDB
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
  public let labels: Labels
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
        StoredDataset(
          id: row["id"], manifest: try decode(row["manifest"]),
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
        StoredClip(
          id: row["id"], info: try decode(row["info"]), labels: try decode(row["labels"]), hasPoses: row["hasPoses"])
      }
    }
  }

  /// A clip with its poses.
  public func clip(_ clip: StoredClip, of dataset: StoredDataset) throws -> Clip {
    let manifest = dataset.manifest
    let keypoints = try readOnce { db -> Keypoints? in
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: "SELECT times, poses FROM clip WHERE id = ?"), arguments: [clip.id])
      guard let row = try rows.next() else {
        throw StoreError.other(path: path, detail: "clip \(clip.info.name) has been removed meanwhile")
      }
      // Out of SQLite's memory, without a copy between.
      return try row.withUnsafeData(named: "times") { times in
        try row.withUnsafeData(named: "poses") { poses in
          guard let times, let poses else { return nil }
          return try decodeKeypoints(times: times, poses: poses, manifest: manifest, clip: clip.info.name)
        }
      }
    }
    return Clip(info: clip.info, keypoints: keypoints, labels: clip.labels)
  }

  private func decodeKeypoints(times: Data, poses: Data, manifest: Manifest, clip: String) throws -> Keypoints {
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

  func decode<Value: Decodable>(_ text: String) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
      throw StoreError.damaged(path: path, detail: "\(error)")
    }
  }
}

/// Copies a blob into an array; a blob may start at any address.
private func array<Element: BitwiseCopyable>(_ blob: Data) -> [Element] {
  [Element](unsafeUninitializedCapacity: blob.count / MemoryLayout<Element>.size) { buffer, initialized in
    blob.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
    initialized = blob.count / MemoryLayout<Element>.size
  }
}
