import Files
import PoseModel

/// MediaPipe Pose as arrays of NumPy, one file per recording: `.npy`, or `.npz` of several arrays.
///
/// An array is frames x 33 x 2 to 5 (x, y, z, visibility, presence), also with an axis of length 1 before the landmarks,
/// or frames x 66, 99, 132 or 165. Of an `.npz`, the poses are the array of such a shape whose name comes first, without
/// `world` in it if there is another; `fps`, `width` and `height` are numbers in it, and `timestamps` (or `times`) one
/// number a frame. NaN is missing. The meaning of the numbers is inferred from their range.
///
/// - Source: landmark list of the MediaPipe Pose Landmarker guide,
///   ai.google.dev/edge/mediapipe/solutions/vision/pose_landmarker. The files are written by users' own code.
public struct MediaPipeArray: LandmarkTool {
  public static let format = "mediapipe-npy"
  public static let summary = "MediaPipe's landmarks as .npy or .npz: frames x 33 x 4, x 33 x 3, x 132 or x 99"
  static let tool = "MediaPipe Pose"
  static let endings = ["npy", "npz"]
  static let grouping = ToolFiles.Grouping.clipPerFile

  let source: ToolSource

  init(_ source: ToolSource) { self.source = source }

  static func isOurs(_ file: InputFile) -> Bool {
    if file.ending == "npz" { return (try? NumpyArchive(file)).flatMap { try? poses(in: $0, isWorld: true) } != nil }
    return (try? NumpyArray.shape(of: file)).flatMap(channels) != nil
  }

  static func shape(_ clip: ToolClip, in directory: String, _ options: ImportOptions) throws -> PoseShape {
    try landmarkShape(clip, in: directory)
  }

  func read(_ file: ToolClip.File, into recording: inout PoseRecording) throws {
    try readLandmarks(file, into: &recording)
  }

  static func forEachFrame(
    _ file: InputFile, isWorld: Bool, facts: inout ClipFacts, _ body: (LandmarkFrame) throws -> Void
  ) throws {
    var input = file
    var times: (values: [Double], unit: TimeUnit?)?
    if file.ending == "npz" {
      let archive = try NumpyArchive(file)
      guard let found = try poses(in: archive, isWorld: isWorld) else { return }
      input = found
      facts.add(try Self.facts(in: archive))
      times = try Self.times(in: archive)
    } else if isWorld {
      return
    }
    let array = try NumpyArray(input)
    try array.requireNoInfinity(input.name)
    guard let channels = channels(array.shape) else {
      throw DataError(
        file: input.name, expected: "frames x 33 x 2 to 5 values, or frames x 66, 99, 132 or 165",
        found: array.shape.map(String.init).joined(separator: " x "))
    }
    if let count = times?.values.count, count != array.shape[0] {
      throw DataError(file: file.name, expected: "\(array.shape[0]) times, one a frame", found: "\(count)")
    }
    for frame in 0..<array.shape[0] {
      var found = LandmarkFrame(number: frame)
      if let times { (found.time, found.timeUnit) = (times.values[frame], times.unit) }
      var pose = [Float](repeating: .nan, count: LandmarkFrame.width)
      let start = frame * LandmarkFrame.count * channels
      for landmark in 0..<LandmarkFrame.count {
        for channel in 0..<min(channels, 4) {
          pose[landmark * 4 + channel] = array.values[start + landmark * channels + channel]
        }
      }
      if pose.contains(where: \.isFinite) { found.people = [pose] }
      try body(found)
    }
  }

  /// The numbers of a landmark; `nil` for arrays of other shapes.
  private static func channels(_ shape: [Int]) -> Int? {
    guard shape.count >= 2 else { return nil }
    let rest = shape.dropFirst().filter { $0 != 1 }
    let count =
      rest.count == 2 && rest.first == LandmarkFrame.count
      ? rest.last
      : rest.count == 1 && (rest.first ?? 0) % LandmarkFrame.count == 0
        ? rest[rest.startIndex] / LandmarkFrame.count : nil
    return count.flatMap { (2...5).contains($0) ? $0 : nil }
  }

  private static func poses(in archive: NumpyArchive, isWorld: Bool) throws -> InputFile? {
    let names = archive.names.filter { isWorld || !FrameKey.plain($0).contains("world") }
    for name in names.sorted(by: { ($0.contains("world") ? 1 : 0, $0) < ($1.contains("world") ? 1 : 0, $1) }) {
      guard let entry = try archive.array(name), let shape = try? NumpyArray.shape(of: entry), channels(shape) != nil
      else { continue }
      return entry
    }
    return nil
  }

  private static func facts(in archive: NumpyArchive) throws -> ClipFacts {
    var facts = ClipFacts()
    var (width, height): (Int?, Int?)
    for name in archive.names {
      guard let key = FrameKey(name), let entry = try archive.array(name), let values = NumpyArray.numbers(entry),
        values.count == 1, case let value = values[0]
      else {
        continue
      }
      switch key {
      case .fps: if value > 0, value <= 1000 { facts.fps = value }
      case .width: width = Int(exactly: value)
      case .height: height = Int(exactly: value)
      default: break
      }
    }
    if let width, let height { facts.size = ImageSize(width: width, height: height) }
    return facts
  }

  private static func times(in archive: NumpyArchive) throws -> (values: [Double], unit: TimeUnit?)? {
    for name in archive.names {
      guard case .time(let unit)? = FrameKey(name) ?? (name == "timestamps" ? .time(nil) : nil),
        let entry = try archive.array(name), let numbers = NumpyArray.numbers(entry), numbers.count > 1,
        numbers.allSatisfy(\.isFinite)
      else { continue }
      return (numbers, FrameKey.plain(name) == "timestamps" ? nil : unit)
    }
    return nil
  }
}
