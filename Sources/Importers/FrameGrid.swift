import Files
import PoseModel

/// Poses filled in by frame number, on a time axis without gaps.
///
/// A frame that is never filled in is one without a person: all its keypoints are missing.
struct FrameGrid {
  let frameCount: Int
  private let keypointCount: Int
  private let channels: [Channel]
  /// As in `Keypoints`.
  private var values: [Float]

  /// The longest plausible gap in frame numbers: five minutes at 30 frames a second.
  static let longestGap = 10_000
  /// The most gap frames per existing frame, in addition to one longest gap. Both limits bound the memory that a file
  /// can claim.
  static let mostGapsPerFrame = 100

  /// - Throws: `DataError` if a clip may not have that many numbers.
  init(frameCount: Int, keypointCount: Int, channels: [Channel], file: String) throws {
    try ClipSize.check(frames: frameCount, of: keypointCount * channels.count, file: file)
    self.frameCount = frameCount
    self.keypointCount = keypointCount
    self.channels = channels
    values = [Float](repeating: .nan, count: frameCount * keypointCount * channels.count)
  }

  /// - Precondition: the frame lies below `frameCount`.
  mutating func set(_ frame: Int, keypoint: Int, channel: Int, _ value: Float) {
    values[(keypoint * channels.count + channel) * frameCount + frame] = value
  }

  func keypoints(rate: Double) -> Keypoints {
    Keypoints(
      times: [Microseconds](frames: frameCount, rate: rate), keypointCount: keypointCount,
      channels: channels, values: values)
  }

  /// Reads a column of frame numbers, each greater than the one before.
  ///
  /// - Throws: `DataError` with the line of a number that is not greater, or leaves too large a gap.
  static func numbers(_ table: CSVTable, column: String) throws -> [Int] {
    var numbers: [Int] = []
    for row in table.rows {
      let next = (numbers.last ?? -1) + 1
      let last = min(next + longestGap, numbers.count * mostGapsPerFrame + longestGap)
      let number = try row.integer(column)
      guard number >= next, number <= last else {
        throw row.failure(column, expected: "a frame number from \(next) to \(last)")
      }
      numbers.append(number)
    }
    guard !numbers.isEmpty else {
      throw DataError(file: table.file, line: 2, expected: "at least one frame", found: "a header without rows")
    }
    return numbers
  }
}

extension CSVRow {
  /// A keypoint's coordinate; NaN if the field is empty or `nan`.
  ///
  /// - Throws: `DataError` with line and column for anything else that is not a number within the range of `Float`.
  func coordinate(_ column: String) throws -> Float {
    guard let text = try textIfPresent(column), text.lowercased() != "nan" else { return .nan }
    let value = Float(try number(column))
    guard value.isFinite else { throw failure(column, expected: "a number within ±3.4e38") }
    return value
  }
}
