import Files
import Foundation
import GRDB
import PoseModel

/// A source of a dataset, clip by clip: a folder, or an importer.
public protocol DatasetSource {
  var manifest: Manifest { get }
  var clipCount: Int { get }
  /// Identifies an unchanged source without reading its clips: a hash of its bytes.
  func digest() throws -> ContentHash
  /// Reads and checks the clip at an index below `clipCount`.
  ///
  /// - Throws: `DataError` if this clip cannot be read, which says nothing about the others; any other error stops an
  ///   import.
  func clip(_ index: Int) throws -> Clip
  /// The name of the clip at an index below `clipCount`; unless the source knows better, read with the clip.
  func clipName(_ index: Int) throws -> String
}

extension DatasetSource {
  public func clipName(_ index: Int) throws -> String { try clip(index).info.name }
}

/// The result of an import.
public enum ImportOutcome: Hashable, Sendable {
  /// The same content was in the store already.
  case unchanged(ContentHash)
  /// - Parameter resumed: The number of clips taken from an interrupted import.
  case imported(ContentHash, clips: Int, resumed: Int)
  /// Clips were added to a dataset whose clips are all unchanged in the source.
  ///
  /// - Parameter clips: The number of all its clips now.
  case extended(ContentHash, added: Int, clips: Int)

  public var content: ContentHash {
    switch self {
    case .unchanged(let content), .imported(let content, _, _), .extended(let content, _, _): content
    }
  }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The clips that were read or left out.
  public var clips = 0
  /// The size of their poses in the store.
  public var bytes = 0
}

