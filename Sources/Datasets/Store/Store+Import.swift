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
  /// Imports a dataset: `importing(_:cacheOf:expires:progress:)` of one source.
  @discardableResult
  public func importing(
    _ source: some DatasetSource, cacheOf folder: String? = nil, expires: Expiry? = nil,
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportOutcome {
    try importing([source], cacheOf: folder, expires: expires) { _, done in try progress(done) }[0]
  }

  /// Imports datasets, all or none, writing clips down while the next are read.
  ///
  /// An import that was interrupted goes on where it stopped. Content that is there already is left as it is. Nothing
  /// that is complete is replaced unless it is the cache of a folder and makes room for such a cache. Imports under the same
  /// name take turns.
  ///
  /// - Parameters:
  ///   - sources: of different names.
  ///   - folder: where the source is a dataset folder that the store shall be a cache of.
  ///   - expires: from when on they may no longer be kept; what is there already keeps its own where this is `nil`.
  ///   - progress: called after each clip with its source's position. A `CancellationError` of it stops the import and
  ///     leaves the finished clips to go on from.
  /// - Returns: what became of each source.
  /// - Throws: `StoreError`, and what a source or `progress` throws; where that is nothing that stops it, the store is then
  ///   as it was, unless the error is `StoreError.notUndone`.
  public func importing(
    _ sources: [any DatasetSource], cacheOf folder: String? = nil, expires: Expiry? = nil,
    progress: (Int, ImportProgress) throws -> Void
  ) throws -> [ImportOutcome] {
    let digests = try sources.map { try $0.digest() }
    if let outcomes = try unchanged(sources, digests, expires: expires) { return outcomes }
    // In the order of their names, so that no two imports wait for each other.
    let turns = try sources.map(\.manifest.name).sorted().map { try ImportTurn($0, in: path) }
    defer { withExtendedLifetime(turns) {} }
    // The process whose turn was before may have imported the same.
    if let outcomes = try unchanged(sources, digests, expires: expires) { return outcomes }
    let reserve = try ReservedDiskSpace(beside: path)
    var fillings: [Int: Filling] = [:]
    defer { use(.log) }
    do {
      for (index, source) in sources.enumerated() {
        let existing = try read { db in try complete(source.manifest.name, in: db) }
        guard existing?.source != digests[index].hex else { continue }
        var filling = try unfinished(source.manifest, digest: digests[index], folder: folder, expires: expires)
        fillings[index] = filling
        try fill(&filling, from: source) { try progress(index, $0) }
        fillings[index] = filling
      }
      let outcomes = try write { db in
        try sources.indices.map { index in
          if let filling = fillings[index] { return try finish(filling, in: db) }
          let name = sources[index].manifest.name
          guard let existing = try complete(name, in: db), let content = existing.content,
            existing.source == digests[index].hex
          else { throw StoreError.changedMeanwhile(path: path, dataset: name) }
          try keep(existing, until: expires, in: db)
          return ImportOutcome.unchanged(content)
        }
      }
      reserve.release()
      // What a newer cache or the same content took the place of.
      try? finishErasing()
      return outcomes
    } catch {
      // What failed leaves the store as it was; only what was stopped or killed leaves its finished clips to go on from.
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
      // Another time where it does not work now.
      try? finishErasing()
      throw error
    }
  }

  /// What there is to say where every source is there already, as its bytes tell; `nil` otherwise.
  private func unchanged(
    _ sources: [any DatasetSource], _ digests: [ContentHash], expires: Expiry?
  ) throws -> [ImportOutcome]? {
    func contents(in db: Database) throws -> [(dataset: StoredDataset, content: ContentHash)]? {
      var found: [(StoredDataset, ContentHash)] = []
      for (source, digest) in zip(sources, digests) {
        guard let existing = try complete(source.manifest.name, in: db), let content = existing.content,
          existing.source == digest.hex
        else { return nil }
        found.append((existing, content))
      }
      return found
    }
    guard let there = try read(contents) else { return nil }
    guard expires != nil else { return there.map { .unchanged($0.content) } }
    return try write { db in
      try contents(in: db)?.map { existing in
        try keep(existing.dataset, until: expires, in: db)
        return .unchanged(existing.content)
      }
    }
  }

  /// The finished dataset of a name.
  private func complete(_ name: String, in db: Database) throws -> StoredDataset? {
    try datasets(where: "name = ? AND content IS NOT NULL", [name], in: db).first
  }

  /// An import that is under way.
  private struct Filling {
    let rows: ClipRows
    let manifest: Manifest
    let digest: ContentHash
    let folder: String?
    let expires: Expiry?
    /// The hashes of the clips that an interrupted import has left.
    let present: [String: Data]
    /// Every clip of the source that has been read.
    var clips: [(name: String, hash: Data)] = []
  }

  private func fill(
    _ filling: inout Filling, from source: some DatasetSource, progress: (ImportProgress) throws -> Void
  ) throws {
    var done = ImportProgress()
    let writer = ClipWriter(self, into: filling.rows, of: filling.manifest.name)
    do {
      for index in 0..<source.clipCount {
        let clip = try source.clip(index)
        let texts = try ClipTexts(clip)
        let hash = ContentHash.clip(clip, texts)
        filling.clips.append((clip.info.name, hash))
        if filling.present[clip.info.name] != hash { try writer.add(clip, texts, hash: hash) }
        done.clips += 1
        done.bytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
        try progress(done)
      }
    } catch let error as CancellationError {
      try writer.finish()
      throw error
    }
    try writer.finish()
  }

  /// Makes an import whose clips are all there a dataset.
  private func finish(_ filling: Filling, in db: Database) throws -> ImportOutcome {
    let name = filling.manifest.name
    guard let unfinished = try datasets(where: "id = ?", [filling.rows.dataset], in: db).first else {
      throw StoreError.changedMeanwhile(path: path, dataset: name)
    }
    let content = ContentHash.dataset(Data(unfinished.manifestText.utf8), clips: filling.clips)
    if let existing = try complete(name, in: db), let stored = existing.content {
      if stored == content {
        // The same content from other files: only where it comes from is new.
        try discard([unfinished], in: db)
        try db.execute(
          sql: "UPDATE dataset SET source = ? WHERE id = ?", arguments: [filling.digest.hex, existing.id])
        try keep(existing, until: filling.expires, in: db)
        return .unchanged(content)
      }
      guard existing.folder != nil, filling.folder != nil else {
        throw StoreError.nameTaken(dataset: name, stored: stored)
      }
      try discard([existing], in: db)
    }
    try db.execute(
      sql: "UPDATE dataset SET content = ? WHERE id = ?", arguments: [content.description, unfinished.id])
    // The cache of a folder is no import: a person who has the folder has the recordings.
    if filling.folder == nil {
      let count = filling.clips.count
      try record(
        .imported, dataset: name, content: content.description,
        detail: "\(count) clip\(count == 1 ? "" : "s")" + (filling.expires.map { ", expires \($0)" } ?? ""), in: db)
    }
    return .imported(content, clips: filling.clips.count, resumed: filling.present.count)
  }

  /// Sets another date of expiry where one is given.
  private func keep(_ dataset: StoredDataset, until expires: Expiry?, in db: Database) throws {
    guard let expires, expires != dataset.expires else { return }
    try db.execute(
      sql: "UPDATE dataset SET expires = ? WHERE id = ?", arguments: [expires.description, dataset.id])
    try record(.kept, dataset, detail: "expires \(expires)", in: db)
  }

  /// The unfinished import of the same source, or a new one in place of any other.
  private func unfinished(
    _ manifest: Manifest, digest: ContentHash, folder: String?, expires: Expiry?
  ) throws -> Filling {
    try write { db in
      let text = String(decoding: try canonicalJSON(manifest), as: UTF8.self)
      func filling(_ rows: ClipRows) throws -> Filling {
        let found = try Row.fetchAll(
          db, sql: "SELECT name, hash FROM \(rows.table) WHERE dataset = ?", arguments: [rows.dataset])
        return Filling(
          rows: rows, manifest: manifest, digest: digest, folder: folder, expires: expires,
          present: Dictionary(uniqueKeysWithValues: found.map { ($0["name"] as String, $0["hash"] as Data) }))
      }
      if let left = try datasets(where: "name = ? AND content IS NULL", [manifest.name], in: db).first {
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

/// The turn of an import among those under the same name, for as long as this value lives.
///
/// It is the lock on a file beside the store, which ends with the process.
private final class ImportTurn {
  private let file: String
  private var descriptor: Int32 = -1

  /// Waits as for the store itself.
  ///
  /// - Throws: `StoreError` where the wait was in vain or the file can't be made.
  init(_ name: String, in store: String) throws {
    let hash = SHA256()
    hash.update(name)
    // A name of the dataset itself may be longer than a file's.
    file = "\(store)-import-\(ContentHash(hash.finish()).short)"
    let timeout = BusyTimeout(store)
    var tries = 0
    while true {
      descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else {
        switch errno {
        case ENOSPC, EDQUOT: throw StoreError.diskFull(path: store)
        case EROFS, EACCES, EPERM: throw StoreError.readOnly(path: store)
        default: throw StoreError.cannotOpen(path: store, detail: "no file \(file) could be made beside it")
        }
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        if isThere { return }
        close(descriptor)
        continue
      }
      close(descriptor)
      descriptor = -1
      guard timeout.wait(tries) else { throw StoreError.importedElsewhere(path: store, dataset: name) }
      tries += 1
    }
  }

  /// Whether the file is still the one with its name: the process whose turn was before removes it.
  private var isThere: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(file, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  deinit {
    guard descriptor >= 0 else { return }
    unlink(file)
    close(descriptor)
  }
}

/// Writes the clips of an import down, a transaction for as many as make up sixteen megabytes, while the next are read.
///
/// One transaction is under way at a time, so that a kill costs an import thirty-two megabytes at most. What fails is thrown by
/// the call after it.
final class ClipWriter {
  private let store: Store
  private let rows: ClipRows
  private let dataset: String
  private var waiting: [NewClip] = []
  private var waitingBytes = 0
  /// Down while a transaction is under way.
  private let free = DispatchSemaphore(value: 1)
  private let failure = Failure()

  /// Bytes of poses after which clips are written down. With fewer, the disk is waited for more often.
  private static let transactionSize = 1 << 24
  /// As many that have labels only.
  private static let transactionClips = 1000

  /// - Parameter dataset: its name.
  init(_ store: Store, into rows: ClipRows, of dataset: String) {
    self.store = store
    self.rows = rows
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
    let (clips, rows, dataset, path, free, failure) = (waiting, rows, dataset, store.path, free, failure)
    waiting = []
    waitingBytes = 0
    free.wait()
    store.queue.asyncWrite { db in
      let isRemoved = try Bool.fetchOne(db, sql: "SELECT removed FROM dataset WHERE id = ?", arguments: [rows.dataset])
      guard isRemoved == false else { throw StoreError.changedMeanwhile(path: path, dataset: dataset) }
      for clip in clips { try clip.insert(into: rows, in: db) }
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

  func insert(into rows: ClipRows, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO \(rows.table) (dataset, name, info, labels, hash, times, poses)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    let info = String(decoding: texts.info, as: UTF8.self)
    let labels = String(decoding: texts.labels, as: UTF8.self)
    func insert(times: Data?, poses: Data?) throws {
      try statement.execute(arguments: [rows.dataset, clip.info.name, info, labels, hash, times, poses])
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
