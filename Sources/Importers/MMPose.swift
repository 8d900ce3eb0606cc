import Datasets
import PoseModel

/// MMPose: a JSON file a video, as `MMPoseInferencer` writes it with `pred_out_dir` and the demos with `--save-predictions`.
///
/// `{"meta_info", "instance_info": [{"frame_id", "instances": [{"keypoints": [[x, y], …], "keypoint_scores": […]}]}]}`, or
/// the list of frames alone; for an image the list of instances alone. Pixels, y down. Keypoints are COCO's 17
/// or Halpe's 26; of COCO-WholeBody's 133 and Halpe's 136 the body's first 17 and 26 are taken. A `track_id` is the same person in all frames.
///
/// - Source: MMPose 1.3, "Inference with existing models", mmpose.readthedocs.io/en/latest/user_guides/inference.html, and
///   `demo/topdown_demo_with_mmdet.py`.
public struct MMPose: PoseTool {
  public static let format = "mmpose"
  public static let summary = "MMPose's predictions/NAME.json: instance_info with frame_id and instances"
  static let tool = "MMPose"
  static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    guard let outline = JSONOutline(file) else { return false }
    return outline.has("instance_info", .array) || outline.has("meta_info", .object)
      || outline.has("[].instances", .array) || outline.has("[].keypoint_scores", .array)
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let file = try InputFile(clip.files[0].path, in: directory)
    var count: Int?
    do {
      try frames(file) { _, instances in
        count = instances.first?.scores.count
        if count != nil { throw EnoughRead() }
      }
    } catch is EnoughRead {}
    guard let count else { return PoseShape(skeleton: .coco17, unit: .pixels) }
    guard let skeleton = skeletons[count] else {
      throw DataError(
        file: file.name, clip: clip.name, expected: "17 or 133 keypoints (COCO), or 26 or 136 (Halpe)",
        found: "\(count)")
    }
    return PoseShape(skeleton: skeleton, unit: .pixels)
  }

  /// By the keypoints of a person.
  private static let skeletons: [Int: Skeleton] = [17: .coco17, 133: .coco17, 26: .halpe26, 136: .halpe26]

  private struct Instance {
    /// As many as dimensions, keypoint after keypoint.
    var places: [Float] = []
    var dimensions = 2
    var scores: [Float] = []
    var track: Int?
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    try Self.frames(input) { frame, instances in
      guard try recording.begin(frame) else { return }
      for instance in instances {
        let count = recording.skeleton.keypoints.count
        guard Self.skeletons[instance.scores.count]?.name == recording.skeleton.name,
          instance.places.count == instance.scores.count * instance.dimensions
        else {
          throw DataError(
            file: input.name, expected: "\(count) keypoints and as many scores in frame \(frame)",
            found: "\(instance.places.count / instance.dimensions) and \(instance.scores.count)")
        }
        var pose: [Float] = []
        for keypoint in 0..<count {
          let start = keypoint * instance.dimensions
          pose += [instance.places[start], instance.places[start + 1], instance.scores[keypoint]]
        }
        try recording.add(pose, to: frame, track: instance.track)
      }
    }
  }

  /// Calls `body` with each frame's number and people.
  private static func frames(_ file: InputFile, _ body: (Int, [Instance]) throws -> Void) throws {
    try JSONReader.read(file) { json in
      if try json.kind() == .array { return try list(&json, body) }
      var isThere = false
      try json.object { json, key in
        guard case "instance_info" = key else { return try json.skip() }
        isThere = true
        try list(&json, body)
      }
      guard isThere else { throw json.failure(expected: "an object with instance_info", found: "none") }
    }
  }

  /// A list of frames, or of the people of a single image.
  private static func list(_ json: inout JSONReader, _ body: (Int, [Instance]) throws -> Void) throws {
    var next = 0
    var alone: [Instance] = []
    try json.array { json in
      var frame = next
      var instances: [Instance]?
      var instance = Instance()
      try json.object { json, key in
        switch key {
        case "frame_id": frame = try json.integer()
        case "instances":
          var found: [Instance] = []
          try json.array { json in
            var instance = Instance()
            try json.object { json, key in try member(&json, key, of: &instance) }
            found.append(instance)
          }
          instances = found
        default: try member(&json, key, of: &instance)
        }
      }
      next = frame + 1
      if let instances { try body(frame, instances) } else { alone.append(instance) }
    }
    if !alone.isEmpty { try body(0, alone) }
  }

  private static func member(_ json: inout JSONReader, _ key: JSONKey, of instance: inout Instance) throws {
    switch key {
    case "keypoints":
      let shape = try json.tensor(into: &instance.places)
      guard shape.count == 2, shape[1] == 2 || shape[1] == 3 else {
        throw json.failure(expected: "a list of keypoints [x, y]", found: "lists of another shape")
      }
      instance.dimensions = shape[1]
    case "keypoint_scores": try json.coordinates(into: &instance.scores)
    case "track_id" where try json.kind() == .number: instance.track = try json.integer()
    default: try json.skip()
    }
  }
}
