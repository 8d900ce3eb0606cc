import Files
import Foundation
import PoseModel

/// MediaPipe Pose as CSV: one line per frame, with columns for x, y, z and visibility of the 33 landmarks; one file per
/// video.
///
/// Columns are named by landmark, `left_knee_x` or `LEFT_KNEE_x`, or by its number: `x0, y0, z0, v0 …`, `x1 … v33`,
/// `landmark_0_x`. Visibility is `v`, `c`, `vis`, `visibility`, `score` or `confidence`. Some named landmarks may be
/// absent; numbered ones must run from 0 to 32 or from 1 to 33. `frame` (or `frame_num`, `frame_id`, `frame_number`,
/// `frame_idx`) is the frame's number, `time_s`, `time`, `seconds`, `time_ms` or `timestamp_ms` its time; without
/// either, lines are consecutive frames. x and y are shares of the image, y down; z grows away from the camera on the
/// scale of x. An empty field or `nan` is missing. Other columns are left out.
///
/// - Source: landmark list and coordinates of the MediaPipe Pose Landmarker guide,
///   ai.google.dev/edge/mediapipe/solutions/vision/pose_landmarker. The files are people's own.
public struct MediaPipeCSV: PoseTool {
  public static let format = "mediapipe-csv"
  public static let summary = "MediaPipe's landmarks as CSV, one line per frame: frame,nose_x,nose_y … or x1,y1,z1,v1 …"
  static let tool = "MediaPipe Pose"
  static let endings = ["csv"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool { LandmarkColumns(header(file)) != nil }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    guard let columns = LandmarkColumns(header(try InputFile(clip.files[0].path, in: directory))) else {
      throw DataError(file: clip.files[0].path, line: 1, expected: "columns of landmarks", found: "others")
    }
    return PoseShape(
      skeleton: .blazePose33, channels: columns.channels, unit: .image, hasTimes: columns.time != nil,
      given: columns.landmarkCount)
  }

  private static func header(_ file: InputFile) -> [String] {
    let start = file.bytes.prefix(1 << 16).withoutByteOrderMark
    let line = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return (try? CSVTable(InputFile(name: file.name, bytes: line), required: [], ignoringOthers: true).columns) ?? []
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    guard let columns = LandmarkColumns(Self.header(input)), columns.channels == recording.channels else {
      throw DataError(
        file: input.name, line: 1, expected: "the columns of the files before", found: "others")
    }
    let key = source.shape.hasTimes ? columns.time?.name : columns.frame
    if source.shape.hasTimes, key == nil {
      throw DataError(
        file: input.name, line: 1, expected: "a column of times, as in the files before", found: "none")
    }
    var pose = [Float](repeating: .nan, count: recording.width)
    let places = columns.places.map(\.place)
    // If there are times, frame numbers only show which frames are missing.
    let counter = source.shape.hasTimes ? columns.frame : nil
    var numbers = FrameGaps()
    // Most files have all values in the order of a pose.
    let areAll = places == Array(pose.indices)
    var next = 0
    let names = columns.places.map(\.name) + (counter.map { [$0] } ?? [])
    try NumericCSV(input, columns: names, key: key).forEachRow { row in
      var frame = next
      if source.shape.hasTimes {
        frame = try row.microseconds(unit: columns.time?.isMilliseconds == true ? 1e3 : 1e6)
      } else if key != nil {
        frame = try row.integer()
      }
      next += 1
      guard try recording.begin(frame) else { return }
      if next == 1 { recording.reserve(input.bytes.count / max(row.byteCount, 1) * 9 / 8) }
      if counter != nil { numbers.add(row.values[places.count]) }
      let values = UnsafeBufferPointer(rebasing: row.values[..<places.count])
      guard values.contains(where: \.isFinite) else { return }
      if areAll { return try recording.add(values, to: frame) }
      for index in places.indices { pose[places[index]] = values[index] }
      try recording.add(pose, to: frame)
    }
    if let remark = numbers.remark { recording.notes.append(remark) }
    guard !recording.frames.isEmpty else {
      throw DataError(file: input.name, line: 2, expected: "at least one frame", found: "a header without rows")
    }
  }
}

