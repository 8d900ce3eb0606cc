import Foundation

/// How many numbers the poses of one clip may have.
///
/// A clip is one BLOB of the store and is in memory as a whole where it is replayed, checked and drawn. Its size alone
/// decides what any command needs, since no other number of files or clips is kept.
public enum ClipSize {
  /// 100 MB of Float32: four and a half hours of 17 keypoints with x, y and confidence at 30 frames a second, 105 minutes
  /// of 33 keypoints that have z too.
  public static let most = 25_000_000

  /// - Parameters:
  ///   - orMore: whether reading stopped there, and more may follow.
  ///   - width: numbers of a frame.
  /// - Throws: `DataError` where so many frames are too many, which says how many are not.
  public static func check(frames: Int, orMore: Bool = false, of width: Int, file: String, clip: String? = nil) throws {
    let (count, isBeyond) = frames.multipliedReportingOverflow(by: width)
    guard isBeyond || count > most else { return }
    throw DataError(
      file: file, clip: clip,
      expected: "at most \(most) numbers in a clip, which are \(most / max(width, 1)) frames of \(width)",
      found: "\(frames) frames\(orMore ? " or more" : ""); split the recording into clips, such as one for each set")
  }
}

/// Gives a file's memory back while somebody reads through it from front to back, so that it takes no more than a piece.
package struct ReadMemory {
  private let file: InputFile
  /// Up to here it has been given back.
  private var released: Int

  /// - Parameter position: where reading begins.
  package init(of file: InputFile, from position: Int = 0) {
    self.file = file
    released = position
  }

  /// Notes that everything before `position` has been read.
  @inline(__always)
  package mutating func pass(_ position: Int) {
    if position &- released >= InputFile.pieceSize { release(position) }
  }

  @inline(never)
  private mutating func release(_ position: Int) {
    file.release(released..<position)
    released = position
  }
}

extension UnsafeMutableBufferPointer {
  /// Asks for large pages before new memory is filled, which take a fraction of the time that as many small ones do.
  package func preferLargePages() {
    #if os(Linux)
      let page = 1 << 21
      guard let baseAddress, count * MemoryLayout<Element>.stride >= 2 * page else { return }
      let start = (UInt(bitPattern: baseAddress) + UInt(page) - 1) / UInt(page) * UInt(page)
      let end = (UInt(bitPattern: baseAddress) + UInt(count * MemoryLayout<Element>.stride)) / UInt(page) * UInt(page)
      madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    #endif
  }
}

extension Array where Element: BitwiseCopyable {
  /// Makes room for about so many elements, in large pages.
  package mutating func reserveLargePages(_ count: Int) {
    reserveCapacity(count)
    let capacity = capacity
    withUnsafeMutableBufferPointer { elements in
      UnsafeMutableBufferPointer(start: elements.baseAddress, count: capacity).preferLargePages()
    }
  }
}
