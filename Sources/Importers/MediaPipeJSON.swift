import Files
import PoseModel

/// MediaPipe Pose as JSON or JSON Lines: 33 landmarks of each frame, in any layout that `LandmarkJSON` finds.
///
/// The usual one is a list of frames, perhaps under `frames`, with a list of `{"x", "y", "z", "visibility"}` each, alone or
/// under `landmarks`, `poseLandmarks`, `pose_landmarks` or `keypoints`; a list of such lists is several people. It may have
/// a number (`frame`) or a time (`timestamp_ms`, `timestamp`). An empty list means no person. x and y are shares of the
/// image, pixels or metres about the hips, inferred from their range; y down; z grows away from the camera on the scale
/// of x.
/// One file is one recording, or one frame if it has no more.
///
/// - Source: MediaPipe Pose Landmarker, `PoseLandmarkerResult` and `NormalizedLandmark`,
///   ai.google.dev/edge/api/mediapipe/python/mp/tasks/vision/PoseLandmarkerResult; ML Kit, `PoseLandmark`,
///   developers.google.com/ml-kit/vision/pose-detection. The files are written by users' own code.
public struct MediaPipeJSON: LandmarkTool {
  public static let format = "mediapipe-json"
  public static let summary =
    "MediaPipe's landmarks as JSON or JSON Lines, 33 a frame: [{\"landmarks\": [{x, y, z, visibility}]}] and others"
  static let tool = "MediaPipe Pose"
  static let endings = ["json", "jsonl", "ndjson"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool { isUsual(file) || hasLandmarks(file) }

  static func grouping(_ path: String) -> ToolFiles.Grouping {
    guard SourceFolder(path) != nil, let files = try? SourceFolder(path)?.files(endingIn: endings, limit: 2),
      files.count > 1
    else { return .clipPerFile }
    let frames = files.map { (try? InputFile($0, in: path)).map(LandmarkJSON.isFrame) ?? false }
    return frames.allSatisfy { $0 } ? .framePerFile : .clipPerFile
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    try landmarkShape(clip, in: directory)
  }

  static func forEachFrame(
    _ file: InputFile, isWorld: Bool, facts: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void
  ) throws {
    if !isWorld, isUsual(file) { return try usualFrames(file, facts: &facts, body) }
    var frames = LandmarkJSON(file, isWorld: isWorld)
    defer { facts.add(frames.facts) }
    try frames.forEachFrame(body)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    try readLandmarks(file, into: &recording)
  }

  // MARK: The usual layout, read at the speed of its numbers

  private static let names = ["landmarks", "poseLandmarks", "pose_landmarks", "keypoints"]

  private static func isUsual(_ file: InputFile) -> Bool {
    !LandmarkJSON.isLines(file)
      && JSONOutline.tells(file) { outline in
        ["[]", "frames[]"].contains { frame in
          ([""] + names.map { "." + $0 }).contains { list in
            ["[]", "[][]"].contains { landmark in
              outline.has("\(frame)\(list)\(landmark).visibility", .number)
                && !outline.has("\(frame)\(list)\(landmark).name", .string)
            }
          }
        }
      }
  }

  private static func usualFrames(
    _ file: InputFile, facts: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void
  ) throws {
    var said = LandmarkJSON.Said()
    defer { facts.add(said.facts) }
    try JSONReader.read(file) { json in
      if try json.kind() == .array { return try frames(&json, body) }
      try json.object { json, key in
        if case "frames" = key { return try frames(&json, body) }
        said.note(key.text, try json.value(limit: 100))
      }
    }
  }

  private static func frames(_ json: inout JSONReader, _ body: (LandmarkFrame) throws -> Void) throws {
    try json.array { json in
      var frame = LandmarkFrame()
      if try json.kind() == .array {
        frame.people = try people(&json)
        return try body(frame)
      }
      try json.object { json, key in
        switch key {
        case "landmarks", "poseLandmarks", "pose_landmarks", "keypoints": frame.people = try people(&json)
        case "x", "y", "z", "visibility": try json.skip()
        default:
          let kind = try json.kind()
          guard kind == .number || kind == .string, let meaning = FrameKey(key.text) else { return try json.skip() }
          let value = try json.value(limit: 1).number
          switch meaning {
          case .number: frame.number = value.flatMap(Int.init(exactly:))
          case .time(let unit): (frame.time, frame.timeUnit) = (value, unit)
          default: break
          }
        }
      }
      try body(frame)
    }
  }

  private static let record = JSONRecord(
    ["x", "y", "z", "visibility"], required: 2, "a landmark with x and y")

  /// A list of landmarks, or of several people's.
  private static func people(_ json: inout JSONReader) throws -> [[Float]] {
    if json.takeNull() { return [] }
    var people: [[Float]] = []
    var single: [Float] = []
    try json.array { json in
      if try json.kind() == .array {
        var pose: [Float] = []
        try json.records(record, into: &pose)
        try check(pose, &json)
        if !pose.isEmpty { people.append(pose) }
      } else {
        try json.record(record, into: &single)
      }
    }
    try check(single, &json)
    return single.isEmpty ? people : people + [single]
  }

  private static func check(_ pose: [Float], _ json: inout JSONReader) throws {
    let count = Skeleton.blazePose33.keypoints.count
    guard pose.isEmpty || pose.count == count * 4 else {
      throw json.failure(expected: "\(count) landmarks or none", found: "\(pose.count / 4)")
    }
  }
}
