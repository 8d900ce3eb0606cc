import Files
import PoseModel

/// MMPose: one JSON file per video, as `MMPoseInferencer` writes it with `pred_out_dir` and the demos with
/// `--save-predictions`,
/// or one file per image.
///
/// `{"meta_info", "instance_info": [{"frame_id", "instances": [{"keypoints": [[x, y], …], "keypoint_scores": […]}]}]}` of
/// the demos, or the inferencer's list of frames alone; for an image the list of instances, alone or, as Sapiens writes
/// it, in an `instance_info`. Files of images are the frames of one recording if their names differ only in the last
/// number. Pixels, y down. Keypoints are those that `keypoint_id2name` of the `meta_info` names (`KeypointNames`);
/// without it COCO's 17 or Halpe's 26, and of COCO-WholeBody's 133 and Halpe's 136 the body's first 17 and 26, and of
/// another count the skeleton of `Skeletons` that has it. A `track_id` is the same person in all frames. 3D poses from
/// a pose lifter, which have their own coordinate system, are refused.
///
/// - Source: MMPose 1.3, "Inference with existing models", mmpose.readthedocs.io/en/latest/user_guides/inference.html,
///   `postprocess` of `mmpose/apis/inferencers/base_mmpose_inferencer.py`, `split_instances` of
///   `mmpose/structures/utils.py`, and `demo/topdown_demo_with_mmdet.py`.
public struct MMPose: PoseTool {
  public static let format = "mmpose"
  public static let summary = "MMPose's predictions/NAME.json of videos, or one file per image"
  static let tool = "MMPose"
  package static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    JSONOutline.tells(file) { outline in
      outline.has("instance_info[].instances", .array) || outline.has("meta_info", .object)
        || outline.has("instance_info", .array) && !outline.has("instance_info[]", .object)
        || outline.has("[].instances", .array) || isImage(outline)
    }
  }

  private static func isImage(_ outline: JSONOutline) -> Bool {
    outline.has("[].keypoint_scores", .array) || outline.has("instance_info[].keypoint_scores", .array)
  }

  static func grouping(_ path: String) -> ToolFiles.Grouping {
    let hasImages = ToolFiles.begins(path, endings: endings) { JSONOutline.tells($0, isImage) }
    return hasImages ? .framePerFile : .clipPerFile
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    for part in clip.files {
      let file = try InputFile(part.path, in: directory)
      var count: Int?
      var names: [String] = []
      do {
        try frames(file, names: { names = $0 }) { _, instances in
          count = instances.first?.scores.count
          if count != nil { throw EnoughRead() }
        }
      } catch is EnoughRead {}
      guard let count else { continue }
      let known = try keypoints(names, count: count, file: file.name, clip: clip.name)
      return PoseShape(skeleton: known.skeleton, unit: .pixels, names: known)
    }
    return PoseShape(skeleton: .coco17, unit: .pixels)
  }

  private static func keypoints(_ names: [String], count: Int, file: String, clip: String) throws -> KeypointNames {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file, clip: clip, expected: expected, found: found)
    }
    guard !names.isEmpty else {
      if let skeleton = skeletons[count] { return KeypointNames(skeleton, count: count) }
      guard let other = EstimatorSkeleton.withNames.first(where: { $0.fits(count: count, isComplete: true) }),
        let known = KeypointNames(
          other.keypoints + (other.keypoints.count..<count).map { "point \($0)" }, file: "the skeleton \(other.name)")
      else {
        throw failure(
          "17 or 133 keypoints (COCO), 26 or 136 (Halpe), or names in meta_info.keypoint_id2name", "\(count)")
      }
      return known
    }
    guard names.count == count else {
      throw failure("\(names.count) keypoints, as in meta_info", "\(count)")
    }
    guard let known = KeypointNames(names, file: file) else {
      throw failure(
        "keypoints in meta_info that are joints of the body, each once", names.prefix(40).joined(separator: ", "))
    }
    return known
  }

  /// By the number of keypoints per person.
  private static let skeletons: [Int: Skeleton] = [17: .coco17, 133: .coco17, 26: .halpe26, 136: .halpe26]

  private struct Instance {
    /// x and y, keypoint after keypoint.
    var places: [Float] = []
    var scores: [Float] = []
    var track: Int?
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    let names = source.shape.names ?? KeypointNames(.coco17, count: Skeleton.coco17.keypoints.count)
    let count = names.places.count
    try Self.frames(input) { number, instances in
      let frame = number ?? file.frame ?? 0
      guard try recording.begin(frame) else { return }
      for instance in instances {
        guard instance.scores.count == count, instance.places.count == count * 2 else {
          throw DataError(
            file: input.name, expected: "\(count) keypoints and as many scores in frame \(frame)",
            found: "\(instance.places.count / 2) and \(instance.scores.count)")
        }
        var pose: [Float] = []
        pose.reserveCapacity(count * 3)
        for keypoint in 0..<count {
          pose += [instance.places[keypoint * 2], instance.places[keypoint * 2 + 1], instance.scores[keypoint]]
        }
        try recording.add(names.pose(pose, channels: 3), to: frame, track: instance.track)
      }
    }
  }

  /// Calls `body` with each frame's number (an image's is not in the file) and people; before that `names` with the
  /// keypoints' names, if there are any.
  private static func frames(
    _ file: InputFile, names: ([String]) -> Void = { _ in }, _ body: (Int?, [Instance]) throws -> Void
  ) throws {
    try JSONReader.read(file) { json in
      if try json.kind() == .array {
        // An empty list is an image without a person.
        if try list(&json, body) { try body(nil, []) }
        return
      }
      var isThere = false
      try json.object { json, key in
        switch key {
        case "meta_info" where try json.kind() == .object: names(try Self.names(&json))
        case "instance_info":
          isThere = true
          _ = try list(&json, body)
        default: try json.skip()
        }
      }
      guard isThere else { throw json.failure(expected: "an object with instance_info", found: "none") }
    }
  }

  /// The names of keypoints from 0 on.
  private static func names(_ json: inout JSONReader) throws -> [String] {
    var names: [Int: String] = [:]
    try json.object { json, key in
      guard case "keypoint_id2name" = key, try json.kind() == .object else { return try json.skip() }
      try json.object { json, key in
        let name = try json.string()
        if let number = Int(key.text) { names[number] = name }
      }
    }
    return names.sorted { $0.key < $1.key }.map(\.value)
  }

  /// A list of frames, or of the people in a single image; returns whether it is empty.
  private static func list(_ json: inout JSONReader, _ body: (Int?, [Instance]) throws -> Void) throws -> Bool {
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
    if !alone.isEmpty { try body(nil, alone) }
    return next == 0
  }

  private static func member(_ json: inout JSONReader, _ key: JSONKey, of instance: inout Instance) throws {
    switch key {
    case "keypoints":
      let shape = try json.tensor(into: &instance.places)
      guard shape.count == 2, shape[1] == 2 else {
        throw json.failure(
          expected: "a list of keypoints [x, y]",
          found: shape.last == 3 ? "3D keypoints, which are in no image" : "lists of another shape")
      }
    case "keypoint_scores": try json.coordinates(into: &instance.scores)
    case "track_id" where try json.kind() == .number: instance.track = try json.integer()
    default: try json.skip()
    }
  }
}
