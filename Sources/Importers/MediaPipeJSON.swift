import Files
import PoseModel

/// MediaPipe Pose as JSON: a list of frames with 33 landmarks each, `{"x", "y", "z", "visibility"}`.
///
/// A frame is an object with the list under `landmarks`, `poseLandmarks`, `pose_landmarks` or `keypoints`, or the list
/// alone; a list of such lists is several people. It may have a number (`frame`, `frame_id`, `frame_number`) or a time in
/// milliseconds (`timestamp_ms`, `timestampMs`). The frames may stand under `frames`. An empty list means no person. x
/// and y are shares of the image, y down; z grows away from the camera on the scale of x. World landmarks, in metres
/// about the hips, are left out. One file is one recording.
///
/// - Source: MediaPipe Pose Landmarker, `PoseLandmarkerResult` and `NormalizedLandmark`,
///   ai.google.dev/edge/api/mediapipe/python/mp/tasks/vision/PoseLandmarkerResult. The files are people's own.
public struct MediaPipeJSON: PoseTool {
  public static let format = "mediapipe-json"
  public static let summary =
    "MediaPipe's landmarks as JSON, a list of frames: [{\"landmarks\": [{x, y, z, visibility}]}]"
  static let tool = "MediaPipe Pose"
  static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  private static let names = ["landmarks", "poseLandmarks", "pose_landmarks", "keypoints"]

  static func isOurs(_ file: InputFile) -> Bool {
    JSONOutline.tells(file) { outline in
      ["[]", "frames[]"].contains { frame in
        ([""] + names.map { "." + $0 }).contains { list in
          outline.has("\(frame)\(list)[].visibility", .number)
            || outline.has("\(frame)\(list)[][].visibility", .number)
        }
      }
    }
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let outline = JSONOutline(try InputFile(clip.files[0].path, in: directory))
    let hasTimes = ["[]", "frames[]"].contains { frame in
      ["timestamp_ms", "timestampMs"].contains { outline?.has("\(frame).\($0)", .number) ?? false }
    }
    return PoseShape(
      skeleton: .blazePose33, channels: [.x, .y, .z, .confidence], unit: .image, hasTimes: hasTimes)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    try JSONReader.read(input) { json in
      if try json.kind() == .array { return try frames(&json, into: &recording) }
      try json.object { json, key in
        guard case "frames" = key else { return try json.skip() }
        try frames(&json, into: &recording)
      }
    }
    guard !recording.frames.isEmpty else {
      throw DataError(file: input.name, expected: "at least one frame", found: "none")
    }
  }

  private func frames(_ json: inout JSONReader, into recording: inout PoseRecording) throws {
    var next = 0
    try json.array { json in
      var people: [[Float]] = []
      var number: Int?
      var time: Double?
      if try json.kind() == .array {
        people = try Self.people(&json)
      } else {
        try json.object { json, key in
          switch key {
          case "landmarks", "poseLandmarks", "pose_landmarks", "keypoints": people = try Self.people(&json)
          case "frame", "frame_id", "frame_number": number = try json.integer()
          case "timestamp_ms", "timestampMs": time = try json.number()
          default: try json.skip()
          }
        }
      }
      let frame: Int
      if source.shape.hasTimes {
        guard let time, let microseconds = Microseconds(seconds: time / 1000) else {
          throw json.failure(expected: "a time in milliseconds for each frame", found: "a frame without")
        }
        frame = Int(microseconds.count)
      } else {
        frame = number ?? next
      }
      next = frame + 1
      guard try recording.begin(frame) else { return }
      for person in people { try recording.add(person, to: frame) }
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
