import Datasets
import Files
import Foundation
import PoseModel

/// Continuous tennis with OpenPose's 18 keypoints and one label per frame: `forehand.csv`, `backhand.csv` and the like.
///
/// A file has `frame_num`, `Nose_x, Nose_y …` and `action_gt_num`: 0 idle, 1 forehand, 2 backhand, 3 slice on the forehand
/// side (`foreslice`), 4 on the backhand side (`backslice`). 30 frames a second; an empty field is missing. A swing is
/// labelled on 26 frames around its stroke: these become an interval, with an event in its middle. Consecutive frames
/// with one label are one interval, or several if they are a multiple of 26. Fewer at the start or end of a file are a
/// swing that is cut off: an interval without an event. Takes the folder or one file.
///
/// Positions are divided by the width and the height of the person's bounding box, which distorts proportions. They
/// were whole pixels, which allows inferring the box's size from the fractions (`BoundingBoxSize`); positions become
/// pixels within the box. The place of the box and the distance of the camera remain unknown: only proportions within a
/// frame have a meaning.
///
/// - Source: unknown; published without a paper as CSV files of these names.
public struct TennisStream: Importer {
  public static let format = "tennis-stream"
  public static let summary = "continuous tennis with OpenPose-18 poses: CSV files with frame_num … action_gt_num"

  public let manifest: Manifest
  public private(set) var remarks: [String] = []
  private let directory: String
  private let files: [String]

  public static func recognises(_ path: String) -> Bool {
    guard let source = source(path) else { return false }
    return source.files.contains { isStream(source.folder, $0) }
  }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [try TennisStream(from: path, name: options.name)]
  }

  public init(from path: String, name: String?) throws {
    guard let source = Self.source(path) else {
      throw DataError(file: path, expected: "a folder with forehand.csv and the like", found: "no CSV file")
    }
    directory = source.folder.path
    // A file that is empty or cannot be opened counts as a stream: reading it reports the error.
    files = source.files.filter {
      Self.isStream(source.folder, $0) || source.folder.firstLine(of: $0) == ""
        || (try? InputFile($0, in: source.folder.path)) == nil
    }
    guard !files.isEmpty else {
      throw DataError(file: path, expected: "CSV files with frame_num … action_gt_num", found: "none")
    }
    manifest = Manifest(
      name: name ?? Self.format, version: "1", licence: "unknown",
      source: "continuous tennis with OpenPose's keypoints and a label a frame; publisher unknown", origin: .recorded,
      caveat: """
        The players are unknown: every file counts as a subject of its own. A stroke is the middle of a window of 26 \
        frames. Positions are pixels within the person's bounding box, which moves and changes size from frame to \
        frame.
        """,
      skeleton: Skeleton.openPose18.name, coordinates: CoordinateSystem(unit: .relative, yAxis: .down),
      channels: [.x, .y])
    let others = source.files.filter { !files.contains($0) }
    if !others.isEmpty { remarks.append("left out \(others.joined(separator: ", ")), which has other columns") }
  }

  public var clipCount: Int { files.count }

  private static let rate = 30.0
  private static let window = 26
  /// By `action_gt_num`, from 1.
  static let labels = ["forehand", "backhand", "foreslice", "backslice"]
  /// The bounding box in pixels if neither a frame's own nor its neighbours' can be inferred: a person taking a step.
  private static let usualBox = (width: 160.0, height: 400.0)
  /// The columns' names, in the order of the skeleton.
  private static let joints = [
    "Nose", "Neck", "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist", "RHip", "RKnee", "RAnkle", "LHip",
    "LKnee", "LAnkle", "REye", "LEye", "REar", "LEar",
  ]

  private static func source(_ path: String) -> (folder: SourceFolder, files: [String])? {
    if let folder = SourceFolder(path), let files = try? folder.names(endingIn: "csv") { return (folder, files) }
    let url = URL(fileURLWithPath: path)
    guard url.pathExtension.lowercased() == "csv", let folder = SourceFolder(url.deletingLastPathComponent().path)
    else { return nil }
    return (folder, [url.lastPathComponent])
  }

  private static func isStream(_ folder: SourceFolder, _ file: String) -> Bool {
    folder.firstLine(of: file)?.wholeMatch(of: /frame_num,.*,action_gt_num/) != nil
  }

  private static func clipName(_ file: String) -> String { String(file.dropLast(4)) }

  public func digest() throws -> ContentHash { try ContentHash.files(files, in: directory) }

  public func clip(_ index: Int) throws -> Clip {
    let name = Self.clipName(files[index])
    try PortableName.require(name, of: "\(directory)/\(files[index])")
    let table = try CSVTable(
      InputFile(files[index], in: directory),
      required: ["frame_num"] + Self.joints.flatMap { ["\($0)_x", "\($0)_y"] } + ["action_gt_num"])
    let numbers = try FrameGrid.numbers(table, column: "frame_num")
    var grid = try FrameGrid(
      frameCount: (numbers.last ?? 0) + 1, keypointCount: Self.joints.count, channels: manifest.channels,
      file: table.file)
    var actions = [Int](repeating: 0, count: grid.frameCount)
    var fractions: [(x: [Double?], y: [Double?])] = []
    for (row, frame) in zip(table.rows, numbers) {
      let action = try row.integer("action_gt_num")
      guard (0...Self.labels.count).contains(action) else {
        throw row.failure("action_gt_num", clip: name, expected: "a whole number from 0 to \(Self.labels.count)")
      }
      actions[frame] = action
      fractions.append(
        (
          x: try Self.joints.map { try row.numberIfPresent("\($0)_x") },
          y: try Self.joints.map { try row.numberIfPresent("\($0)_y") }
        ))
    }
    let widths = Self.boxSizes(fractions.map(\.x), usual: Self.usualBox.width)
    let heights = Self.boxSizes(fractions.map(\.y), usual: Self.usualBox.height)
    for (row, frame) in numbers.enumerated() {
      for joint in Self.joints.indices {
        let x = fractions[row].x[joint].map { Float($0 * widths[row]) }
        let y = fractions[row].y[joint].map { Float($0 * heights[row]) }
        grid.set(frame, keypoint: joint, channel: 0, x ?? .nan)
        grid.set(frame, keypoint: joint, channel: 1, y ?? .nan)
      }
    }
    return Clip(
      info: Clip.Info(name: name, subject: name, exercise: "tennis", view: "", fps: Self.rate, split: ""),
      keypoints: grid.keypoints(rate: Self.rate), labels: Self.swings(actions))
  }

  private static func boxSizes(_ fractions: [[Double?]], usual: Double) -> [Double] {
    BoundingBoxSize.sizes(
      fractions.map { BoundingBoxSize.leastCommonDenominator(of: $0.compactMap(\.self)) }, usual: usual)
  }

  private static func swings(_ actions: [Int]) -> GroundTruth {
    var labels = GroundTruth()
    var start = 0
    while start < actions.count {
      let end = actions[start...].firstIndex { $0 != actions[start] } ?? actions.count
      if actions[start] > 0 {
        let label = Self.labels[actions[start] - 1]
        let length = (end - start).isMultiple(of: window) ? window : end - start
        for first in stride(from: start, to: end, by: length) {
          let interval = Segment(
            start: Microseconds(frame: first, rate: rate), end: Microseconds(frame: first + length, rate: rate),
            label: label)
          labels.intervals.append(interval)
          let isCutOff = length < window && (start == 0 || end == actions.count)
          if !isCutOff {
            let middle = Microseconds(frame: first + length / 2, rate: rate)
            labels.events.append(LabelledInstant(time: middle, label: label))
          }
        }
      }
      start = end
    }
    return labels
  }
}

