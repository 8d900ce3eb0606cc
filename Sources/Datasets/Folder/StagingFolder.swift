import Foundation

/// A hidden folder beside a new one, in which it is written before it appears whole under its name.
///
/// Whoever is killed while writing leaves the hidden folder, which the next attempt clears away. A lock on it keeps two
/// writers apart and ends with the process.
final class StagingFolder {
  let path: String
  private let destination: String
  private let descriptor: Int32
  private var isMoved = false

  /// - Parameter mode: who may look in while it is written.
  /// - Throws: `DataError` where something stands at the destination but an empty folder, another process is writing
  ///   there, or the folder cannot be made.
  init(for destination: String, mode: mode_t = 0o755) throws {
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
  func move() throws {
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