extension Store {
  /// Imports a dataset, all clips or none: `importing(_:cacheOf:expires:leavingOut:progress:)` of one source.
  @discardableResult
  public func importing(
    _ source: some DatasetSource, cacheOf folder: String? = nil, expires: Expiry? = nil,
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportOutcome {
    try importing([source], cacheOf: folder, expires: expires, progress: { _, done in try progress(done) })[0]
  }

  /// Imports datasets, all or none, writing clips while the next are read.
  ///
  /// An interrupted import continues where it stopped. Existing clips stay unchanged. An import under the name of an
  /// imported dataset may only add clips to it: all its clips must be in the source as they were imported. Labels that
  /// were added to them since (`relabel`) are kept and not compared. A complete dataset is replaced only if it is the
  /// cache of a folder and a newer cache replaces it: an imported dataset and the cache of a folder with its name and
  /// other content stand beside each other. Imports under the same name take turns.
  ///
  /// - Parameters:
  ///   - sources: The sources, with different names.
  ///   - folder: The path of the source if it is a dataset folder to be cached.
  ///   - expires: The expiry dates; `nil` leaves existing dates unchanged.
  ///   - leavingOut: Called with a source's index and the error of a clip that cannot be read. The clip is left out
  ///     unless this throws, as it does by default. A source without a clip that can be read is an error.
  ///   - progress: Called after each clip with its source's index. If it throws a `CancellationError`, the import stops
  ///     and keeps the finished clips for later.
  /// - Returns: The result for each source.
  /// - Throws: `StoreError`, and the errors of a source or `progress`. After any error but a cancellation the store is
  ///   unchanged, unless the error is `StoreError.notUndone`.
  public func importing(
    _ sources: [any DatasetSource], cacheOf folder: String? = nil, expires: Expiry? = nil,
    leavingOut: (Int, DataError) throws -> Void = { _, error in throw error },
    progress: (Int, ImportProgress) throws -> Void
  ) throws -> [ImportOutcome] {
    let digests = try sources.map { try $0.digest() }
    if let outcomes = try unchanged(sources, digests, cacheOf: folder, expires: expires) {
      ImportTurn.removeOthers(beside: path)
      return outcomes
    }
    // In the order of their names, to avoid deadlocks between imports.
    let turns = try sources.map(\.manifest.name).sorted().map { try ImportTurn($0, in: path) }
    defer { withExtendedLifetime(turns) {} }
    // The previous process may have imported the same.
    if let outcomes = try unchanged(sources, digests, cacheOf: folder, expires: expires) { return outcomes }
    let reserve = try ReservedDiskSpace(beside: path)
    var fillings: [Int: Filling] = [:]
    defer { use(.log) }
    do {
      for (index, source) in sources.enumerated() {
        let existing = try read { db in
          try complete(source.manifest.name, from: digests[index], cacheOf: folder, in: db)
        }
        guard existing?.source != digests[index].hex else { continue }
        var filling = try unfinished(
          source.manifest, beside: existing, digest: digests[index], folder: folder, expires: expires)
        fillings[index] = filling
        try fill(
          &filling, from: source, leavingOut: { try leavingOut(index, $0) }, progress: { try progress(index, $0) })
        fillings[index] = filling
      }
      let outcomes = try write { db in
        try sources.indices.map { index in
          if let filling = fillings[index] { return try finish(filling, in: db) }
          let name = sources[index].manifest.name
          guard let existing = try complete(name, from: digests[index], cacheOf: folder, in: db),
            let content = existing.content, existing.source == digests[index].hex
          else { throw StoreError.changedMeanwhile(path: path, dataset: name) }
          try keep(existing, until: expires, in: db)
          return ImportOutcome.unchanged(content)
        }
      }
      reserve.release()
      // Datasets replaced by a newer cache or the same content.
      try? finishErasing()
      // A process can end before its store is closed. The log would then wait for a later one, whose disk may be full.
      queue.writeWithoutTransaction { db in _ = try? db.checkpoint(.passive) }
      return outcomes
    } catch {
      // A failure leaves the store unchanged; only a stopped or killed import leaves its finished clips to continue
      // from.
      reserve.release()
      if error is CancellationError { throw error }
      do {
        try write { db in
          for filling in fillings.values {
            try discard(datasets(where: "id = ? AND content IS NULL", [filling.rows.dataset], in: db), in: db)
          }
        }
      } catch let undoing {
        let names = fillings.values.map(\.manifest.name).sorted()
        throw StoreError.notUndone(path: path, datasets: names, cause: "\(error); \(undoing)")
      }
      use(.log)
      // If this fails now, a later opening retries it.
      try? finishErasing()
      throw error
    }
  }

  /// The content of the finished dataset of a name, if it was made from a source with this hash; `nil` otherwise.
  package func content(ofDataset name: String, from source: ContentHash) throws -> ContentHash? {
    try read { db in try complete(name, in: db).first { $0.source == source.hex }?.content }
  }

  /// The result if every source's bytes show that it exists already; `nil` otherwise.
  private func unchanged(
    _ sources: [any DatasetSource], _ digests: [ContentHash], cacheOf folder: String?, expires: Expiry?
  ) throws -> [ImportOutcome]? {
    func contents(in db: Database) throws -> [(dataset: StoredDataset, content: ContentHash)]? {
      var found: [(StoredDataset, ContentHash)] = []
      for (source, digest) in zip(sources, digests) {
        guard let existing = try complete(source.manifest.name, from: digest, cacheOf: folder, in: db),
          let content = existing.content, existing.source == digest.hex
        else { return nil }
        found.append((existing, content))
      }
      return found
    }
    guard let there = try read(contents) else { return nil }
    guard expires != nil else {
      for existing in there { try requireUnexpired(existing.dataset) }
      return there.map { .unchanged($0.content) }
    }
    return try write { db in
      try contents(in: db)?.map { existing in
        try keep(existing.dataset, until: expires, in: db)
        return .unchanged(existing.content)
      }
    }
  }

  /// The finished datasets with a name: an imported one, then the cache of a folder.
  func complete(_ name: String, in db: Database) throws -> [StoredDataset] {
    try datasets(where: "name = ? AND content IS NOT NULL", [name], in: db)
  }

  /// The finished dataset with a name that has the content of a source, or that an import of it would change.
  private func complete(
    _ name: String, from source: ContentHash, cacheOf folder: String?, in db: Database
  ) throws -> StoredDataset? {
    let found = try complete(name, in: db)
    return found.first { $0.source == source.hex } ?? found.first { ($0.folder == nil) == (folder == nil) }
  }

  /// An import in progress.
  private struct Filling {
    let rows: ClipRows
    let manifest: Manifest
    let digest: ContentHash
    let folder: String?
    let expires: Expiry?
    /// The hashes of the clips from an interrupted import.
    let present: [String: Data]
    /// The imported dataset of the same name, whose clips are not written again.
    let base: ImportBase?
    /// Every clip of the source that has been read.
    var clips: [(name: String, hash: Data)] = []
  }

  private func fill(
    _ filling: inout Filling, from source: some DatasetSource, leavingOut: (DataError) throws -> Void,
    progress: (ImportProgress) throws -> Void
  ) throws {
    var done = ImportProgress()
    var unreadable: DataError?
    let writer = ClipWriter(self, into: filling.rows, of: filling.manifest.name)
    do {
      for index in 0..<source.clipCount {
        do {
          var clip = try source.clip(index)
          if let labels = filling.base?.labels[clip.info.name] { clip.labels = labels }
          let texts = try ClipTexts(clip)
          let name = clip.info.name
          let hash = ContentHash.clip(clip, texts)
          filling.clips.append((name, hash))
          if filling.present[name] != hash, filling.base?.hashes[name] != hash {
            try writer.add(clip, texts, hash: hash)
          }
          done.bytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
        } catch let error as DataError {
          try leavingOut(error)
          unreadable = unreadable ?? error
        }
        done.clips += 1
        try progress(done)
      }
    } catch let error as CancellationError {
      try writer.finish()
      throw error
    }
    try writer.finish()
    if let unreadable, filling.clips.isEmpty { throw unreadable }
  }

  /// Turns an import with all its clips into a dataset.
  private func finish(_ filling: Filling, in db: Database) throws -> ImportOutcome {
    let name = filling.manifest.name
    guard let unfinished = try datasets(where: "id = ?", [filling.rows.dataset], in: db).first else {
      throw StoreError.changedMeanwhile(path: path, dataset: name)
    }
    let content = ContentHash.dataset(Data(unfinished.manifestText.utf8), clips: filling.clips)
    let found = try complete(name, in: db)
    let existing =
      found.first { $0.content == content && filling.base == nil }
      ?? found.first { ($0.folder == nil) == (filling.folder == nil) }
    // The clips of the base were not written.
    guard filling.base == nil || filling.base?.content == existing?.content else {
      throw StoreError.changedMeanwhile(path: path, dataset: name)
    }
    if let existing, let stored = existing.content {
      if stored == content {
        // The same content from other files: only the source changes. That of a labelled dataset marks it as such.
        try discard([unfinished], in: db)
        if filling.folder != nil, existing.folder == nil { try discard(found.filter { $0.folder != nil }, in: db) }
        if !existing.isLabelled {
          try db.execute(
            sql: "UPDATE dataset SET source = ? WHERE id = ?", arguments: [filling.digest.hex, existing.id])
        }
        try keep(existing, until: filling.expires, in: db)
        return .unchanged(content)
      }
      if let base = filling.base, base.isWithin(filling.clips) {
        return try extend(existing, by: unfinished, to: content, filling, in: db)
      }
      guard existing.folder != nil, filling.folder != nil else {
        throw StoreError.nameTaken(dataset: name, stored: stored)
      }
      try discard([existing], in: db)
    }
    try db.execute(
      sql: "UPDATE dataset SET content = ? WHERE id = ?", arguments: [content.description, unfinished.id])
    // The cache of a folder is not logged as an import: the user has the recordings in the folder already.
    if filling.folder == nil {
      let count = filling.clips.count
      try record(
        .imported, dataset: name, content: content.description,
        detail: "\(count) clip\(count == 1 ? "" : "s")" + (filling.expires.map { ", expires \($0)" } ?? ""), in: db)
    }
    return .imported(content, clips: filling.clips.count, resumed: filling.present.count)
  }

  /// Moves the clips of an import, which are all new, to the imported dataset of the same name.
  private func extend(
    _ existing: StoredDataset, by unfinished: StoredDataset, to content: ContentHash, _ filling: Filling,
    in db: Database
  ) throws -> ImportOutcome {
    try keep(existing, until: filling.expires, in: db)
    try db.execute(
      sql: """
        INSERT INTO \(existing.rows.table) (dataset, name, info, labels, hash, times, poses)
        SELECT ?, name, info, labels, hash, times, poses FROM \(unfinished.rows.table) WHERE dataset = ?
        """, arguments: [existing.id, unfinished.id])
    try discard([unfinished], in: db)
    let source = existing.isLabelled ? content.hex : filling.digest.hex
    try db.execute(
      sql: "UPDATE dataset SET content = ?, source = ? WHERE id = ?",
      arguments: [content.description, source, existing.id])
    let added = filling.clips.count - existing.clipCount
    try record(
      .imported, dataset: existing.manifest.name, content: content.description,
      detail: "\(added) clip\(added == 1 ? "" : "s") added", in: db)
    return .extended(content, added: added, clips: filling.clips.count)
  }

  /// Sets another expiry date if one is given.
  private func keep(_ dataset: StoredDataset, until expires: Expiry?, in db: Database) throws {
    guard let expires else { return try requireUnexpired(dataset) }
    guard expires != dataset.expires else { return }
    try db.execute(
      sql: "UPDATE dataset SET expires = ? WHERE id = ?", arguments: [expires.description, dataset.id])
    try record(.kept, dataset, detail: "expires \(expires)", in: db)
  }

  /// - Throws: `StoreError.expired` for an imported dataset that may no longer be used.
  private func requireUnexpired(_ dataset: StoredDataset) throws {
    guard dataset.folder == nil, let expires = dataset.expires, expires.hasPassed() else { return }
    throw StoreError.expired(dataset: dataset.manifest.name, on: expires)
  }

  /// The unfinished import of the same source, or a new one that replaces any other.
  ///
  /// - Parameter existing: The complete dataset of the same name.
  private func unfinished(
    _ manifest: Manifest, beside existing: StoredDataset?, digest: ContentHash, folder: String?, expires: Expiry?
  ) throws -> Filling {
    try write { db in
      var manifest = manifest
      if let existing, existing.isLabelled { manifest.keepCriteria(of: existing.manifest) }
      let text = String(decoding: try canonicalJSON(manifest), as: UTF8.self)
      var base: ImportBase?
      if let existing, let content = existing.content, existing.folder == nil, folder == nil,
        existing.manifestText == text
      {
        base = ImportBase(
          content: content, try clips(of: try current(existing, in: db), in: db), isLabelled: existing.isLabelled)
      }
      func filling(_ rows: ClipRows) throws -> Filling {
        let found = try Row.fetchAll(
          db, sql: "SELECT name, hash FROM \(rows.table) WHERE dataset = ?", arguments: [rows.dataset])
        return Filling(
          rows: rows, manifest: manifest, digest: digest, folder: folder, expires: expires,
          present: Dictionary(
            try found.map { (try $0.value("name"), try $0.value("hash")) }, uniquingKeysWith: { first, _ in first }),
          base: base)
      }
      if let left = try datasets(
        where: "name = ? AND content IS NULL AND (folder IS NULL) = ?", [manifest.name, folder == nil], in: db
      ).first {
        if left.source == digest.hex && left.manifestText == text {
          try db.execute(
            sql: "UPDATE dataset SET expires = ? WHERE id = ?", arguments: [expires?.description, left.id])
          return try filling(left.rows)
        }
        try discard([left], in: db)
      }
      try db.execute(sql: "INSERT INTO dataset_number DEFAULT VALUES")
      let id = db.lastInsertedRowID
      try db.execute(
        sql: """
          DELETE FROM dataset_number;
          INSERT INTO dataset (id, name, manifest, source, folder, expires, own) VALUES (?, ?, ?, ?, ?, ?, 1)
          """, arguments: [id, manifest.name, text, digest.hex, folder, expires?.description])
      return try filling(ClipRows.make(of: id, in: db))
    }
  }
}

/// An imported dataset that an import under its name may add clips to.
private struct ImportBase {
  let content: ContentHash
  /// The hash of each clip, by name.
  let hashes: [String: Data]
  /// The labels of each clip if some were added since the import.
  let labels: [String: GroundTruth]

