import Foundation

/// A lock between processes, and between values of one process: a file of its own, which is removed with the lock.
///
/// It ends with the process, and the file that a killed one leaves can be locked like a new one.
package final class FileLock {
  private let path: String
  private let descriptor: Int32

  /// The lock's file cannot be created.
  package struct Unavailable: Error {
    /// The system's reason, as in `errno`.
    package let reason: Int32
  }

  /// Locks a file; `nil` if another has the lock and `wait` ends.
  ///
  /// - Parameters:
  ///   - path: The lock's file, which holds nothing else.
  ///   - wait: Waits a moment; takes how often it has waited, and returns whether to try again.
  /// - Throws: `Unavailable`.
  package init?(_ path: String, wait: (Int) -> Bool) throws {
    var tries = 0
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, Permissions.file)
      guard descriptor >= 0 else { throw Unavailable(reason: errno) }
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      // The previous holder removes its file, and another process may have created a new one since.
      if isLocked, Self.isThere(descriptor, path) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      close(descriptor)
      if isLocked { continue }
      guard wait(tries) else { return nil }
      tries += 1
    }
  }

  /// Removes the file of a lock that a killed process left: one that is empty and that nobody has locked.
  package static func clear(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isThere(descriptor, path), lseek(descriptor, 0, SEEK_END) == 0 {
      unlink(path)
    }
    close(descriptor)
  }

  /// Whether the open file still has the name.
  private static func isThere(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
