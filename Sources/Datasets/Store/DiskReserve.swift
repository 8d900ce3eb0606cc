import Foundation

/// Room on the disk that is set aside before a large write, so that taking it back still works once the disk is full:
/// a removal too has to write a little first.
final class DiskReserve {
  private let path: String

  /// More than the pages that removing a dataset changes: those of its rows and of the list of free pages.
  private static let size = 1 << 20

  /// - Throws: `StoreError.diskFull` where there is no such room.
  init(beside store: String) throws {
    path = "\(store)-reserve-\(getpid())"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let zeros = Data(count: Self.size)
    // A file system without the room takes less than it is given, or nothing.
    guard zeros.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == Self.size else {
      unlink(path)
      throw StoreError.diskFull(path: store)
    }
  }

  /// Gives the room back.
  func release() { unlink(path) }

  deinit { release() }
}
