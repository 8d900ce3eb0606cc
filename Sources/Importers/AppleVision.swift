import Files
import PoseModel

/// Apple Vision's body pose as JSON: a list of frames, each an object of joints, `{"left_leg_joint": {"x", "y", "conf"}}`.
///
/// A frame is such an object, one with the joints under `joints` or `points` (an object, or a list of
/// `{"name", "x", "y", "confidence"}`), or a list of such objects, one per person. It may have a time in seconds
/// (`timestamp`,
/// `time`) or a number (`frame`). The frames may stand under `frames`. A joint has the raw value of its name
/// (`left_leg_joint`) or its name in code (`leftKnee`); an absent joint was not found. Positions are shares of the
/// image with y up, whose origin is the lower left corner.
///
/// - Source: Apple, `VNHumanBodyPoseObservation.JointName` and `VNRecognizedPoint`,
///   developer.apple.com/documentation/vision/vnhumanbodyposeobservation. The files are written by users' own code.
public struct AppleVision: PoseTool {
  public static let format = "vision"
  public static let summary = "Apple Vision's body pose as JSON, a list of frames: [{\"left_leg_joint\": {x, y, conf}}]"
  static let tool = "Apple Vision"
  static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  /// A joint's index in the skeleton, by each of its names.
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (place, name) in Skeleton.appleVision19.keypoints.enumerated() { places[name] = place }
    for joint in Joint.allCases {
      if case .keypoint(let place)? = Skeleton.appleVision19[joint] { places["\(joint)"] = place }
    }
    return places
  }()

  private static let frameWays = ["[]", "[][]", "frames[]", "frames[][]"]

  static func isOurs(_ file: InputFile) -> Bool {
    let isTold = JSONOutline.tells(file) { outline in
      frameWays.contains { frame in
        [frame, "\(frame).joints", "\(frame).points"].contains { joints in
          places.keys.contains { outline.has("\(joints).\($0).x", .number) }
            || outline.has("\(joints)[].name", .string) && outline.has("\(joints)[].confidence", .number)
        }
      }
    }
    // BlazePose's landmarks have some of the names in code.
    return isTold && !MediaPipeJSON.isOurs(file)
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let outline = JSONOutline(try InputFile(clip.files[0].path, in: directory))
    let hasTimes = ["[]", "frames[]"].contains { frame in
      ["timestamp", "time"].contains { outline?.has("\(frame).\($0)", .number) ?? false }
    }
    return PoseShape(skeleton: .appleVision19, unit: .image, yAxis: .up, hasTimes: hasTimes)
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
  }

  private struct Frame {
    var people: [[Float]] = []
    var number: Int?
    var seconds: Double?
  }

  private func frames(_ json: inout JSONReader, into recording: inout PoseRecording) throws {
    var next = 0
    try json.array { json in
      var found = Frame()
      if try json.kind() == .array {
        try json.array { json in try Self.person(&json, of: &found) }
      } else {
        try Self.person(&json, of: &found)
      }
      let frame: Int
      if source.shape.hasTimes {
        guard let time = found.seconds.flatMap(Microseconds.init(seconds:)) else {
          throw json.failure(expected: "a time in seconds for each frame", found: "a frame without")
        }
        frame = Int(time.count)
      } else {
        frame = found.number ?? next
      }
      next = frame + 1
      guard try recording.begin(frame) else { return }
      for pose in found.people { try recording.add(pose, to: frame) }
    }
  }

  /// A person's joints, and the other values beside them.
  private static func person(_ json: inout JSONReader, of frame: inout Frame) throws {
    var pose = [Float](repeating: .nan, count: Skeleton.appleVision19.keypoints.count * 3)
    var isThere = false
    try json.object { json, key in
      switch key {
      case "timestamp", "time": frame.seconds = try json.number()
      case "frame": frame.number = try json.integer()
      case "joints", "points":
        if try json.kind() == .array {
          try json.array { json in if try joint(&json, named: nil, of: &pose) { isThere = true } }
        } else {
          try json.object { json, key in if try joint(&json, named: key.text, of: &pose) { isThere = true } }
        }
      default:
        if try json.kind() == .object {
          if try joint(&json, named: key.text, of: &pose) { isThere = true }
        } else {
          try json.skip()
        }
      }
    }
    if isThere { frame.people.append(pose) }
  }

  /// Reads a joint; returns whether it was found.
  private static func joint(_ json: inout JSONReader, named name: String?, of pose: inout [Float]) throws -> Bool {
    if json.takeNull() { return false }
    var name = name
    var (x, y, confidence) = (Float.nan, Float.nan, Float.nan)
    try json.object { json, key in
      switch key {
      case "x": x = try json.coordinate()
      case "y": y = try json.coordinate()
      case "conf", "confidence": confidence = try json.coordinate()
      case "name" where name == nil: name = try json.string()
      default: try json.skip()
      }
    }
    guard let place = name.flatMap({ places[$0] }) else {
      throw json.failure(
        expected: "a joint of Apple Vision's body pose", found: NearNames.question(name ?? "", in: places.keys))
    }
    pose[place * 3] = x
    pose[place * 3 + 1] = y
    pose[place * 3 + 2] = confidence
    return x.isFinite && y.isFinite
  }
}