/// The size in pixels of a box whose pixel positions were divided by it.
///
/// Keypoints divided by the width and height of a person's box lose the person's proportions. If the positions were
/// whole pixels, the size can be recovered: each value is a fraction whose denominator divides the size, and the least
/// common multiple of the denominators is the size, or a divisor of it if all pixels share a factor with it.
enum BoundingBoxSize {
  /// The least common denominator of some values in 0…1; `nil` if there is none up to `largest`, or no values.
  static func leastCommonDenominator(of values: some Sequence<Double>) -> Int? {
    var common = 1
    for value in values where value > 0 && value < 1 {
      guard let denominator = denominator(of: value) else { return nil }
      common = common / greatestCommonDivisor(common, denominator) * denominator
      guard common <= largest else { return nil }
    }
    return common > 1 ? common : nil
  }

  /// The size in each frame from the least common denominators.
  ///
  /// A denominator much below the median of its neighbours, from 7 frames before to 7 after, is assumed to lack a
  /// factor that all pixels share, and multiplied up to the median. Without a denominator, the median itself is the
  /// size.
  ///
  /// - Parameter usual: The size if no neighbour has a denominator.
  static func sizes(_ denominators: [Int?], usual: Double) -> [Double] {
    denominators.indices.map { frame in
      let around = denominators[max(0, frame - reach)...min(denominators.count - 1, frame + reach)]
      let known = around.compactMap(\.self).sorted()
      let median = known.isEmpty ? usual : Double(known[known.count / 2])
      guard let denominator = denominators[frame].map(Double.init) else { return median }
      let factor = median / denominator
      // A box around a retracting arm shrinks by less than this from one frame to the next.
      return factor < 1.75 ? denominator : denominator * factor.rounded()
    }
  }

  private static let reach = 7

  /// The smallest denominator whose fraction is the value to within rounding, by continued fractions.
  private static func denominator(of value: Double) -> Int? {
    var (last, current) = (0, 1)
    var rest = value
    while true {
      let size = current
      if abs(value * Double(size) - (value * Double(size)).rounded()) < 1e-9 * Double(size) { return size }
      let fraction = rest - rest.rounded(.down)
      guard fraction > 1e-12 else { return nil }
      rest = 1 / fraction
      let next = rest.rounded(.down) * Double(current) + Double(last)
      guard next <= Double(largest) else { return nil }
      (last, current) = (current, Int(next))
    }
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }

  /// The pixels of an 8K video.
  private static let largest = 8192
}
