import Foundation

/// A new file that is written in large pieces, whatever the size of what it is given.
package final class OutputFile {
  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let bufferSize = 1 << 16

  /// - Parameter name: what errors call the file.
  /// - Throws: `DataError` where there is such a file already or none can be made.
  package init(_ path: String, name: String) throws {
    self.name = name
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw DataError.cannotWrite(name) }
  }

  package func append(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is left. A file that is not finished lacks its end.
  package func finish() throws { try flush() }

  private func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw DataError.cannotWrite(name) }
        start += count
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension DataError {
  /// A file or folder that cannot be written, with the system's reason of this moment.
  package static func cannotWrite(_ file: String) -> DataError {
    DataError(file: file, expected: "to write here", found: String(cString: strerror(errno)).lowercased())
  }
}

/// A hidden folder beside a new one, in which it is written before it appears whole under its name.
///
/// Whoever is killed while writing leaves the hidden folder, which the next attempt clears away. A lock on it keeps two
/// writers apart and ends with the process.
package final class StagingFolder {
  package let path: String
  private let destination: String
  private let descriptor: Int32
  private var isMoved = false

  /// - Parameter mode: who may look in while it is written.
  /// - Throws: `DataError` where something stands at the destination but an empty folder, another process is writing
  ///   there, or the folder cannot be made.
  package init(for destination: String, mode: mode_t = 0o755) throws {
    try Self.requireVacant(destination)
    let url = URL(fileURLWithPath: destination)
    let parent = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw DataError(file: parent.relativePath, expected: "to make this folder", found: error.localizedDescription)
    }
    path = parent.appendingPathComponent(".\(url.lastPathComponent).partial").path
    self.destination = destination
    if FileKind(path) != nil {
      // Left by a writer that was killed, unless somebody holds its lock.
      let left = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      defer { if left >= 0 { close(left) } }
      guard left >= 0, flock(left, LOCK_EX | LOCK_NB) == 0 else {
        throw DataError(file: destination, expected: "to be its only writer", found: "another process writing it")
      }
      try? FileManager.default.removeItem(atPath: path)
    }
    guard mkdir(path, mode) == 0 else { throw DataError.cannotWrite(destination) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw DataError.cannotWrite(destination)
    }
  }

  /// Moves the folder to its destination, in one step.
  package func move() throws {
    // rename replaces an empty folder, and fails where somebody has put something there meanwhile.
    guard rename(path, destination) == 0 else { throw DataError.cannotWrite(destination) }
    isMoved = true
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
    if descriptor >= 0 { close(descriptor) }
  }
}
