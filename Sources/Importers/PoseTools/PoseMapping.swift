import Datasets
import PoseModel

/// What a mapping file says of tables or arrays of poses.
struct PoseMapping {
  let skeleton: Skeleton
  let coordinates: CoordinateSystem
  /// Of each keypoint in the order of the file.
  let fileChannels: [Channel]
  /// The same in the order of `Channel`.
  let channels: [Channel]
  /// The column of the frame's number.
  let frame: String?
  /// The column of the frame's time, and how many microseconds its unit has.
  let time: (column: String, microseconds: Double)?
  private let missing: Float?
  private let columns: [(keypoint: Int, names: [String])]
  private let keypoints: [Int]?
  private let yaml: YAMLMapping

  /// - Throws: `DataError` with line and key; `ImportOptionError` where no file is named.
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
          key, expected: "\(channels.count) columns, one a channel", found: "\(names.count)")
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

  /// How many keypoints it names.
  var keypointCount: Int { columns.isEmpty ? keypoints?.count ?? skeleton.keypoints.count : columns.count }

  /// The columns of a table, each with the place of its value among a pose's.
  ///
  /// - Throws: `DataError` where the mapping names none.
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
  /// - Throws: `DataError` where the mapping is of a table.
  func arrayKeypoints() throws -> [Int] {
    guard columns.isEmpty, frame == nil, time == nil else {
      throw DataError(
        file: yaml.file, line: yaml.line, expected: "a mapping without columns, frame and time, as the poses are .npy",
        found: "one with")
    }
    return keypoints ?? Array(skeleton.keypoints.indices)
  }

  /// A value of the file, NaN where it stands for a missing one.
  func value(_ value: Float) -> Float { value == missing ? .nan : value }
}
