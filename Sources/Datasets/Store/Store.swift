import Files
import Foundation
import GRDB
import PoseModel
import Synchronization

/// The SQLite file that holds imported datasets and the history of runs.
///
/// A cache of dataset folders, which can be deleted and rebuilt, except for the history. Each transaction covers
/// sixteen megabytes of clips, or one run. If the process is killed at any instant, every finished dataset and run is
/// kept, nothing is half written, and an import keeps all clips but the last thirty-two megabytes.
///
/// Every change reads the old state in the same transaction: processes that write at the same time lose nothing.
public final class Store: Sendable {
  public let path: String
  let queue: DatabaseQueue
  /// The versions of its tables before and after an upgrade on opening; `nil` without an upgrade.
  public let upgrade: (from: Int, to: Int)?
  /// Of folders that this command has read, to be written with its run.
  let stamps = Mutex<[String: FileStamps]>([:])

  /// Whether a path can be a store's: SQLite stores nothing under an empty name or `:memory:`.
  public static func isFile(_ path: String) -> Bool { !path.isEmpty && path != ":memory:" }

  /// Opens the store at `path`, creating it and its folder if necessary.
  ///
  /// - Throws: `StoreError`.
  public init(at path: String) throws {
    self.path = path
    guard Self.isFile(path) else {
      throw StoreError.cannotOpen(path: path, detail: "the path is not a file name")
    }
    try Self.requireShortName(path)
    try Self.makeFolder(of: path)
    // SQLite reads a file shorter than its smallest page as an empty store, which would hide a lost store.
    let size =
      FileKind(path) == .directory ? 0 : (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size == 0 || size >= 512 else {
      throw StoreError.damaged(path: path, detail: "only \(size) bytes long")
    }
    try Self.create(path)
    var configuration = Configuration()
    let timeout = BusyTimeout(path)
    configuration.busyMode = .callback { timeout.wait($0) }
    configuration.prepareDatabase { db in
      // Before anything is written.
      try StoreSchema.requireOurs(db, path: path)
      Self.restrict(path)
      try db.execute(sql: "PRAGMA page_size = 16384")
      // Freed pages can be given back to the disk one by one; only in a new store, see `Store.erase()`.
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      // Deleted data is overwritten with zeros, and no part of it goes into the system's temporary folder.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      do { try Self.use(.log, in: db) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Another process is importing, and has switched to the other journal.
      }
      // 64 MB: a large import rarely waits for the disk.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
      // Small stores are read from the system's page cache; more than this would count as our memory.
      try db.execute(sql: "PRAGMA mmap_size = \(16 << 20)")
    }
    do {
      // With a folder before it, SQLite reads a name such as file:x as a name, not as a URI.
      queue = try DatabaseQueue(path: path.hasPrefix("/") ? path : "./\(path)", configuration: configuration)
      upgrade = try StoreSchema.upgrade(queue, path: path)
      try finishErasing()
    } catch {
      throw StoreError.meaning(of: error, path: path)
    }
  }

  /// The most bytes in the name of a new store: `.NAME-archive.100.partial` beside it may have 255.
  private static let longestName = 234
  /// The most bytes in its absolute path: SQLite takes 512 with `-journal`.
  private static let longestPath = 504

  /// Refuses a new store for which SQLite could make no journal, before there is a file of it.
  private static func requireShortName(_ path: String) throws {
    guard FileKind(path) == nil else { return }
    let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
    for (what, text, most) in [("name", PathParts(path).name, longestName), ("path", absolute, longestPath)]
    where text.utf8.count > most {
      throw StoreError.cannotOpen(
        path: path,
        detail: "its \(what) has \(text.utf8.count) bytes, more than \(most); give a shorter one with --store")
    }
  }

  private static func makeFolder(of path: String) throws {
    let folder = PathParts(path).folder
    guard !folder.isEmpty, !Files.makeFolder(folder) else { return }
    switch errno {
    case EROFS, EACCES, EPERM: throw StoreError.readOnly(path: path)
    case ENOSPC, EDQUOT: throw StoreError.diskFull(path: path)
    default: throw StoreError.cannotOpen(path: path, detail: "folder \(folder) could not be created there")
    }
  }

