import Foundation

/// The maximum number of numbers in the poses of one clip.
///
/// A clip is one BLOB of the store and completely in memory while it is replayed, checked or drawn. Its size alone
/// determines the memory of any command, because only one clip is in memory at a time.
public enum ClipSize {
  /// 100 MB of Float32: four and a half hours of 17 keypoints with x, y and confidence at 30 frames a second, or 105
  /// minutes of 33 keypoints that have z too.
  public static let most = 25_000_000

  /// - Parameters:
  ///   - orMore: Whether reading stopped there and more frames may follow.
  ///   - width: Numbers per frame.
  /// - Throws: `DataError` with the allowed number if these are too many frames.
  public static func check(frames: Int, orMore: Bool = false, of width: Int, file: String, clip: String? = nil) throws {
    let (count, isBeyond) = frames.multipliedReportingOverflow(by: width)
    guard isBeyond || count > most else { return }
    throw DataError(
      file: file, clip: clip,
      expected: "at most \(most) numbers in a clip (\(most / max(width, 1)) frames of \(width))",
      found: "\(frames) frames\(orMore ? " or more" : ""); split the recording into clips, such as one for each set")
  }
}

/// Frees a file's memory while it is read from front to back, to keep only a piece of it.
package struct ReadMemory {
  private let file: InputFile
  /// The end of the freed part.
  private var released: Int

  /// - Parameter position: The start of reading.
  package init(of file: InputFile, from position: Int = 0) {
    self.file = file
    released = position
  }

  /// Marks everything before `position` as read.
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
  /// Requests large pages for new memory, which take a fraction of the time of many small ones.
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
  /// Reserves memory for about this many elements, in large pages.
  package mutating func reserveLargePages(_ count: Int) {
    reserveCapacity(count)
    let capacity = capacity
    withUnsafeMutableBufferPointer { elements in
      UnsafeMutableBufferPointer(start: elements.baseAddress, count: capacity).preferLargePages()
    }
  }
}

extension [Float] {
  /// Turns rows into columns.
  ///
  /// - Parameters:
  ///   - width: The number of values in a row.
  ///   - places: For each row of the result its index in `rows`; `nil` makes all its values NaN.
  /// - Precondition: `rows` contains whole rows, and each place is one of them.
  package init(columnsOf rows: [Float], width: Int, places: [Int?]) {
    let count = places.count
    self.init(unsafeUninitializedCapacity: width * count) { columns, initialized in
      columns.preferLargePages()
      rows.withUnsafeBufferPointer { rows in
        // Handles as many rows at a time as a cache line has values, to write each line once.
        for start in stride(from: 0, to: count, by: 16) {
          let end = Swift.min(start + 16, count)
          if let first = Self.run(places[start..<end]) {
            for column in 0..<width {
              for row in start..<end {
                columns[column &* count &+ row] = rows[(first &+ row &- start) &* width &+ column]
              }
            }
          } else {
            for column in 0..<width {
              for row in start..<end {
                columns[column * count + row] = places[row].map { rows[$0 * width + column] } ?? .nan
              }
            }
          }
        }
      }
      initialized = width * count
    }
  }

  /// The first of consecutive places, the usual case; `nil` if they are not consecutive.
  private static func run(_ places: ArraySlice<Int?>) -> Int? {
    guard let first = places.first, let first else { return nil }
    for index in places.indices where places[index] != first + index - places.startIndex { return nil }
    return first
  }
}
