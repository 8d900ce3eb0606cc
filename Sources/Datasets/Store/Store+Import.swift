import Dispatch
import Files
import Foundation
import GRDB
import PoseModel
import Synchronization

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
    let reserve = try ReservedDiskSpace(beside: path)
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

/// Writes the clips of an import down, a transaction for as many as make up sixteen megabytes, while the next are read.
///
/// One transaction is under way at a time, so that a kill costs an import thirty-two megabytes at most. What fails is thrown by
/// the call after it.
final class ClipWriter {
  private let store: Store
  private let dataset: Int64
  private var waiting: [NewClip] = []
  private var waitingBytes = 0
  /// Down while a transaction is under way.
  private let free = DispatchSemaphore(value: 1)
  private let failure = Failure()

  /// Bytes of poses after which clips are written down. With fewer, the disk is waited for more often.
  private static let transactionSize = 1 << 24
  /// As many that have labels only.
  private static let transactionClips = 1000

  init(_ store: Store, into dataset: Int64) {
    self.store = store
    self.dataset = dataset
  }

  /// Leaves no transaction under way.
  deinit {
    free.wait()
    free.signal()
  }

  /// - Throws: `StoreError`, of an earlier clip too.
  func add(_ clip: Clip, _ texts: ClipTexts, hash: Data) throws {
    waiting.append(NewClip(clip: clip, texts: texts, hash: hash))
    waitingBytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
    guard waitingBytes >= Self.transactionSize || waiting.count == Self.transactionClips else { return }
    try write()
  }

  /// Waits until all is written down.
  ///
  /// - Throws: `StoreError`.
  func finish() throws {
    if !waiting.isEmpty { try write() }
    try waitForLast()
  }

  private func write() throws {
    try waitForLast()
    // What fits into one transaction is no large import.
    if waitingBytes >= Self.transactionSize { store.use(.rollback) }
    let (clips, dataset, path, free, failure) = (waiting, dataset, store.path, free, failure)
    waiting = []
    waitingBytes = 0
    free.wait()
    store.queue.asyncWrite { db in
      for clip in clips { try clip.insert(into: dataset, in: db) }
    } completion: { _, result in
      if case .failure(let error) = result {
        failure.error.withLock { $0 = (error as? DatabaseError).map { StoreError($0, path: path) } ?? error }
      }
      free.signal()
    }
  }

  private func waitForLast() throws {
    free.wait()
    free.signal()
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  private final class Failure: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }
}

/// A clip that is to be written.
private struct NewClip: Sendable {
  var clip: Clip
  var texts: ClipTexts
  var hash: Data

  func insert(into dataset: Int64, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO clip (dataset, name, info, labels, hash, times, poses) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    let info = String(decoding: texts.info, as: UTF8.self)
    let labels = String(decoding: texts.labels, as: UTF8.self)
    func insert(times: Data?, poses: Data?) throws {
      try statement.execute(arguments: [dataset, clip.info.name, info, labels, hash, times, poses])
    }
    guard let keypoints = clip.keypoints else { return try insert(times: nil, poses: nil) }
    try keypoints.times.withUnsafeBytes { times in
      try keypoints.values.withUnsafeBytes { poses in
        try insert(times: Data(borrowing: times), poses: Data(borrowing: poses))
      }
    }
  }
}

extension Data {
  /// Bytes that are not copied, for as long as they are there.
  fileprivate init(borrowing bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else {
      self.init()
      return
    }
    self.init(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
  }
}

extension Store {
  /// How SQLite makes sure that a transaction is there whole or not at all.
  enum Journal {
    /// Write-ahead logging: readers do not wait for a writer.
    case log
    /// What is overwritten goes into a journal first. What is appended, as nearly all of an import is, is written once
    /// instead of twice and not summed up. Who reads waits for who writes.
    case rollback
  }

  /// Has all later transactions use a journal, where no other process has the store open; otherwise all stays as it is.
  ///
  /// Nothing but speed depends on which it is: opening the store detects it, and cleans up after a killed process.
  func use(_ journal: Journal) {
    try? queue.writeWithoutTransaction { try Self.use(journal, in: $0) }
  }

  static func use(_ journal: Journal, in db: Database) throws {
    switch journal {
    case .log:
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // The log is brought to the disk before it goes into the file, which is enough.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
    case .rollback:
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
  }
}

/// Room on the disk that is set aside before a large write, so that taking it back still works once the disk is full:
/// a removal too has to write a little first.
///
/// The file has no name once it is open, so that the room comes back whatever becomes of the process.
final class ReservedDiskSpace {
  private var descriptor: Int32

  /// More than the pages that removing a dataset changes: those of its rows and of the list of free pages.
  private static let size = 1 << 20

  /// - Throws: `StoreError.diskFull` where there is no such room.
  init(beside store: String) throws {
    // One name for all, which the next process removes if this one is killed before the file has none. What else stands
    // there, such as a link or a pipe, goes too and is never opened.
    let path = "\(store)-reserve"
    unlink(path)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Permissions.file)
    guard descriptor >= 0 else { return }
    unlink(path)
    let zeros = Data(count: Self.size)
    // A file system without the room takes less than it is given, or nothing.
    guard zeros.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == Self.size else {
      release()
      throw StoreError.diskFull(path: store)
    }
  }

  /// Gives the room back.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { release() }
}
