import Foundation
import GRDB
import PoseModel

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
    _ dataset: StoredDataset, as manifest: Manifest, clips names: Set<String>, labels: (Clip) throws -> Labels
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
