import Foundation

/// The permissions of written files: readable only by the user, because they concern people.
package enum Permissions {
  package static let file: mode_t = 0o600
  package static let folder: mode_t = 0o700
}

/// Writes all bytes, in as many calls as the system needs. `false`, with the reason in `errno`, if it fails.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var sent = 0
  while sent < bytes.count {
    let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
    if count > 0 {
      sent += count
    } else if count < 0, errno == EAGAIN {
      // The descriptor may be non-blocking: waits until it can be written.
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&event, 1, -1)
    } else if count == 0 || errno != EINTR {
      return false
    }
  }
  return true
}

/// Creates a folder and its missing parents, accessible only to their user whatever the umask. `false`, with the reason
/// in `errno`, if that fails.
package func makeFolder(_ path: String) -> Bool {
  var status = stat()
  if stat(path, &status) == 0 {
    errno = ENOTDIR
    return status.st_mode & S_IFMT == S_IFDIR
  }
  if mkdir(path, Permissions.folder) == 0 { return chmod(path, Permissions.folder) == 0 }
  // Another process may create it meanwhile.
  if errno == EEXIST { return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR }
  let above = PathParts(path).folder
  guard errno == ENOENT, !above.isEmpty, above != path, makeFolder(above) else { return false }
  return (mkdir(path, Permissions.folder) == 0 && chmod(path, Permissions.folder) == 0) || errno == EEXIST
}

/// A new file that is written in large pieces, whatever the sizes of its input.
package final class OutputFile {
  private let name: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 16

  /// - Parameter name: The file's name in errors.
  /// - Throws: `DataError` if the file exists already or cannot be created.
  package convenience init(_ path: String, name: String) throws {
    try self.init(path, within: AT_FDCWD, name: name, permissions: Permissions.file)
  }

  /// The file in a staging folder.
  package convenience init(
    in staging: StagingFolder, name: String, permissions: mode_t = Permissions.file
  ) throws {
    try self.init(staging.fileName, within: staging.descriptor, name: name, permissions: permissions)
  }

  private init(_ path: String, within folder: Int32, name: String, permissions: mode_t) throws {
    self.name = name
    descriptor = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
    // Sets them again, because the umask may have removed some permissions.
    guard descriptor >= 0, fchmod(descriptor, permissions) == 0 else { throw DataError.cannotWrite(name) }
  }

  package func append(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the rest and closes the file. An unfinished file lacks its end.
  package func finish() throws {
    try flush()
    defer { descriptor = -1 }
    // Some file systems report a full disk only now.
    guard close(descriptor) == 0 else { throw DataError.cannotWrite(name) }
  }

  private func flush() throws {
    guard buffer.withUnsafeBytes({ writeAll($0, to: descriptor) }) else { throw DataError.cannotWrite(name) }
    buffer.removeAll(keepingCapacity: true)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension DataError {
  /// The error for a file or folder that cannot be written, with the system's current reason.
  package static func cannotWrite(_ file: String) -> DataError {
    DataError(file: file, expected: "a writable destination", found: String(cString: strerror(errno)).lowercased())
  }
}
