import Files
import PoseModel

/// One recording of one subject, or of one person's set.
public struct Clip: Sendable {
  /// A row of `clips.csv`.
  public struct Info: Hashable, Codable, Sendable {
    public var name: String
    public var subject: String
    public var exercise: String
    /// The position of the camera: `front`, `side`, `oblique`, or empty if unknown.
    public var view: String
    /// Nominal frames a second.
    public var fps: Double
    /// `train`, `test` or another name of the dataset's split; may be empty.
    public var split: String

    public init(name: String, subject: String, exercise: String, view: String, fps: Double, split: String) {
      self.name = name
      self.subject = subject
      self.exercise = exercise
      self.view = view
      self.fps = fps
      self.split = split
    }
  }

  public var info: Info
  /// `nil` for a clip with labels only, used to score another system's predictions.
  public var keypoints: Keypoints?
  public var labels: GroundTruth

  public init(info: Info, keypoints: Keypoints?, labels: GroundTruth) {
    self.info = info
    self.keypoints = keypoints
    self.labels = labels
  }
}

/// A dataset in memory: its manifest and all clips.
///
/// Only the motion generator and tests use it; reading, importing and replaying work clip by clip.
public struct Dataset: Sendable {
  public var manifest: Manifest
  public var clips: [Clip]

  public init(manifest: Manifest, clips: [Clip]) {
    self.manifest = manifest
    self.clips = clips
  }
}

extension Microseconds {
  /// The time in seconds as written in files and messages, exact and without trailing zeros: `12.5`.
  package var decimalSeconds: String {
    let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let sign = count < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    // Each frame that is sent to a program has a time: numbers are shortened faster than texts.
    var (rest, places) = (fraction, 6)
    while rest % 10 == 0 { (rest, places) = (rest / 10, places - 1) }
    let digits = String(rest)
    return "\(sign)\(whole).\(String(repeating: "0", count: places - digits.utf8.count))\(digits)"
  }
}

extension CSVRow {
  /// A time in seconds, 0 or more.
  public func time(_ column: String) throws -> Microseconds {
    guard let seconds = decimal(column)?.value, let time = Microseconds(seconds: seconds), time >= .zero else {
      throw failure(column, expected: "a time in seconds from 0")
    }
    return time
  }

  public func timeIfPresent(_ column: String) throws -> Microseconds? {
    isEmpty(column) ? nil : try time(column)
  }
}

extension CSVField {
  /// Seconds, exact to the microsecond.
  public static func time(_ time: Microseconds) -> CSVField { .literal(time.decimalSeconds) }
}

extension ClipSize {
  /// The longest time between two frames of a clip; anything longer is an error, such as a clock that was reset.
  public static let longestPause = Microseconds(3_600_000_000)
}

extension Keypoints {
  /// Builds the columns from values in file order: frame by frame, keypoint by keypoint, channel by channel.
  ///
  /// - Parameter places: For each frame its index in `frames`; `nil` makes all its values missing.
  /// - Precondition: There is a place for each frame, and `frames` contains whole frames.
  package init(times: [Microseconds], keypointCount: Int, channels: [Channel], frames: [Float], places: [Int?]) {
    precondition(places.count == times.count)
    self.init(
      times: times, keypointCount: keypointCount, channels: channels,
      values: [Float](columnsOf: frames, width: keypointCount * channels.count, places: places))
  }
}
