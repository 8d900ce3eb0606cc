import Files
import PoseModel

/// OpenPose: a folder of JSON files, one per frame, as `--write_json` writes them: `NAME_000000000012_keypoints.json`.
///
/// `people[].pose_keypoints_2d` holds x, y and confidence of 25 keypoints (BODY_25), 18 (COCO) or 15 (MPI), in pixels with
/// y down;
/// `pose_keypoints` in files before version 1.1. All three are 0 if a keypoint was not found. The number in a file's
/// name is its frame. A `person_id` from 0 on is the same person in all frames; hands, faces and 3D are left out.
/// Positions written as shares of the image (`--keypoint_scale 3`) are recognised by being at most 1.
///
/// - Source: OpenPose 1.7, `doc/02_output.md`, "JSON Output Format" and "Keypoint Ordering in C++/Python", and
///   `src/openpose/pose/poseParameters.cpp`, POSE_MPI_BODY_PARTS.
public struct OpenPose: PoseTool {
  public static let format = "openpose"
  public static let summary = "OpenPose --write_json folders, one file per frame: NAME_000000000000_keypoints.json"
  static let tool = "OpenPose"
  package static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.framePerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  public static func recognises(_ path: String) -> Bool {
    ToolFiles.begins(path, endings: endings, isOurs: isOurs)
      && !ToolFiles.begins(path, endings: endings, isOurs: isOther)
  }

  static func isOurs(_ file: InputFile) -> Bool {
    JSONOutline.tells(file) { $0.has("people", .array) } && !isOther(file)
  }

  /// Whether a file has another skeleton in this layout, such as Pose2Sim's 26 points.
  private static func isOther(_ file: InputFile) -> Bool {
    guard let count = (try? people(file))?.first(where: { !$0.pose.isEmpty })?.pose.count else { return false }
    return skeletons[count] == nil && count != 45 && count.isMultiple(of: 3) && PointReader.isCount(count / 3)
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    for file in clip.files {
      let input = try InputFile(file.path, in: directory)
      guard let pose = try people(input).first(where: { !$0.pose.isEmpty })?.pose else { continue }
      let names = pose.count == 45 ? mpi : nil
      guard let skeleton = names?.skeleton ?? skeletons[pose.count] else {
        throw DataError(
          file: input.name, clip: clip.name, expected: "75 numbers per person (BODY_25), 54 (COCO) or 45 (MPI)",
          found: "\(pose.count)")
      }
      let places = pose.indices.filter { $0 % 3 != 2 }.map { pose[$0] }
      return PoseShape(skeleton: skeleton, unit: places.allSatisfy { abs($0) <= 1 } ? .image : .pixels, names: names)
    }
    return PoseShape(skeleton: .body25, unit: .pixels)
  }

  /// By the count of numbers per person.
  private static let skeletons: [Int: Skeleton] = [75: .body25, 54: .openPose18]
  /// The 15 of the MPI model, as common joints.
  private static let mpi = EstimatorSkeleton.named("openpose-15")?.stored

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    guard try recording.begin(file.frame ?? 0) else { return }
    let names = source.shape.names
    let count = names.map { $0.places.count * 3 } ?? recording.width
    for person in try Self.people(input) where !person.pose.isEmpty {
      guard person.pose.count == count else {
        throw DataError(
          file: input.name, expected: "\(count) numbers per person, as in the earlier files",
          found: "\(person.pose.count)")
      }
      try recording.add(names?.pose(person.pose, channels: 3) ?? person.pose, to: file.frame ?? 0, track: person.track)
    }
  }

  private static func people(_ file: InputFile) throws -> [(pose: [Float], track: Int?)] {
    try JSONReader.read(file) { json in
      var people: [(pose: [Float], track: Int?)] = []
      try json.object { json, key in
        guard case "people" = key else { return try json.skip() }
        try json.array { json in
          people.append(([], nil))
          try json.object { json, key in
            switch key {
            case "pose_keypoints_2d", "pose_keypoints":
              try json.coordinates(into: &people[people.count - 1].pose)
            case "person_id": people[people.count - 1].track = try Self.track(&json)
            default: try json.skip()
            }
          }
        }
      }
      return people
    }
  }

  /// `[-1]`, or the person's number if people are tracked; written as a number by some versions.
  private static func track(_ json: inout JSONReader) throws -> Int? {
    var number: Int?
    if try json.kind() == .array {
      try json.array { number = try $0.integer() }
    } else {
      number = try json.integer()
    }
    return number.flatMap { $0 < 0 ? nil : $0 }
  }
}
