import CRename
import Foundation

/// A hidden folder beside a new file or folder, which is written there before it appears under its name.
///
/// It is new and accessible only to its user: nobody else can read it or put anything there. A process that is killed
/// while writing leaves it behind, and the next attempt deletes it; a lock that ends with the process distinguishes it
/// from one in use. Anything that others put in its place is left alone and never waited for, and another name is used.
package final class StagingFolder {
  package let path: String
  let descriptor: Int32
  private let destination: String
  private var isMoved = false

  /// How many names are tried if others are in use.
  private static let limit = 100

  /// Prepares a folder that appears by `move`.
  ///
  /// - Throws: `DataError` if there is anything but an empty folder at the destination, another process is writing
  ///   there, or the folder cannot be created.
  package convenience init(for destination: String) throws {
    try Self.requireVacant(destination)
    try self.init(beside: destination, isShared: false)
  }

  /// Prepares a file that appears by `moveFile`; several processes may write the same file, and the last one's stays.
  ///
  /// - Throws: `DataError` if no folder can be created, or the destination is a folder.
  package convenience init(forFile destination: String) throws {
    // A folder such as `.` has no name of its own to stage a file under.
    guard FileKind(destination) != .directory else {
      errno = EISDIR
      throw DataError.cannotWrite(destination)
    }
    try self.init(beside: destination, isShared: true)
  }

  /// Prepares a folder that takes the place of an existing one by `exchange`.
  ///
  /// - Throws: `DataError` if another process is writing there, or the folder cannot be created.
  package convenience init(replacing destination: String) throws {
    try self.init(beside: destination, isShared: false)
  }

  /// - Parameter isShared: Whether another process may be writing the same file.
  private init(beside destination: String, isShared: Bool) throws {
    self.destination = destination
    let folder = PathParts(destination).folder
    if !folder.isEmpty, !makeFolder(folder) { throw DataError.cannotWrite(destination) }
    Self.clear(for: destination)
    for number in 1...Self.limit {
      let path = Self.path(for: destination, number)
      if mkdir(path, Permissions.folder) == 0 {
        // Another process that is cleaning up may have taken the new one for an abandoned one.
        guard let descriptor = FolderLock.take(path), fchmod(descriptor, Permissions.folder) == 0 else { continue }
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      guard errno == EEXIST else { throw DataError.cannotWrite(destination) }
      guard isShared || !FolderLock.isTaken(path) else {
        throw DataError(
          file: destination, expected: "no other writer", found: "another process writing it; wait until it ends")
      }
    }
    throw DataError(
      file: destination, expected: "a free temporary name such as \(Self.path(for: destination, 1))",
      found: "\(Self.limit) files with such names; remove them")
  }

  /// Moves the folder to its destination atomically.
  package func move() throws {
    // rename replaces an empty folder, and fails if another process has put something there meanwhile.
    guard rename(path, destination) == 0 else { throw DataError.cannotWrite(destination) }
    isMoved = true
  }

  /// Exchanges the folder with the one at its destination, which is then at `path` and is deleted with this value; a
  /// second call undoes it. Atomic where the file system can exchange two names.
  package func exchange() throws {
    if exchange_paths(path, destination) == 0 { return }
    let aside = path + ".old"
    guard [EINVAL, ENOSYS, ENOTSUP].contains(errno), rename(destination, aside) == 0 else {
      throw DataError.cannotWrite(destination)
    }
    guard rename(path, destination) == 0 else {
      let reason = errno
      rename(aside, destination)
      errno = reason
      throw DataError.cannotWrite(destination)
    }
    rename(aside, path)
  }

  /// Moves the file of this folder to the destination atomically, replacing a file there.
  package func moveFile() throws {
    // Uses the folder's descriptor: another user may have put a different folder under its name.
    guard renameat(descriptor, fileName, AT_FDCWD, destination) == 0 else { throw DataError.cannotWrite(destination) }
  }

  /// The file's name within this folder.
  var fileName: String { PathParts(destination).name }

  /// Removes the remains of a file or folder that killed processes of this user left.
  package static func clear(for destination: String) {
    let folder = PathParts(destination).folder
    let start = ".\(PathParts(destination).name)."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names where name.hasPrefix(start) && name.hasSuffix("partial") {
      let middle = name.dropFirst(start.count).dropLast("partial".count)
      let found = PathParts.join(folder, name)
      guard middle.isEmpty || Int(middle.dropLast()).map({ path(for: destination, $0) }) == found else { continue }
      FolderLock.clear(found)
    }
  }

  /// `.squats.partial`, `.squats.2.partial`.
  private static func path(for destination: String, _ number: Int) -> String {
    let parts = PathParts(destination)
    return PathParts.join(parts.folder, ".\(parts.name).\(number == 1 ? "" : "\(number).")partial")
  }

  private static func requireVacant(_ destination: String) throws {
    guard let kind = FileKind(destination) else { return }
    let entries = kind == .directory ? try? FileManager.default.contentsOfDirectory(atPath: destination) : nil
    guard let entries, entries.isEmpty else {
      throw DataError(
        file: destination, expected: "a new or an empty folder",
        found: kind == .directory ? "a folder that is not empty" : "something else with that name")
    }
    // These cannot be replaced by a folder that is moved to their place.
    guard !["", ".", ".."].contains(PathParts(destination).name) else {
      throw DataError(
        file: destination, expected: "the name of a new or an empty folder", found: "the current one or one above it")
    }
  }

  deinit {
    if !isMoved { try? FileManager.default.removeItem(atPath: path) }
    close(descriptor)
  }
}

/// Copies a file, a folder with everything in it, or a symbolic link to a new path; files become hard links where the
/// file system allows it.
///
/// - Throws: `DataError` if something cannot be read or written, or is a device, pipe or socket.
package func linkTree(_ path: String, to copy: String) throws {
  var status = stat()
  guard lstat(path, &status) == 0 else { throw DataError.cannotWrite(copy) }
  switch status.st_mode & S_IFMT {
  case S_IFREG:
    if link(path, copy) == 0 { return }
    do { try FileManager.default.copyItem(atPath: path, toPath: copy) } catch { throw DataError.cannotWrite(copy) }
  case S_IFLNK:
    do {
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: target)
    } catch { throw DataError.cannotWrite(copy) }
  case S_IFDIR:
    guard mkdir(copy, Permissions.folder) == 0 else { throw DataError.cannotWrite(copy) }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw DataError(file: path, expected: "a folder that can be read", found: error.localizedDescription)
    }
    for name in names { try linkTree("\(path)/\(name)", to: "\(copy)/\(name)") }
    chmod(copy, status.st_mode & 0o7777)
  default: throw DataError(file: path, expected: "a file or folder", found: "a device, pipe or socket")
  }
}

/// The lock of a folder of this user, which lasts as long as its descriptor is open.
package enum FolderLock {
  /// Locks a folder; `nil` if another process has locked it, or it is not a folder of this user.
  package static func take(_ path: String) -> Int32? {
    // Waits neither for a path that is not a folder nor for the lock.
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

  /// Removes the folder at a path if it is this user's and nobody has locked it.
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

/// A private temporary folder, deleted with this value.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter purpose: A part of its name.
  /// - Throws: `DataError` if none can be created.
  package init(_ purpose: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(purpose)-XXXXXX").path
    var template = Array(folder.utf8CString)
    guard mkdtemp(&template) != nil else { throw DataError.cannotWrite(folder) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, Permissions.folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
