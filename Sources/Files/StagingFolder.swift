import Foundation

/// A hidden folder beside a new file or folder, in which it is written before it appears whole under its name.
///
/// It is made anew and is its user's alone, so that nobody else can have put anything there or read it. A process that is
/// killed while writing leaves it, and the next attempt clears it away; a lock, which ends with the process, tells it from one
/// that is in use. What others have put in its place is left alone, never waited for, and another name is taken.
package final class StagingFolder {
  package let path: String
  let descriptor: Int32
  private let destination: String
  private var isMoved = false

  /// Names that are tried where others are in use.
  private static let limit = 100

  /// For a folder that appears by `move`.
  ///
  /// - Throws: `DataError` where something stands at the destination but an empty folder, another process is writing
  ///   there, or the folder cannot be made.
  package convenience init(for destination: String) throws {
    try Self.requireVacant(destination)
    try self.init(beside: destination, isShared: false)
  }

  /// For a file that appears by `moveFile`; several processes may write the same one, and the last one's stays.
  ///
  /// - Throws: `DataError` where no folder can be made.
  package convenience init(forFile destination: String) throws {
    try self.init(beside: destination, isShared: true)
  }

  /// - Parameter isShared: whether another process may be writing the same.
  private init(beside destination: String, isShared: Bool) throws {
    self.destination = destination
    let folder = (destination as NSString).deletingLastPathComponent
    if !folder.isEmpty, !makeFolder(folder) { throw DataError.cannotWrite(destination) }
    Self.clear(for: destination)
    for number in 1...Self.limit {
      let path = Self.path(for: destination, number)
      if mkdir(path, Permissions.folder) == 0 {
        // Another process that clears away may have taken the new one for one that was left.
        guard let descriptor = FolderLock.take(path), fchmod(descriptor, Permissions.folder) == 0 else { continue }
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      guard errno == EEXIST else { throw DataError.cannotWrite(destination) }
      guard isShared || !FolderLock.isTaken(path) else {
        throw DataError(file: destination, expected: "to be its only writer", found: "another process writing it")
      }
    }
    throw DataError(
      file: destination, expected: "to write it as \(Self.path(for: destination, 1)) first",
      found: "\(Self.limit) files of such names; remove them")
  }

  /// Moves the folder to its destination, in one step.
  package func move() throws {
    // rename replaces an empty folder, and fails where somebody has put something there meanwhile.
    guard rename(path, destination) == 0 else { throw DataError.cannotWrite(destination) }
    isMoved = true
  }

  /// Moves the file of this folder to the destination, in one step and in the place of a file there.
  package func moveFile() throws {
    // By the folder's descriptor: another user may have put a different folder under its name.
    guard renameat(descriptor, fileName, AT_FDCWD, destination) == 0 else { throw DataError.cannotWrite(destination) }
  }

  /// What the file is called within this folder.
  var fileName: String { (destination as NSString).lastPathComponent }

  /// Removes what killed processes of this user left of a file or folder.
  package static func clear(for destination: String) {
    let folder = (destination as NSString).deletingLastPathComponent
    let start = ".\((destination as NSString).lastPathComponent)."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names where name.hasPrefix(start) && name.hasSuffix("partial") {
      let middle = name.dropFirst(start.count).dropLast("partial".count)
      guard middle.isEmpty || Int(middle.dropLast()).map({ path(for: destination, $0) }) == join(folder, name) else {
        continue
      }
      FolderLock.clear(join(folder, name))
    }
  }

  /// `.squats.partial`, `.squats.2.partial`.
  private static func path(for destination: String, _ number: Int) -> String {
    let name = (destination as NSString).lastPathComponent
    return join(
      (destination as NSString).deletingLastPathComponent, ".\(name).\(number == 1 ? "" : "\(number).")partial")
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  private static func requireVacant(_ destination: String) throws {
    guard let kind = FileKind(destination) else { return }
    let entries = kind == .directory ? try? FileManager.default.contentsOfDirectory(atPath: destination) : nil
    guard let entries, entries.isEmpty else {
      throw DataError(
        file: destination, expected: "a new or an empty folder",
        found: kind == .directory ? "a folder that is not empty" : "something else of that name")
    }
  }

  deinit {
    if !isMoved { try? FileManager.default.removeItem(atPath: path) }
    close(descriptor)
  }
}

/// The lock of a folder of this user, which is held as long as its descriptor is open.
package enum FolderLock {
  /// Locks a folder; `nil` where another process has it locked, or where no folder of this user is there under this name.
  package static func take(_ path: String) -> Int32? {
    // Neither waits: not opening what is no folder, nor the lock.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (held, there) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, held.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      lstat(path, &there) == 0, held.st_ino == there.st_ino, held.st_dev == there.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Whether another process has a folder of this user locked.
  static func isTaken(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid() && flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Removes what stands at a path where it is this user's and nobody has it locked.
  package static func clear(_ path: String) {
    if let lock = take(path) {
      try? FileManager.default.removeItem(atPath: path)
      close(lock)
      return
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT != S_IFDIR else { return }
    unlink(path)
  }
}

/// A folder of this user alone among the system's temporary ones, gone with this value.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter purpose: a part of its name.
  /// - Throws: `DataError` where none can be made.
  package init(_ purpose: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(purpose)-XXXXXX").path
    var template = Array(folder.utf8CString)
    guard mkdtemp(&template) != nil else { throw DataError.cannotWrite(folder) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, Permissions.folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
