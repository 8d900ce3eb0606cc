import PoseModel

/// How many numbers the poses of one clip may have.
///
/// A clip is one BLOB of the store and is in memory as a whole where it is replayed, checked and drawn. Its size alone
/// decides what any command needs, since no other number of files or clips is kept.
public enum ClipSize {
  /// 100 MB of Float32: four and a half hours of 17 keypoints with x, y and confidence at 30 frames a second, 105 minutes
  /// of 33 keypoints that have z too.
  public static let most = 25_000_000

  /// Between two frames of a clip no more time may pass: what is longer is a slip, such as a clock that was set.
  public static let longestPause = Microseconds(3_600_000_000)

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
