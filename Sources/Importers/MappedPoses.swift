import Files
import Foundation
import PoseModel

/// Poses as CSV or `.npy` in any layout, one file per recording, with a YAML file that maps it.
///
/// ```yaml
/// skeleton: coco-17
/// coordinates: { unit: pixel, height: 1080, y_axis: down, channels: [x, y, confidence] }   # as in dataset.yaml
/// columns:                               # CSV: the columns of each keypoint, in the order of the channels
///   left_knee: [LKneeX, LKneeY, LKneeP]  # keypoints without columns are missing
/// frame: frame_no                        # column of the frame's number, or …
/// time: { column: t, unit: ms }          # … of its time, in s or ms; with neither, line by line
/// missing: -1                            # the value for missing ones, if there is one
/// ```
///
/// For `.npy`, frames x keypoints x channels with axes of length 1 between them, `keypoints: [left_knee, …]` names the
/// keypoints of the second axis instead of `columns`; by default they are the skeleton's. A position of 0,0 is missing.
public struct MappedPoses: PoseTool {
  public static let format = "mapped"
  public static let summary = "CSV or .npy in your own layout, named by --mapping FILE (see docs/importing.md)"
  public static let options: Set<ImportOption> = [.fps, .exercise, .view, .subject, .folders, .mapping]
  static let tool = "another program"
  package static let endings = ["csv", "npy"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource
  init(_ source: ToolSource) { self.source = source }

  /// Such files have no distinguishing mark; `--mapping` selects this importer.
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

/// The contents of a mapping file for tables or arrays of poses.
struct PoseMapping {
  let skeleton: Skeleton
  let coordinates: CoordinateSystem
  /// The channels of each keypoint in the order of the file.
  let fileChannels: [Channel]
  /// The same in the order of `Channel`.
  let channels: [Channel]
  /// The column of the frame's number.
  let frame: String?
  /// The column of the frame's time, and the microseconds in its unit.
  let time: (column: String, microseconds: Double)?
  private let missing: Float?
  private let columns: [(keypoint: Int, names: [String])]
  private let keypoints: [Int]?
  private let yaml: YAMLMapping

  /// - Throws: `DataError` with line and key; `ImportOptionError` if no file is given.
  init(_ file: String?, format: String, path: String) throws {
    guard let file else {
      throw ImportOptionError.needed(format: format, path: path, options: [.mapping])
    }
    let yaml = try YAMLMapping(InputFile(file))
    try yaml.requireOnly(["skeleton", "coordinates", "columns", "keypoints", "frame", "time", "missing"])
    self.yaml = yaml
    let skeleton = try yaml.skeleton()
    self.skeleton = skeleton
    let coordinates = try yaml.mapping("coordinates")
    self.coordinates = try CoordinateSystem(coordinates)
    let fileChannels = try coordinates.channels()
    self.fileChannels = fileChannels
    channels = Channel.allCases.filter(fileChannels.contains)
    frame = try yaml.textIfPresent("frame")
    time = try yaml.hasMapping("time") ? Self.time(yaml.mapping("time")) : nil
    if yaml.keys.contains("time"), time == nil {
      throw yaml.failure("time", expected: "{ column: NAME, unit: s or ms }")
    }
    if frame != nil, time != nil {
      throw yaml.failure("time", expected: "frame or time", found: "both")
    }
    missing = yaml.keys.contains("missing") ? Float(try yaml.number("missing")) : nil
    columns = try yaml.keys.contains("columns") ? Self.columns(yaml.mapping("columns"), skeleton, fileChannels) : []
    keypoints =
      try yaml.keys.contains("keypoints")
      ? yaml.texts("keypoints").map { try Self.keypoint($0, skeleton, yaml, key: "keypoints") } : nil
  }

  private static func time(_ yaml: YAMLMapping) throws -> (column: String, microseconds: Double) {
    try yaml.requireOnly(["column", "unit"])
    let unit = try yaml.text("unit")
    guard unit == "s" || unit == "ms" else { throw yaml.failure("unit", expected: "s or ms") }
    return (try yaml.text("column"), unit == "s" ? 1e6 : 1e3)
  }

  private static func columns(
    _ yaml: YAMLMapping, _ skeleton: Skeleton, _ channels: [Channel]
  ) throws -> [(keypoint: Int, names: [String])] {
    try yaml.keys.map { key in
      let keypoint = try keypoint(key, skeleton, yaml, key: key)
      let names = try yaml.texts(key)
      guard names.count == channels.count else {
        throw yaml.failure(
          key, expected: "\(channels.count) columns, one per channel", found: "\(names.count)")
      }
      return (keypoint, names)
    }
  }

  private static func keypoint(
    _ name: String, _ skeleton: Skeleton, _ yaml: YAMLMapping, key: String
  ) throws -> Int {
    guard let place = skeleton.keypoints.firstIndex(of: name) else {
      throw yaml.failure(
        key, expected: "keypoints of \(skeleton.name)", found: NearNames.question(name, in: skeleton.keypoints))
    }
    return place
  }

  /// The number of mapped keypoints.
  var keypointCount: Int { columns.isEmpty ? keypoints?.count ?? skeleton.keypoints.count : columns.count }

  /// The columns of a table, each with the index of its value in a pose.
  ///
  /// - Throws: `DataError` if the mapping has none.
  func requiredColumns() throws -> [(place: Int, name: String)] {
    guard !columns.isEmpty else {
      throw DataError(file: yaml.file, line: yaml.line, expected: "columns, as the poses are CSV", found: "none")
    }
    return columns.flatMap { column in
      column.names.enumerated().map { offset, name in
        (column.keypoint * channels.count + (channels.firstIndex(of: fileChannels[offset]) ?? 0), name)
      }
    }
  }

  /// The keypoints along an array's second axis.
  ///
  /// - Throws: `DataError` if the mapping is for a table.
  func arrayKeypoints() throws -> [Int] {
    guard columns.isEmpty, frame == nil, time == nil else {
      throw DataError(
        file: yaml.file, line: yaml.line, expected: "no columns, frame or time in the mapping, as the poses are .npy",
        found: "some")
    }
    return keypoints ?? Array(skeleton.keypoints.indices)
  }

  /// A value of the file, NaN if it means missing.
  func value(_ value: Float) -> Float { value == missing ? .nan : value }
}