  init(content: ContentHash, _ clips: [StoredClip], isLabelled: Bool) {
    self.content = content
    hashes = Dictionary(clips.map { ($0.info.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    labels =
      isLabelled ? Dictionary(clips.map { ($0.info.name, $0.labels) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// Whether all its clips are among others, unchanged.
  func isWithin(_ clips: [(name: String, hash: Data)]) -> Bool {
    let found = Dictionary(clips.map { ($0.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    return hashes.allSatisfy { found[$0.key] == $0.value }
  }
}

extension StoredDataset {
  /// Whether labels were added since the import: `Store.relabel` then replaces the hash of the source.
  var isLabelled: Bool { content?.hex == source }
}

extension Manifest {
  /// Takes the criteria of another manifest, if they include its own.
  fileprivate mutating func keepCriteria(of other: Manifest) {
    if Set(other.criteria).isSuperset(of: criteria) { criteria = other.criteria }
  }
}

/// An import's turn among those under the same name, for the lifetime of this value.
///
/// A lock on a file beside the store, which ends with the process.
private final class ImportTurn {
  private let lock: FileLock

  /// Waits as for the store itself.
  ///
  /// - Throws: `StoreError` if the wait times out or the file cannot be created.
  init(_ name: String, in store: String) throws {
    let hash = SHA256()
    hash.update(name)
    // A dataset's name may be longer than a file name can be.
    let file = "\(store)-import-\(ContentHash(hash.finish()).short)"
    let timeout = BusyTimeout(store)
    do {
      guard let lock = try FileLock(file, wait: timeout.wait) else {
        throw StoreError.importedElsewhere(path: store, dataset: name)
      }
      self.lock = lock
    } catch let error as FileLock.Unavailable {
      switch error.reason {
      case ENOSPC, EDQUOT: throw StoreError.diskFull(path: store)
      case EROFS, EACCES, EPERM: throw StoreError.readOnly(path: store)
      default: throw StoreError.cannotOpen(path: store, detail: "file \(file) could not be created beside it")
      }
    }
    Self.removeOthers(beside: store)
  }

  /// Removes the files left by killed imports: those without a lock.
  static func removeOthers(beside store: String) {
    let parts = PathParts(store)
    let folder = parts.folder.isEmpty ? "." : parts.folder
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix("\(parts.name)-import-") {
      FileLock.clear(PathParts.join(folder, name))
    }
  }
}

extension Store {
  /// How SQLite makes transactions atomic.
  enum Journal {
    /// Write-ahead logging: readers do not wait for a writer.
    case log
    /// Overwritten bytes go into a journal first. Appended bytes, nearly all of an import, are written once instead of
    /// twice, without checksums. Readers wait for a writer.
    case rollback
  }

  /// Switches later transactions to a journal mode if no other process has the store open; otherwise nothing changes.
  ///
  /// Only speed depends on the mode: opening the store detects it, and cleans up after a killed process.
  func use(_ journal: Journal) {
    try? queue.writeWithoutTransaction { try Self.use(journal, in: $0) }
  }

  static func use(_ journal: Journal, in db: Database) throws {
    switch journal {
    case .log:
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // The log reaches the disk before its content goes into the file, which is enough.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
    case .rollback:
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }
}

/// Disk space reserved before a large write, which allows undoing it on a full disk: even a removal must write a little
/// first.
///
/// The file has no name once it is open, and its space is freed whatever happens to the process.
final class ReservedDiskSpace {
  private var descriptor: Int32

  /// The size: more than the pages that removing a dataset changes, those of its rows and of the list of free pages.
  private static let size = 1 << 20

  /// - Throws: `StoreError.diskFull` if there is no such space.
  init(beside store: String) throws {
    // One name for all processes; the next process removes the file if this one is killed too early. Anything else with
    // that name, such as a link or a pipe, is removed and never opened.
    let path = "\(store)-reserve"
    unlink(path)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Permissions.file)
    guard descriptor >= 0 else { return }
    unlink(path)
    let zeros = Data(count: Self.size)
    // A file system without enough space accepts fewer bytes than given, or none.
    guard zeros.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == Self.size else {
      release()
      throw StoreError.diskFull(path: store)
    }
  }

  /// Frees the space.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { release() }
}
