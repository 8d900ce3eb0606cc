import Datasets
import Foundation
import PoseModel

/// A recording of squats whose joints are placed by hand, so that what a detector must say of it is known.
///
/// 30 frames a second. The knee stands at 170.5° for a second, then each squat goes down by 3° a frame, up again by 3° a
/// frame, and stands for a second. No frame lies on a threshold: 155°, 160°, 90° and 95° are passed between two frames.
/// The trunk is upright and the knee over the ankle, so that nothing but depth can be wrong.
struct SquatClip: Sendable {
  static let standing = 170.5
  static let fps = 30.0
  /// To 80.5°, below the 90° of a squat that counts.
  static let deep = 30
  /// To 86.5°.
  static let justDeepEnough = 28
  /// To 110.5°.
  static let half = 20

  var name: String
  var subject: String
  /// How many frames each squat goes down.
  var squats: [Int]
  /// Whether the hip jumps to 80° in the one frame in which a half squat turns.
  var isJittery = false
  /// How much further to the right the person stands, in pixels.
  var shift = 0.0

  /// Three subjects who do 2, 3 and 1 squats; the last one's is the shallowest that counts.
  static let three = [
    SquatClip(name: "anna_1", subject: "anna", squats: [deep, half, deep]),
    SquatClip(name: "bert_1", subject: "bert", squats: [deep, deep, deep]),
    SquatClip(name: "cleo_1", subject: "cleo", squats: [justDeepEnough]),
  ]

  /// Twelve subjects who do two deep squats each: enough for a verdict on people.
  static let twelve = (1...12).map { number in
    SquatClip(name: "clip_\(number)", subject: "subject_\(number)", squats: [deep, deep])
  }

  /// Degrees, one a frame.
  var kneeAngles: [Double] {
    var angles = [Double](repeating: Self.standing, count: 30)
    for down in squats {
      for frame in 0..<2 * down { angles.append(Self.standing - 3 * Double(min(frame, 2 * down - frame))) }
      if isJittery, down == Self.half { angles[angles.count - down] = 80 }
      angles += [Double](repeating: Self.standing, count: 30)
    }
    return angles
  }

  /// From the last frame of standing to the first: what a person would mark. Only the squats that count.
  var reps: [Rep] {
    var start = 30
    return squats.compactMap { down -> Rep? in
      defer { start += 2 * down + 30 }
      guard down >= Self.justDeepEnough else { return nil }
      func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: Self.fps) }
      return Rep(start: time(start), end: time(start + 2 * down), turn: time(start + down))
    }
  }

  /// Each subject stands elsewhere: two recordings are no copies of each other.
  var place: Double { shift + Double(subject.utf8.reduce(0) { (31 * $0 + Int($1)) % 89 }) }

  private enum Joint: String { case shoulder, hip, knee, ankle }

  /// The joint of each keypoint: without it, no squat detector looks at the keypoint.
  private static let joints = Skeleton.coco17.keypoints.map { keypoint in
    Joint(rawValue: String(keypoint.drop { $0 != "_" }.dropFirst()))
  }

  /// In pixels of an image 1000 high: an ankle at 900, a shank and a thigh of 200, a trunk of 300. Keypoints that no squat
  /// detector looks at are missing.
  var keypoints: Keypoints {
    let angles = kneeAngles
    let foot = Float(500 + place)
    let frames = angles.flatMap { angle -> [Float] in
      let radians = angle * .pi / 180
      let hip = (x: 500 + place + 200 * sin(radians), y: 700 + 200 * cos(radians))
      return Self.joints.flatMap { joint -> [Float] in
        switch joint {
        case .shoulder: [Float(hip.x), Float(hip.y - 300), 1]
        case .hip: [Float(hip.x), Float(hip.y), 1]
        case .knee: [foot, 700, 1]
        case .ankle: [foot, 900, 1]
        case nil: [.nan, .nan, 0]
        }
      }
    }
    return Keypoints(
      times: angles.indices.map { Microseconds(frame: $0, rate: Self.fps) }, keypointCount: Self.joints.count,
      channels: [.x, .y, .confidence], frames: frames)
  }

  /// The clip with its reps, each graded 90 by one rater and 80 by the other.
  var clip: Clip {
    Clip(
      info: Clip.Info(name: name, subject: subject, exercise: "squat", view: "side", fps: Self.fps, split: "test"),
      keypoints: keypoints,
      labels: GroundTruth(
        reps: reps,
        grades: reps.indices.flatMap { rep in
          [("dora", 90.0), ("emil", 80.0)].map {
            GroundTruth.Grade(rep: rep, rater: $0.0, criterion: "form", value: $0.1)
          }
        }))
  }

  static func dataset(_ name: String, _ clips: [SquatClip]) -> Dataset {
    Dataset(
      manifest: Manifest(
        name: name, version: "1", licence: "CC0-1.0", source: "placed by hand", origin: .synthetic,
        caveat: "Nobody moved.", skeleton: Skeleton.coco17.name,
        coordinates: CoordinateSystem(unit: .pixel(height: 1000), yAxis: .down), channels: [.x, .y, .confidence],
        criteria: [Manifest.Criterion(name: "form", minimum: 0, maximum: 100)]),
      clips: clips.map(\.clip))
  }
}
