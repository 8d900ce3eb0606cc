import Foundation
import Testing

/// Holds a store as another process does that has it locked, for as long as this value lives.
///
/// The bytes are those of SQLite's EXCLUSIVE lock: pending, reserved and the 510 shared ones from 2^30 on ("File Locking
/// And Concurrency In SQLite Version 3"). As with every POSIX lock, nothing else in this process may open and close the
/// file meanwhile: that would end it.
final class StoreLock {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0x4000_0000
    range.l_len = 512
    let result = fcntl(descriptor, F_SETLK, &range)
    try #require(result == 0, "cannot lock \(path)")
  }

  deinit { close(descriptor) }
}
