import Files
import PoseModel

/// AlphaPose: one JSON file for all frames of a video, in any of its three formats.
///
/// By default a list of people, `{"image_id", "keypoints": [x, y, c, …], "score", "idx"}`; with `--format cmu` or `open` an
/// object with a key for each image, `{"bodies": [{"joints"}]}` or `{"people": [{"pose_keypoints_2d"}]}`, in the order of
/// OpenPose's COCO model, or of its BODY_25 where people merge OpenPose's own files in this way. Pixels, y down; c lies
/// in 0…1 or a little above. `image_id` is the image's name: if all names differ only in one number, as in a video's
/// `0.jpg`, `1.jpg`, this is the frame number; otherwise images are in the order in which the file first names them.
/// Keypoints are COCO's 17 or Halpe's 26; of Halpe's 136 only the body's 26 are used. An `idx` that is a number is the
/// same person in all frames.
///
/// - Source: AlphaPose, `docs/output.md`, "Output Format", and `write_json` of `alphapose/utils/pPose_nms.py`.
public struct AlphaPose: PoseTool {
  public static let format = "alphapose"
  public static let summary = "AlphaPose's alphapose-results.json, also with --format cmu or open"
  static let tool = "AlphaPose"
  package static let endings = ["json"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    JSONOutline.tells(file) { outline in
      let isList = outline.has("[].image_id", .string) && outline.has("[].keypoints[]", .number)
      return isList || outline.has("*.bodies[].joints", .array) || outline.has("*.people[].pose_keypoints_2d", .array)
    }
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let file = try InputFile(clip.files[0].path, in: directory)
    var count: Int?
    do {
      try people(file) { person in
        count = person.pose.count
        throw EnoughRead()
      }
    } catch is EnoughRead {}
    guard let count else { return PoseShape(skeleton: .coco17, unit: .pixels) }
    guard let skeleton = skeletons[count] else {
      throw DataError(
        file: file.name, clip: clip.name,
        expected: "51 numbers per person (COCO), 78 or 408 (Halpe), or 54 or 75 with --format cmu or open",
        found: "\(count)")
    }
    return PoseShape(skeleton: skeleton, unit: .pixels)
  }

  /// By the count of numbers per person.
  private static let skeletons: [Int: Skeleton] = [
    51: .coco17, 54: .openPose18, 75: .body25, 78: .halpe26, 408: .halpe26,
  ]

  private struct Person {
    var image: String
    var pose: [Float] = []
    var track: Int?
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    // The frame numbers are known only after all image names.
    var images = ImageFrames()
    try Self.people(input) { person in
      guard Self.skeletons[person.pose.count]?.name == recording.skeleton.name else {
        throw DataError(
          file: input.name, expected: "\(recording.width) numbers for a person in \(person.image), as for the others",
          found: "\(person.pose.count)")
      }
      try recording.add(
        person.pose.prefix(recording.width), to: images.place(of: person.image), track: person.track)
    }
    if let numbers = images.numbers {
      recording.renumber { numbers[$0] }
    } else {
      recording.notes.append("images are not numbered: the order of the file is used")
    }
  }

  /// Calls `body` with each person in the order of the file.
  private static func people(_ file: InputFile, _ body: (Person) throws -> Void) throws {
    try JSONReader.read(file) { json in
      if try json.kind() == .array {
        try json.array { json in try body(try listed(&json)) }
      } else {
        try json.object { json, image in
          let image = image.text
          try drawn(&json, image: image, body)
        }
      }
    }
  }

  /// A person of the list.
  private static func listed(_ json: inout JSONReader) throws -> Person {
    var person = Person(image: "")
    try json.object { json, key in
      switch key {
      case "image_id": person.image = try json.string()
      case "keypoints":
        person.pose.reserveCapacity(51)
        try json.coordinates(into: &person.pose)
      // A list, or nested lists, of people who were merged into this one: they carry no information about other frames.
      case "idx" where try json.kind() == .number: person.track = try json.integer()
      default: try json.skip()
      }
    }
    return person
  }

  /// The people of one image.
  private static func drawn(
    _ json: inout JSONReader, image: String, _ body: (Person) throws -> Void
  ) throws {
    try json.object { json, key in
      switch key {
      case "bodies", "people":
        try json.array { json in
          var person = Person(image: image)
          try json.object { json, key in
            switch key {
            case "joints", "pose_keypoints_2d": try json.coordinates(into: &person.pose)
            default: try json.skip()
            }
          }
          try body(person)
        }
      default: try json.skip()
      }
    }
  }
}