  /// Creates the file before SQLite does, readable only by its user whatever the umask; SQLite gives its journals the
  /// same permissions.
  ///
  /// - Throws: `StoreError` if one of its files is a pipe, on which SQLite would wait forever.
  private static func create(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, Permissions.file)
    if descriptor >= 0 {
      fchmod(descriptor, Permissions.file)
      close(descriptor)
      return
    }
    for file in files(of: path) {
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
        throw StoreError.cannotOpen(path: path, detail: "\(file) is a device, pipe or socket")
      }
    }
  }

  /// Removes others' access from a store of this user that an older version made readable for all. For what is known to
  /// be a store: another program's file keeps its permissions.
  private static func restrict(_ path: String) {
    for file in files(of: path) {
      var status = stat()
      if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
        status.st_mode & 0o007 != 0
      {
        chmod(file, Permissions.file)
      }
    }
  }

  /// The store and SQLite's files beside it.
  private static func files(of path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

  /// Runs `body` in a transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.write(body) } catch { throw StoreError.meaning(of: error, path: path) }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.read(body) } catch { throw StoreError.meaning(of: error, path: path) }
  }

  /// Runs a single reading statement, without the four statements of a transaction around it.
  func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.unsafeRead(body) } catch { throw StoreError.meaning(of: error, path: path) }
  }
}

