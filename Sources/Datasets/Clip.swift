import Files
import PoseModel

/// One recording of one subject, or of one person's set.
public struct Clip: Sendable {
  /// What a row of `clips.csv` says.
  public struct Info: Hashable, Codable, Sendable {
    public var name: String
    public var subject: String
    public var exercise: String
    /// Where the camera stood: `front`, `side`, `oblique`, or empty where it is unknown.
    public var view: String
    /// Nominal frames a second.
    public var fps: Double
    /// `train`, `test` or whatever the dataset's split is called; may be empty.
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
  /// `nil` where a clip comes with labels only, to score another system's predictions against.
  public var keypoints: Keypoints?
  public var labels: GroundTruth

  public init(info: Info, keypoints: Keypoints?, labels: GroundTruth) {
    self.info = info
    self.keypoints = keypoints
    self.labels = labels
  }
}

/// A dataset in memory: its manifest and every clip.
///
/// Made by the motion generator and by tests. Reading, importing and replaying go clip by clip instead.
public struct Dataset: Sendable {
  public var manifest: Manifest
  public var clips: [Clip]

  public init(manifest: Manifest, clips: [Clip]) {
    self.manifest = manifest
    self.clips = clips
  }
}

extension Microseconds {
  /// The time in seconds as files and messages hold it, exact and without trailing zeros: `12.5`.
  package var decimalSeconds: String {
    let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let sign = count < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

extension CSVRow {
  /// A time in seconds from 0 on.
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
  /// Between two frames of a clip no more time may pass: what is longer is a slip, such as a clock that was set.
  public static let longestPause = Microseconds(3_600_000_000)
}

extension Keypoints {
  /// Builds the columns from values in file order, of which each frame has its place: frame by frame, keypoint by keypoint,
  /// channel by channel.
  ///
  /// - Parameter places: of each frame, which of `frames` it is; all its values are missing where that is `nil`.
  /// - Precondition: there is a place for each frame, and `frames` holds whole frames.
  package init(times: [Microseconds], keypointCount: Int, channels: [Channel], frames: [Float], places: [Int?]) {
    let width = keypointCount * channels.count
    let count = times.count
    precondition(places.count == count)
    let values = [Float](unsafeUninitializedCapacity: width * count) { columns, initialized in
      columns.preferLargePages()
      frames.withUnsafeBufferPointer { rows in
        // As many frames at a time as a cache line has values, so that each line is written once.
        for start in stride(from: 0, to: count, by: 16) {
          let end = min(start + 16, count)
          if let first = Self.run(places[start..<end]) {
            for column in 0..<width {
              for frame in start..<end {
                columns[column &* count &+ frame] = rows[(first &+ frame &- start) &* width &+ column]
              }
            }
          } else {
            for column in 0..<width {
              for frame in start..<end {
                columns[column * count + frame] = places[frame].map { rows[$0 * width + column] } ?? .nan
              }
            }
          }
        }
      }
      initialized = width * count
    }
    self.init(times: times, keypointCount: keypointCount, channels: channels, values: values)
  }

  /// The first of places that follow each other, as they mostly do; `nil` where they do not.
  private static func run(_ places: ArraySlice<Int?>) -> Int? {
    guard let first = places.first, let first else { return nil }
    for index in places.indices where places[index] != first + index - places.startIndex { return nil }
    return first
  }
}
