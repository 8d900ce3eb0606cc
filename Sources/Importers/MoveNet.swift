import Files
import PoseModel

/// MoveNet's output, one file per video: as a tensor in JSON or `.npy`, or as keypoints from TensorFlow.js.
///
/// - A tensor of frames is frames x 1 x 1 x 17 x 3, or frames x 17 x 3: (y, x, score) in 0…1 of the model's square
///   input, y down. The image is assumed to have been padded to that square, as in MoveNet's own examples; if it was
///   stretched instead, proportions are wrong. `--size` gives the image's size and undoes the padding; without it
///   lengths are scaled by each clip's trunk.
/// - `[{"keypoints": [{"x", "y", "score"}, …]}]` is a list of frames, or `[[{"keypoints"}, …]]` of the people in each,
///   in pixels, or in shares of the image if all of the first person's are below 2, in COCO's order.
///
/// - Source: Google, MoveNet.SinglePose model card, 2021, "Outputs"; tensorflow.org/hub/tutorials/movenet; and
///   github.com/tensorflow/tfjs-models/tree/master/pose-detection, "Keypoints".
public struct MoveNet: PoseTool {
  public static let format = "movenet"
  public static let summary =
    "MoveNet's tensors as JSON or .npy (frames x 17 x y, x, score), or its keypoints by TensorFlow.js"
  static let tool = "MoveNet"
  static let endings = ["json", "npy"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  private enum Layout { case tensor, keypoints }

  private static func layout(_ file: InputFile) -> Layout? {
    if file.bytes.first == 0x93 {
      let shape = (try? NumpyArray.shape(of: file)) ?? []
      return isTensor(shape) ? .tensor : nil
    }
    return JSONOutline.tell(file) { outline in
      let keypoints = ["[].keypoints[]", "[][].keypoints[]"]
      if keypoints.contains(where: { outline.has("\($0).score", .number) && outline.has("\($0).x", .number) }) {
        return .keypoints
      }
      return ["[][][]", "[][][][][]"].contains { outline.has($0, .number) } && !MediaPipeJSON.isOurs(file)
        ? .tensor : nil
    }
  }

  private static func isTensor(_ shape: [Int]) -> Bool {
    let isNested = shape.count == 5 && shape[1] == 1 && shape[2] == 1
    return (isNested || shape.count == 3) && shape.suffix(2) == [17, 3]
  }

  static func isOurs(_ file: InputFile) -> Bool { layout(file) != nil }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    let file = try InputFile(clip.files[0].path, in: directory)
    if case .tensor? = layout(file) { return PoseShape(skeleton: .coco17, unit: .pixels) }
    var greatest: Float = 0
    do {
      try frames(file) { people in
        guard !people.isEmpty else { return }
        for start in stride(from: 0, to: width, by: 3) {
          greatest = max(greatest, abs(people[start]), abs(people[start + 1]))
        }
        throw EnoughRead()
      }
    } catch is EnoughRead {}
    return PoseShape(skeleton: .coco17, unit: greatest < 2 ? .image : .pixels)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    let input = try source.open(file)
    guard case .tensor? = Self.layout(input) else {
      var frame = 0
      // With its key, a number takes at least twelve bytes.
      recording.reserve(input.bytes.count / (12 * recording.width))
      try Self.frames(input) { people in
        try recording.begin(frame)
        for start in stride(from: 0, to: people.count, by: Self.width) {
          try recording.add(people[start..<start + Self.width], to: frame)
        }
        frame += 1
      }
      return
    }
    let tensor = try Self.tensor(input)
    let region = recording.size.map { InputRegion.letterbox(imageWidth: $0.width, imageHeight: $0.height) }
    let height = recording.size.map { Float($0.height) } ?? 1
    let unit = region ?? InputRegion(left: 0, top: 0, width: 1, height: 1)
    for frame in 0..<tensor.count / (17 * 3) {
      var pose: [Float] = []
      for keypoint in 0..<17 {
        let start = (frame * 17 + keypoint) * 3
        let place = unit.place(x: tensor[start + 1], y: tensor[start])
        pose += [place.x * height, place.y * height, tensor[start + 2]]
      }
      try recording.begin(frame)
      try recording.add(pose, to: frame)
    }
  }

  private static func tensor(_ file: InputFile) throws -> [Float] {
    var values: [Float] = []
    let shape: [Int]
    if file.bytes.first == 0x93 {
      let array = try NumpyArray(file)
      try array.requireNoInfinity(file.name)
      shape = array.shape
      values = array.values
    } else {
      shape = try JSONReader.read(file) { try $0.tensor(into: &values) }
    }
    guard isTensor(shape) else {
      throw DataError(
        file: file.name, expected: "frames x 17 x 3 or frames x 1 x 1 x 17 x 3 values",
        found: shape.map(String.init).joined(separator: " x "))
    }
    return values
  }

  /// Calls `body` with the people of each frame, `width` values per person.
  private static func frames(_ file: InputFile, _ body: ([Float]) throws -> Void) throws {
    try JSONReader.read(file) { json in
      var people: [Float] = []
      try json.array { json in
        people.removeAll(keepingCapacity: true)
        if try json.kind() == .array {
          try json.array { json in try person(&json, into: &people) }
        } else {
          try person(&json, into: &people)
        }
        try body(people)
      }
    }
  }

  private static let record = JSONRecord(["x", "y", "score"], required: 2, "a keypoint with x and y")
  private static let width = 17 * 3

  private static func person(_ json: inout JSONReader, into people: inout [Float]) throws {
    let before = people.count
    var isThere = false
    try json.object { json, key in
      guard case "keypoints" = key else { return try json.skip() }
      isThere = true
      try json.records(record, into: &people)
      let count = people.count - before
      guard count == 0 || count == width else {
        throw json.failure(expected: "17 keypoints or none", found: "\(count / 3)")
      }
    }
    guard isThere else { throw json.failure(expected: "an object with keypoints", found: "one without") }
  }
}