/// The wait for a store that other processes are writing: five seconds, and longer while one of its files is being
/// written, at most ten minutes.
///
/// A dozen concurrent imports of a hundred megabytes each take turns that last longer than five seconds in total.
package struct BusyTimeout: Sendable {
  private let files: [String]

  package init(_ path: String) { files = ["", "-wal", "-journal"].map { path + $0 } }

  /// Waits a moment; returns whether to try again.
  ///
  /// SQLite's own waiting polls every tenth of a second, and would miss the short gaps between an import's
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
  ///   - waited: Seconds.
  ///   - now: Seconds since 1970.
  package func isWorthwhile(after waited: Double, at now: Double) -> Bool {
    guard waited >= 5 else { return true }
    return waited < 600 && files.contains { Self.lastWrite(of: $0).map { abs(now - $0) < 5 } ?? false }
  }

  /// In seconds since 1970; `nil` if there is no such file.
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

/// Errors of the store, each with advice.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  case locked(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  case damaged(path: String, detail: String)
  case cannotOpen(path: String, detail: String)
  case newerVersion(path: String)
  /// An SQLite file of another program.
  case foreign(path: String)
  /// A dataset differs from the bytes that were imported.
  ///
  /// - Parameters:
  ///   - clip: `nil` if the list of clips differs.
  ///   - folder: The folder that it is a cache of.
  case altered(path: String, dataset: String, clip: String?, folder: String?)
  /// A run, or a part stored separately, has changed since it was stored.
  case alteredRun(path: String, run: String)
  /// Another process has removed or changed a dataset since it was looked up.
  case changedMeanwhile(path: String, dataset: String)
  /// Another process is importing under the same name.
  case importedElsewhere(path: String, dataset: String)
  /// An import failed, and its data could not be removed.
  case notUndone(path: String, datasets: [String], cause: String)
  /// A dataset with this name and other content exists already.
  case nameTaken(dataset: String, stored: ContentHash)
  /// An imported dataset and its folder were both changed since they were last alike.
  ///
  /// - Parameter changes: What the folder changed, and the store.
  case bothChanged(dataset: String, folder: String, changes: String)
  /// An imported dataset and a folder with its name have no clip in common.
  case unrelated(dataset: String, folder: String)
  /// An imported dataset and its folder differ where only a person can choose.
  ///
  /// - Parameter conflicts: A line for each.
  case conflicts(dataset: String, folder: String, conflicts: [String])
  /// The same content was imported before, until a date that has passed.
  case expired(dataset: String, on: Expiry)
  case other(path: String, detail: String)

  public var description: String {
    switch self {
    case .locked(let path):
      "\(path): the store is locked by another process; wait until it ends and try again"
    case .readOnly(let path):
      "\(path): the store is read-only; check the permissions of the file and its folder"
    case .diskFull(let path): "\(path): the disk is full; nothing was changed; free some space and try again"
    case .damaged(let path, let detail):
      "\(path): the store is damaged or truncated (\(detail)); move it away and import the "
        + "datasets again, or restore a backup to keep the history of runs"
    case .cannotOpen(let path, let detail): "\(path): cannot open the store: \(detail)"
    case .newerVersion(let path):
      "\(path): the store was written by a newer version of bench; update bench"
    case .foreign(let path):
      "\(path): the file is another program's SQLite file; it was not changed; give another path "
        + "with --store"
    case .altered(let path, let dataset, let clip, let folder):
      "\(path): dataset \(dataset) was changed after its import: found "
        + (clip.map { "clip \($0) with other bytes" } ?? "other clips or another manifest")
        + "; bench dataset remove \(dataset) removes it, "
        + (folder.map { "and the next command reads it from \($0) again" } ?? "then import it again")
    case .alteredRun(let path, let run):
      "\(path): run \(run) was changed after it was stored; restore a backup of the store, or "
        + "remove the runs on its dataset with: bench dataset remove --runs NAME"
    case .changedMeanwhile(let path, let dataset):
      "\(path): dataset \(dataset) was removed or relabelled by another process while this command used it; run "
        + "it again"
    case .importedElsewhere(let path, let dataset):
      "\(path): another process is importing \(dataset); wait until it ends and try again"
    case .notUndone(let path, let datasets, let cause):
      "\(path): the import failed, as \(cause), and could not be undone: a part of \(datasets.joined(separator: " and of ")) "
        + "is still there, unfinished; remove it with bench dataset remove, or continue with the same import"
    case .nameTaken(let dataset, let stored):
      "dataset \(dataset): the store has another dataset with this name "
        + "(\(stored)); nothing was imported. Import under another --name, or, from a dataset folder, merge them with: "
        + "bench dataset sync \(dataset) --folder FOLDER"
    case .bothChanged(let dataset, let folder, let changes):
      "dataset \(dataset): the store and \(folder) were both changed (\(changes)); merge them with: "
        + "bench dataset sync \(dataset)"
    case .unrelated(let dataset, let folder):
      "dataset \(dataset): the store's and that of \(folder) have no clip in common, as after an export under pseudonyms; "
        + "nothing was changed; to have both, give one another name in its dataset.yaml or at its import"
    case .conflicts(let dataset, let folder, let conflicts):
      Self.text(of: conflicts, between: dataset, and: folder)
    case .expired(let dataset, let date):
      "dataset \(dataset): the store has it, but it expired on \(date); import it with a new --expires, or remove it with: "
        + "bench dataset purge"
    case .other(let path, let detail): "\(path): \(detail)"
    }
  }

  private static func text(of conflicts: [String], between dataset: String, and folder: String) -> String {
    let most = 40
    let count = "\(conflicts.count) conflict\(conflicts.count == 1 ? "" : "s")"
    var lines = ["dataset \(dataset): \(count) between the store and \(folder); nothing was changed"]
    lines += conflicts.prefix(most).map { "  \($0)" }
    if conflicts.count > most { lines.append("  and \(conflicts.count - most) more") }
    lines.append("To choose, add --keep store or --keep folder; the other side stays in the store under another name")
    return lines.joined(separator: "\n")
  }

  /// The meaning of SQLite's codes here.
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
    // Without write access to its folder SQLite cannot create the journal.
    case .SQLITE_CANTOPEN where access(PathParts(path).folder.nonEmpty, W_OK) != 0:
      self = .readOnly(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_PERM: self = .cannotOpen(path: path, detail: detail)
    default: self = .other(path: path, detail: detail)
    }
  }
}

extension StoreError {
  /// Whether the store's disk has no space for another page: SQLite then only reports that it could not write or open a
  /// file.
  private static func isDiskFull(_ path: String) -> Bool {
    var disk = statvfs()
    guard statvfs(PathParts(path).folder.nonEmpty, &disk) == 0 else { return false }
    return disk.f_bavail < 16384 / max(1, disk.f_frsize) + 1 || disk.f_files > 0 && disk.f_favail == 0
  }
}

extension String {
  /// The path of a folder as the system expects it: the current one is ".".
  fileprivate var nonEmpty: String { isEmpty ? "." : self }
}
