import Coaching
import Datasets
import Files
import Foundation
import Pipeline
import PoseModel

/// The messages about a clip to a program, one line each: start, frames, end.
struct CommandMessages {
  static let version = 1

  private let keypoints: Keypoints
  private let needed: (Int, Int)
  private let start: JSONLine
  /// The index of the next message: 0 is the start, then the frames and the end.
  private var next = 0

  init(_ clip: OutsideClip, for detector: CommandDetector, at values: ParameterValues) throws {
    let skeleton: Skeleton
    let coordinates: CoordinateSystem
    switch detector.poses {
    case .recorded:
      keypoints = try clip.recorded()
      skeleton = Skeleton.named(clip.manifest.skeleton) ?? .common
      coordinates = clip.manifest.coordinates
    case .normalised:
      keypoints = clip.normalised
      skeleton = .common
      coordinates = .normalised
    }
    let channels = keypoints.channels
    guard let x = channels.firstIndex(of: .x), let y = channels.firstIndex(of: .y) else {
      throw EvaluationError.missing(what: "clip \(clip.id)", expected: "x and y of each keypoint", found: "neither")
    }
    needed = (x, y)
    start = Self.start(clip, skeleton, coordinates, channels, values)
  }

  var frameCount: Int { keypoints.frameCount }

  func time(ofFrame frame: Int) -> Microseconds { keypoints.times[frame] }

  /// Appends the next message, the start together with the message after it.
  mutating func append(to line: inout JSONLine) {
    if next == 0 {
      line.json(start)
      next += 1
    }
    let frame = next - 1
    next += 1
    guard frame < frameCount else {
      line.raw("{\"type\":\"end\"}\n")
      return
    }
    line.raw("{\"type\":\"frame\",\"frame\":")
    line.json(frame.description)
    line.raw(",\"time\":")
    line.json(keypoints.times[frame].decimalSeconds)
    line.raw(",\"keypoints\":")
    line.points(
      of: keypoints.values, row: frame, of: frameCount, points: keypoints.keypointCount,
      channels: keypoints.channels.count, needing: needed)
    line.raw("}\n")
  }

  /// The name of a clip for a program: the same throughout this process, another one in the next, so that nothing can
  /// be looked up by it.
  private static func unknownName(of clip: OutsideClip) -> String {
    let hash = SHA256()
    hash.update(salt)
    hash.update(clip.id)
    return "clip-\(ContentHash(hash.finish()).short)"
  }

  private static let salt = "\(UInt64.random(in: .min ... .max))"

  private static func start(
    _ clip: OutsideClip, _ skeleton: Skeleton, _ coordinates: CoordinateSystem, _ channels: [Channel],
    _ values: ParameterValues
  ) -> JSONLine {
    var line = JSONLine()
    line.raw("{\"type\":\"start\",\"protocol\":")
    line.json("\(version)")
    line.raw(",\"clip\":")
    line.string(unknownName(of: clip))
    line.raw(",\"fps\":")
    line.number(clip.fps)
    line.raw(",\"unit\":")
    var size: (width: Double?, height: Double?)
    switch coordinates.unit {
    case .image(let aspect):
      line.string("image")
      size = (aspect, 1)
    case .imageHeight:
      line.string("image heights")
    case .pixel(let height):
      line.string("pixels")
      size.height = height
    case .metre: line.string("metres")
    case .relative: line.string("relative")
    }
    line.raw(",\"size\":")
    line.list([size.width, size.height]) { $0.number($1 ?? .nan) }
    line.raw(",\"y\":")
    line.string(coordinates.yAxis.rawValue)
    line.raw(",\"skeleton\":")
    line.string(skeleton.name)
    line.raw(",\"joints\":")
    line.strings(skeleton.keypoints)
    line.raw(",\"channels\":")
    line.strings(channels.map { "\($0)" })
    line.raw(",\"parameters\":{")
    for (index, (name, value)) in values.values.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { line.raw(",") }
      line.string(name)
      line.raw(":")
      line.number(value)
    }
    line.raw("}}\n")
    return line
  }
}

/// A program's answer to a frame or to the end of a clip.
struct CommandAnswer {
  var events: [Event] = []
  /// One per signal; empty if it reports none.
  var signals: [Float] = []
  var nanoseconds: Double?
  /// How likely the count is right, in the answer to the end.
  var confidence: Double?
  /// The program's error.
  var refusal: String?

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - time: The time of the answered frame; events must not be later.
  ///   - isLast: Whether it answers the end.
  ///   - displaced: The displacement of the clip, undone in the answer.
  /// - Throws: `DataError` if it is not JSON or contains an impossible value.
  init(
    _ line: UnsafeBufferPointer<UInt8>, of detector: CommandDetector, at time: Microseconds, isLast: Bool,
    displaced: Displacement? = nil
  ) throws {
    // Nearly all answers are empty.
    if line.count == 2, line[0] == UInt8(ascii: "{"), line[1] == UInt8(ascii: "}") { return }
    let file = InputFile(name: detector.file, bytes: Data(buffer: line))
    self = try JSONReader.read(file) { json in
      var answer = CommandAnswer()
      try json.object { json, key in
        switch key {
        case "events":
          try json.array { json in
            var words = try EventWords(&json)
            if let displaced { words.times = words.times.mapValues { $0 - displaced.time } }
            do {
              answer.events.append(
                try words.event(of: detector.profile, named: detector.file, at: time))
            } catch let objection as EventWords.Objection {
              throw json.failure(expected: objection.expected, found: objection.found)
            }
          }
        case "signals": try json.coordinates(into: &answer.signals)
        case "nanoseconds": answer.nanoseconds = try json.number()
        case "confidence":
          guard isLast, detector.profile.tasks.givesConfidence else {
            throw json.failure(
              expected: "confidence: on in \(detector.file), and a confidence in the answer to the end",
              found: isLast ? "a confidence without it" : "one in the answer to a frame")
          }
          answer.confidence = try json.confidence()
        case "error": answer.refusal = try json.string()
        default:
          let keys = ["events", "signals", "nanoseconds", "confidence", "error"]
          throw json.failure(
            expected: "one of \(keys.joined(separator: ", "))", found: NearNames.question(key.text, in: keys))
        }
      }
      let expected = detector.measurements.count
      guard answer.signals.isEmpty || answer.signals.count == expected else {
        throw json.failure(
          expected: "a value for each of the \(expected) signals of \(detector.file)",
          found: "\(answer.signals.count) values")
      }
      if let told = answer.nanoseconds, told < 0 {
        throw json.failure(expected: "nanoseconds from 0", found: "\(told)")
      }
      return answer
    }
  }

  private init() {}
}