/// The columns of a table for BlazePose's landmarks.
struct LandmarkColumns {
  /// The index among a pose's values, and the column's name.
  private(set) var places: [(place: Int, name: String)] = []
  private(set) var channels: [Channel] = []
  private(set) var frame: String?
  /// How many landmarks have columns.
  private(set) var landmarkCount = 0
  private(set) var time: (name: String, isMilliseconds: Bool)?

  private static let frameNames: Set = ["frame", "frame_num", "frame_id", "frame_number", "frame_idx"]
  private static let timeNames = [
    "time_s": false, "time": false, "seconds": false, "time_ms": true, "timestamp_ms": true,
  ]
  private static let suffixes: [String: Channel] = [
    "x": .x, "y": .y, "z": .z, "v": .confidence, "c": .confidence, "vis": .confidence, "visibility": .confidence,
    "score": .confidence, "confidence": .confidence,
  ]

  /// `nil` if no column is a landmark's, or a landmark has x without y.
  init?(_ header: [String]) {
    var named: [Int: [Channel: String]] = [:]
    var numbered: [Int: [Channel: String]] = [:]
    for name in header {
      let word = String(name.lowercased().map { " .-".contains($0) ? "_" : $0 })
      if Self.frameNames.contains(word) {
        frame = name
      } else if let isMilliseconds = Self.timeNames[word] {
        time = (name, isMilliseconds)
      } else if let (landmark, channel) = Self.named(word) {
        named[landmark, default: [:]][channel] = name
      } else if let (number, channel) = Self.numbered(word) {
        numbered[number, default: [:]][channel] = name
      }
    }
    if named.isEmpty {
      let count = Skeleton.blazePose33.keypoints.count
      // Numbers begin with 0 or 1.
      guard let first = numbered.keys.min(), first <= 1, numbered.count == count,
        numbered.keys.max() == first + count - 1
      else { return nil }
      named = Dictionary(uniqueKeysWithValues: numbered.map { ($0.key - first, $0.value) })
    }
    guard !named.isEmpty, named.values.allSatisfy({ $0[.x] != nil && $0[.y] != nil }) else { return nil }
    landmarkCount = named.count
    channels = Channel.allCases.filter { channel in named.values.contains { $0[channel] != nil } }
    for (landmark, columns) in named.sorted(by: { $0.key < $1.key }) {
      for (offset, channel) in channels.enumerated() {
        if let name = columns[channel] { places.append((landmark * channels.count + offset, name)) }
      }
    }
  }

  private static let landmarks = Dictionary(
    uniqueKeysWithValues: Skeleton.blazePose33.keypoints.enumerated().map { ($1, $0) })

  private static func named(_ word: String) -> (landmark: Int, channel: Channel)? {
    guard let cut = word.lastIndex(of: "_"), let channel = suffixes[String(word[word.index(after: cut)...])] else {
      return nil
    }
    return landmarks[String(word[..<cut])].map { ($0, channel) }
  }

  /// The possible prefixes of a landmark's number.
  private static let prefixes: Set<Substring> = ["", "landmark", "lm", "kp", "point", "pose", "joint"]

  /// `landmark_12_x`, `12_x` or `x12`.
  private static func numbered(_ word: String) -> (number: Int, channel: Channel)? {
    let letters = word.prefix { ("a"..."z").contains($0) }
    var rest = word[letters.endIndex...]
    if !letters.isEmpty, rest.first == "_" { rest.removeFirst() }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard digits.count <= 2, let number = Int(digits) else { return nil }
    let tail = rest[digits.endIndex...]
    if tail.isEmpty { return suffixes[String(letters)].map { (number, $0) } }
    guard tail.first == "_", prefixes.contains(letters) else { return nil }
    return suffixes[String(tail.dropFirst())].map { (number, $0) }
  }
}

/// The gaps in a table's frame numbers, if frames have times.
struct FrameGaps {
  private var last: Int?
  private var missing = 0
  private var example = ""

  /// Adds the next frame's number; one that is invalid or not greater is ignored.
  mutating func add(_ number: Float) {
    guard let number = Int(exactly: number) else { return }
    defer { last = number }
    guard let last, number > last + 1 else { return }
    if missing == 0 { example = number == last + 2 ? "\(last + 1)" : "\(last + 1) to \(number - 1)" }
    missing += number - last - 1
  }

  /// `nil` if there are no gaps.
  var remark: String? {
    missing == 0 ? nil : "frame numbers skip \(missing), first \(example); times are used as given"
  }
}
