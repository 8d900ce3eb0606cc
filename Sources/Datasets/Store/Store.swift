import Files
import Foundation
import GRDB
import PoseModel

/// The SQLite file that holds imported datasets and the history of runs.
///
/// A cache of dataset folders, which can be deleted and filled again, except for the history. One transaction for sixteen
/// megabytes of clips and one a run: a process that is killed at any instant leaves every finished dataset and run, nothing
/// half there, and of an import all clips but the last thirty-two megabytes.
///
/// Whatever changes what is there reads it in the same transaction, so that processes that write at once lose nothing.
public final class Store: Sendable {
  public let path: String
  let queue: DatabaseQueue
  /// The versions of its tables before and after they were brought up to date on opening; `nil` where nothing was to do.
  public let upgrade: (from: Int, to: Int)?

  /// Whether a path can be a store's: SQLite keeps nothing of a store without a name or called `:memory:`.
  public static func isFile(_ path: String) -> Bool { !path.isEmpty && path != ":memory:" }

  /// Opens the store at `path`, making it and its folder where they are absent.
  ///
  /// - Throws: `StoreError`.
  public init(at path: String) throws {
    self.path = path
    guard Self.isFile(path) else {
      throw StoreError.cannotOpen(path: path, detail: "a name that is no file's")
    }
    try Self.makeFolder(of: path)
    // SQLite takes a file shorter than its smallest page for an empty store, which would hide a lost one.
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size == 0 || size >= 512 else {
      throw StoreError.damaged(path: path, detail: "only \(size) bytes long")
    }
    try Self.restrict(path)
    var configuration = Configuration()
    let timeout = BusyTimeout(path)
    configuration.busyMode = .callback { timeout.wait($0) }
    configuration.prepareDatabase { db in
      // Before anything is written.
      try StoreSchema.requireOurs(db, path: path)
      try db.execute(sql: "PRAGMA page_size = 16384")
      // What is freed can be given back to the disk page by page: of a new store only, see `Store.erase()`.
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      // What is deleted is overwritten with zeros, and no piece of it lies in the system's temporary folder.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      do { try Self.use(.log, in: db) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Another process is importing, and has it use the other journal.
      }
      // 64 MB: a large import waits for the disk every so often only.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
      // Clips are read where the system has them; more than this would count as memory of ours.
      try db.execute(sql: "PRAGMA mmap_size = \(192 << 20)")
    }
    do {
      // With a folder before it, a name such as file:x is a name to SQLite too, and no address.
      queue = try DatabaseQueue(path: path.hasPrefix("/") ? path : "./\(path)", configuration: configuration)
      upgrade = try StoreSchema.upgrade(queue, path: path)
      try finishErasing()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  private static func makeFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty, !Files.makeFolder(folder) else { return }
    switch errno {
    case EROFS, EACCES, EPERM: throw StoreError.readOnly(path: path)
    case ENOSPC, EDQUOT: throw StoreError.diskFull(path: path)
    default: throw StoreError.cannotOpen(path: path, detail: "no folder \(folder) could be made there")
    }
  }

  /// Makes the file before SQLite does, for its user alone whatever the umask; SQLite gives its journals the same
  /// permissions. A store of this user that all others may read, as older versions made it, is closed to them.
  ///
  /// - Throws: `StoreError` where one of its files is a pipe, at which SQLite would wait for ever.
  private static func restrict(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Permissions.file)
    if descriptor >= 0 {
      fchmod(descriptor, Permissions.file)
      close(descriptor)
      return
    }
    for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
        throw StoreError.cannotOpen(path: path, detail: "\(file) is a device, pipe or socket")
      }
      if FileKind(file) == .file, status.st_uid == geteuid(), status.st_mode & 0o007 != 0 {
        chmod(file, Permissions.file)
      }
    }
  }

  /// Runs `body` in a transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.write(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.read(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }

  /// Runs a single statement that reads, without the four that a transaction around it takes.
  func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.unsafeRead(body) } catch let error as DatabaseError { throw StoreError(error, path: path) }
  }
}

/// How long somebody waits for a store that others are writing: five seconds, and longer as long as one of its files is
/// being written, at most ten minutes.
///
/// A dozen imports at once, of a hundred megabytes each, take turns that last longer than five seconds together.
package struct BusyTimeout: Sendable {
  private let files: [String]

  package init(_ path: String) { files = ["", "-wal", "-journal"].map { path + $0 } }

  /// Waits a moment; says whether that was of use.
  ///
  /// SQLite's own way of waiting looks every tenth of a second, and would miss the moments that an import leaves between its
  /// transactions.
  func wait(_ tries: Int) -> Bool {
    usleep(Self.pause)
    return isWorthwhile(after: Double(tries) * Double(Self.pause) / 1e6, at: Date().timeIntervalSince1970)
  }

  /// Microseconds.
  private static let pause: UInt32 = 2_000

  /// Whether to go on waiting.
  ///
  /// - Parameters:
  ///   - waited: seconds.
  ///   - now: seconds since 1970.
  package func isWorthwhile(after waited: Double, at now: Double) -> Bool {
    guard waited >= 5 else { return true }
    return waited < 600 && files.contains { Self.lastWrite(of: $0).map { abs(now - $0) < 5 } ?? false }
  }

  /// In seconds since 1970; `nil` where there is no such file.
  private static func lastWrite(of file: String) -> Double? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    #if os(Linux)
      return Double(status.st_mtim.tv_sec)
    #else
      return Double(status.st_mtimespec.tv_sec)
    #endif
  }
}

