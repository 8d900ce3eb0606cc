import Files
import Foundation
import PoseModel

/// MediaPipe Pose as CSV: one line per frame, with columns for x, y, z and visibility of the 33 landmarks; one file per
/// video.
///
/// Columns are named by landmark, `left_knee_x`, `LEFT_KNEE_x`, `leftKneeX` or `x_left_knee`, or by its number: `x0, y0, z0, v0 …`, `x1 … v33`,
/// `landmark_0_x`. Visibility is `v`, `c`, `vis`, `visibility`, `score` or `confidence`. Some named landmarks may be
/// absent; numbered ones must run from 0 to 32 or from 1 to 33. `frame` (or `frame_num`, `frame_id`, `frame_number`,
/// `frame_idx`) is the frame's number, `time_s`, `time`, `seconds`, `time_ms` or `timestamp_ms` its time; without
/// either, lines are consecutive frames. x and y are shares of the image, y down; z grows away from the camera on the
/// scale of x. An empty field or `nan` is missing. Other columns are left out. Whether the numbers are shares of the
/// image, pixels or metres about the hips is inferred from their range, and the unit of `timestamp` from a rate of 1 to
/// 1000 frames a second. Tables without a header, with a line per landmark, with other separators or with tuples are
/// read by
/// `LandmarkText`.
///
/// - Source: landmark list and coordinates of the MediaPipe Pose Landmarker guide,
///   ai.google.dev/edge/mediapipe/solutions/vision/pose_landmarker. The files are written by users' own code.
public struct MediaPipeCSV: LandmarkTool {
  public static let format = "mediapipe-csv"
  public static let summary =
    "MediaPipe's landmarks as a table: frame,nose_x,nose_y …, x1,y1,z1,v1 …, a line per landmark and others"
  static let tool = "MediaPipe Pose"
  static let endings = ["csv", "tsv", "txt"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    if LandmarkColumns(header(file)) != nil { return true }
    return LandmarkText(InputFile(name: file.name, bytes: file.bytes.prefix(LandmarkSample.length))) != nil
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let file = try InputFile(clip.files[0].path, in: directory)
    var shape = try landmarkShape(clip, in: directory)
    if let columns = LandmarkColumns(header(file)) {
      shape.channels = columns.channels
      shape.given = columns.landmarkCount
    }
    return shape
  }

  static func forEachFrame(
    _ file: InputFile, isWorld: Bool, facts: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void
  ) throws {
    guard !isWorld else { return }
    guard let text = LandmarkText(file) else {
      throw DataError(file: file.name, line: 1, expected: "columns of landmarks", found: "others")
    }
    try text.forEachFrame(facts: &facts, body)
  }

  private static func header(_ file: InputFile) -> [String] {
    let start = file.bytes.prefix(1 << 16).withoutByteOrderMark
    let line = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return (try? CSVTable(InputFile(name: file.name, bytes: line), required: [], ignoringOthers: true).columns) ?? []
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    // Most files have named columns and are read at the speed of their numbers.
    guard let columns = LandmarkColumns(Self.header(input)) else { return try readLandmarks(file, into: &recording) }
    guard columns.channels == recording.channels else {
      throw DataError(
        file: input.name, line: 1, expected: "the columns of the files before", found: "others")
    }
    if !columns.facts.isEmpty { recording.facts.add(try facts(in: input)) }
    let key = source.shape.hasTimes ? columns.time?.name : columns.frame
    if source.shape.hasTimes, key == nil {
      throw DataError(
        file: input.name, line: 1, expected: "a column of times, as in the files before", found: "none")
    }
    let unit = source.shape.hasTimes ? try columns.time?.unit ?? timeUnit(of: file) : .seconds
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
        frame = try row.microseconds(unit: unit.rawValue)
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

extension MediaPipeCSV {
  /// The size and rate in columns of the first row.
  private func facts(in file: InputFile) throws -> ClipFacts {
    var facts = ClipFacts()
    do {
      try Self.forEachFrame(file, isWorld: false, facts: &facts) { _ in throw EnoughRead() }
    } catch is EnoughRead {}
    return facts
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
  /// The unit is `nil` if the name has none.
  private(set) var time: (name: String, unit: TimeUnit?)?
  /// The columns of the image's size and the rate.
  private(set) var facts: [String] = []

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
      if let key = FrameKey(word) {
        switch key {
        case .number: frame = name
        case .time(let unit): if time == nil || unit != nil { time = (name, word == "time" ? .seconds : unit) }
        case .fps, .width, .height: facts.append(name)
        }
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

  /// `left_knee_x`, `leftknee_x`, `x_left_knee` or `leftkneex`.
  private static func named(_ word: String) -> (landmark: Int, channel: Channel)? {
    func found(_ name: Substring, _ channel: Substring) -> (landmark: Int, channel: Channel)? {
      // With a digit it is a numbered landmark, which may count from 1.
      guard let channel = suffixes[String(channel)], !name.contains(where: \.isNumber) else { return nil }
      return (landmarks[String(name)] ?? LandmarkName.named(String(name))).map { ($0, channel) }
    }
    if let cut = word.lastIndex(of: "_"), let last = found(word[..<cut], word[word.index(after: cut)...]) {
      return last
    }
    if let cut = word.firstIndex(of: "_"), let first = found(word[word.index(after: cut)...], word[..<cut]) {
      return first
    }
    return found(word.dropLast(), word.suffix(1))
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
