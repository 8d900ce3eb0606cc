import Datasets
import Foundation
import PoseModel

/// Poses as CSV or `.npy` in anybody's layout, a file a recording, with a YAML file that says what stands where.
///
/// ```yaml
/// skeleton: coco-17
/// coordinates: { unit: pixel, height: 1080, y_axis: down, channels: [x, y, confidence] }   # as in dataset.yaml
/// columns:                               # CSV: the columns of each keypoint, in the order of the channels
///   left_knee: [LKneeX, LKneeY, LKneeP]  # keypoints without columns are missing
/// frame: frame_no                        # column of the frame's number, or …
/// time: { column: t, unit: ms }          # … of its time, in s or ms; with neither, line by line
/// missing: -1                            # a value that stands for a missing one, if there is one
/// ```
///
/// For `.npy`, frames x keypoints x channels with axes of length 1 between them, `keypoints: [left_knee, …]` names the
/// keypoints of the second axis in place of `columns`; without it they are the skeleton's. A position of 0,0 is missing.
public struct MappedPoses: PoseTool {
  public static let format = "mapped"
  public static let summary = "CSV or .npy in your own layout, named by --mapping FILE (see README)"
  public static let options: Set<ImportOption> = [.fps, .exercise, .view, .subject, .folders, .mapping]
  static let tool = "a program of its own"
  static let endings = ["csv", "npy"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource
  init(_ source: ToolSource) { self.source = source }

  /// Nothing shows whose such files are: `--mapping` does.
  public static func recognises(_ path: String) -> Bool { false }

  static func isOurs(_ file: InputFile) -> Bool { true }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let mapping = try PoseMapping(options.mapping, format: format, path: directory)
    let isTable = !clip.files[0].path.lowercased().hasSuffix(".npy")
    return PoseShape(
      skeleton: mapping.skeleton, channels: mapping.channels, unit: .other(mapping.coordinates),
      hasTimes: isTable && mapping.time != nil, given: mapping.keypointCount)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let mapping = try PoseMapping(source.options.mapping, format: Self.format, path: source.directory)
    let input = try source.open(file)
    if file.path.lowercased().hasSuffix(".npy") {
      try Self.readArray(input, mapping, into: &recording)
    } else {
      try Self.readTable(input, mapping, into: &recording)
    }
  }

  private static func readTable(
    _ file: InputFile, _ mapping: PoseMapping, into recording: inout PoseRecording
  ) throws {
    let columns = try mapping.requiredColumns()
    var pose = [Float](repeating: .nan, count: recording.width)
    let places = columns.map(\.place)
    var next = 0
    let table = NumericCSV(file, columns: columns.map(\.name), key: mapping.frame ?? mapping.time?.column)
    try table.forEachRow { row in
      var frame = next
      if let time = mapping.time {
        frame = try row.microseconds(unit: time.microseconds)
      } else if mapping.frame != nil {
        frame = try row.integer()
      }
      next += 1
      guard try recording.begin(frame) else { return }
      for index in places.indices { pose[places[index]] = mapping.value(row.values[index]) }
      if next == 1 { recording.reserve(file.bytes.count / max(row.byteCount, 1) * 9 / 8) }
      if pose.contains(where: \.isFinite) { try recording.add(pose, to: frame) }
    }
    guard !recording.frames.isEmpty else {
      throw DataError(file: file.name, line: 2, expected: "at least one frame", found: "a header without rows")
    }
  }

  private static func readArray(
    _ file: InputFile, _ mapping: PoseMapping, into recording: inout PoseRecording
  ) throws {
    let array = try NumpyArray(file)
    try array.requireNoInfinity(file.name)
    let order = try mapping.arrayKeypoints()
    let width = order.count * mapping.fileChannels.count
    guard array.shape.count >= 3, array.shape.suffix(2) == [order.count, mapping.fileChannels.count],
      array.shape.dropFirst().dropLast(2).allSatisfy({ $0 == 1 })
    else {
      throw DataError(
        file: file.name, expected: "frames x \(order.count) x \(mapping.fileChannels.count) values",
        found: array.shape.map(String.init).joined(separator: " x "))
    }
    for frame in 0..<array.shape[0] {
      try recording.begin(frame)
      var pose = [Float](repeating: .nan, count: recording.width)
      for (index, keypoint) in order.enumerated() {
        for (offset, channel) in mapping.fileChannels.enumerated() {
          let place = keypoint * recording.channels.count + (recording.channels.firstIndex(of: channel) ?? 0)
          pose[place] = mapping.value(array.values[frame * width + index * mapping.fileChannels.count + offset])
        }
      }
      if pose.contains(where: \.isFinite) { try recording.add(pose, to: frame) }
    }
  }
}
