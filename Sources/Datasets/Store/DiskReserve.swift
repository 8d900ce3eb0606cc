import Foundation

/// Room on the disk that is set aside before a large write, so that taking it back still works once the disk is full:
/// a removal too has to write a little first.
///
/// The file has no name once it is open, so that the room comes back whatever becomes of the process.
final class DiskReserve {
  private var descriptor: Int32

  /// More than the pages that removing a dataset changes: those of its rows and of the list of free pages.
  private static let size = 1 << 20

  /// - Throws: `StoreError.diskFull` where there is no such room.
  init(beside store: String) throws {
    // One name for all, so that whoever is killed before the next line leaves what the next one takes away.
    let path = "\(store)-reserve"
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    unlink(path)
    let zeros = Data(count: Self.size)
    // A file system without the room takes less than it is given, or nothing.
    guard zeros.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == Self.size else {
      release()
      throw StoreError.diskFull(path: store)
    }
  }

  /// Gives the room back.
  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { release() }
}
