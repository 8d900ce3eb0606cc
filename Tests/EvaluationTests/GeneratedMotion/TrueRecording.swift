import Datasets
import PoseModel
import Simulation

/// The generator's true motion as cameras that look straight at it and an estimator that does not err would record it.
struct TrueRecording {
  /// From the person's right, from ahead, or from between the two.
  enum View: String, CaseIterable { case side, oblique, front }

  /// One a view, of the same motion.
  let poses: [View: PoseSequence]
  /// Of what the poses show.
  let truth: MotionGroundTruth

  /// - Parameters:
  ///   - lying: before a telephone on its side.
  ///   - reps: the most that are recorded, and a second and a half after them.
  ///   - rate: frames a second: what the design documents process, unless said otherwise.
  ///   - stature: of the person at the origin, in image heights.
  init(
    _ motion: any SimulatedMotion, lying: Bool, reps most: Int = .max, rate: Double = 15, stature: Double = 0.6
  ) {
    var truth = motion.groundTruth
    var end = motion.duration
    if let reps = truth.reps, reps.count > most {
      truth.reps = Array(reps.prefix(most))
      end = min(reps[most - 1].end + 1.5, reps[most].turn)
    }
    self.truth = truth
    let times = (0..<Int(end * rate)).map { Microseconds(frame: $0, rate: rate) }
    let joints = times.map { motion.joints(at: $0.seconds) }
    let height = (lying ? 0.2 : 0.5) * motion.body.stature
    let aspect = lying ? 16.0 / 9 : 9.0 / 16
    let focalLength = 1.2
    let distance = focalLength * motion.body.stature / stature
    poses = Dictionary(
      uniqueKeysWithValues: View.allCases.map { view in
        let way = view.direction * distance
        let camera = Camera(
          position: SIMD3(way.x, way.y, height), target: SIMD3(0, 0, height), focalLength: focalLength, aspect: aspect)
        var values: [Float] = []
        for joints in joints {
          for joint in Self.keypoints {
            let point = camera.project(joints[joint])
            values += [Float(point?.x ?? .nan), Float(point?.y ?? .nan), point == nil ? 0 : 1]
          }
        }
        let keypoints = Keypoints(
          times: times, keypointCount: Self.keypoints.count, channels: [.x, .y, .confidence], frames: values)
        return (
          view,
          PoseSequence(
            keypoints, skeleton: .coco17,
            coordinates: CoordinateSystem(unit: .image(aspect: aspect), yAxis: .down))
        )
      })
  }

  private static let keypoints = Skeleton.coco17.keypoints.compactMap { Joint(name: $0) }
}

extension TrueRecording.View {
  /// To the camera, along the floor.
  fileprivate var direction: SIMD2<Double> {
    switch self {
    case .side: SIMD2(0, -1)
    case .oblique: SIMD2(0.5.squareRoot(), -0.5.squareRoot())
    case .front: SIMD2(1, 0)
    }
  }
}