/// What can go wrong with the store, in words that say what to do.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  case locked(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  case damaged(path: String, detail: String)
  case cannotOpen(path: String, detail: String)
  case newerVersion(path: String)
  /// An SQLite file that this program has not made.
  case foreign(path: String)
  /// A dataset does not have the bytes that were imported.
  ///
  /// - Parameters:
  ///   - clip: `nil` where other clips are there.
  ///   - folder: that it is a cache of.
  case altered(path: String, dataset: String, clip: String?, folder: String?)
  /// Another process has removed or changed a dataset since it was looked up.
  case changedMeanwhile(path: String, dataset: String)
  /// Another process is importing under the same name.
  case importedElsewhere(path: String, dataset: String)
  /// An import failed, and what it had written could not be removed.
  case notUndone(path: String, datasets: [String], cause: String)
  /// A dataset of this name with other content is there already.
  case nameTaken(dataset: String, stored: ContentHash)
  case other(path: String, detail: String)

  public var description: String {
    switch self {
    case .locked(let path):
      "\(path): expected to use the store, found it locked by another process; wait for that one to end"
    case .readOnly(let path):
      "\(path): expected a store that can be written, found it read-only; check the permissions of the file and its folder"
    case .diskFull(let path): "\(path): expected room for the store, found the disk full; nothing was changed"
    case .damaged(let path, let detail):
      "\(path): expected an SQLite store, found a damaged or truncated file (\(detail)); move it away and import the "
        + "datasets again, or bring back a copy to keep the history of runs"
    case .cannotOpen(let path, let detail): "\(path): expected to open the store, found: \(detail)"
    case .newerVersion(let path):
      "\(path): expected a store of this version of bench, found one that a newer version has written"
    case .foreign(let path):
      "\(path): expected a store of bench, found another program's SQLite file, which was left as it is; give another path "
        + "with --store"
    case .altered(let path, let dataset, let clip, let folder):
      "\(path): dataset \(dataset): expected the content that was imported, found "
        + (clip.map { "clip \($0) with other bytes" } ?? "other clips or another manifest")
        + "; bench dataset remove \(dataset) removes it, "
        + (folder.map { "and the next command reads it from \($0) again" } ?? "then import it again")
    case .changedMeanwhile(let path, let dataset):
      "\(path): dataset \(dataset) was removed by another process, or given other labels, while this command used it; run "
        + "it again"
    case .importedElsewhere(let path, let dataset):
      "\(path): expected to be the only import of \(dataset), found another process at it; wait for that one to end"
    case .notUndone(let path, let datasets, let cause):
      "\(path): the import failed, as \(cause), and could not be undone: a part of \(datasets.joined(separator: " and of ")) "
        + "is still there, unfinished; bench dataset remove removes it, and the same import goes on from it"
    case .nameTaken(let dataset, let stored):
      "dataset \(dataset): expected a new name or the same content, found another dataset of this name in the store "
        + "(\(stored)); nothing was imported. Remove that one first or import under another --name"
    case .other(let path, let detail): "\(path): \(detail)"
    }
  }

  /// What SQLite's code means here.
  init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, detail: detail)
    case .SQLITE_IOERR where detail.contains("disk full") || Self.isDiskFull(path),
      .SQLITE_CANTOPEN where Self.isDiskFull(path):
      self = .diskFull(path: path)
    // Without the right to write its folder SQLite can't make the journal.
    case .SQLITE_CANTOPEN where access((path as NSString).deletingLastPathComponent.nonEmpty, W_OK) != 0:
      self = .readOnly(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_PERM: self = .cannotOpen(path: path, detail: detail)
    default: self = .other(path: path, detail: detail)
    }
  }
}

extension StoreError {
  /// Whether the store's disk has no room for one more page of it: SQLite then says no more than that something could not be
  /// written or opened.
  private static func isDiskFull(_ path: String) -> Bool {
    var disk = statvfs()
    guard statvfs((path as NSString).deletingLastPathComponent.nonEmpty, &disk) == 0 else { return false }
    return disk.f_bavail < 16384 / max(1, disk.f_frsize) + 1 || disk.f_files > 0 && disk.f_favail == 0
  }
}

extension String {
  /// The path of a folder as the system wants it: the current one is ".".
  fileprivate var nonEmpty: String { isEmpty ? "." : self }
}
