import PoseModel

/// One clip before it is recorded: the true motion, the camera, the estimator and the raters.
public struct SquatScene: Sendable {
  public let info: Clip.Info
  public let motion: Motion
  public let camera: Camera
  public let noise: EstimatorNoise
  private let seed: UInt64
  private let stream: [Int]

  /// What the raters grade.
  public static let criterion = "form"

  /// The frame rates of the clips in turn.
  private static let rates: [Double] = [
    30, 25, 24, 30, 15, 25, 60, 24, 30, 15, 25, 30, 24, 50, 15, 30,
  ]

  /// What a stream of random numbers is for, so that a change to one leaves the others as they are.
  private enum Purpose: Int { case subject, camera, motion, noise, labels }

  init(seed: UInt64, subject: Int, clip: Int) {
    self.seed = seed
    stream = [subject, clip]
    func generator(_ purpose: Purpose) -> SeededGenerator {
      SeededGenerator(seed: seed, stream: [subject, clip, purpose.rawValue])
    }
    // Every clip of a subject starts from the same stream for what the subject brings along.
    var subjects = SeededGenerator(seed: seed, stream: [subject])
    let profile = SubjectProfile(index: subject, using: &subjects)
    let views = CameraView.allCases
    let view = views[(subject + clip) % views.count]
    let rate = Self.rates[(subject * 7 + clip * 3) % Self.rates.count]
    let number = subject + 1 < 10 ? "0\(subject + 1)" : "\(subject + 1)"
    info = Clip.Info(
      name: "s\(number)_\(view.rawValue)_\(clip + 1)", subject: "s\(number)", exercise: "squat", view: view.rawValue,
      fps: rate, split: "test")
    var cameras = generator(.camera)
    camera = Camera(view: view, stature: profile.body.stature, aspect: SquatGenerator.aspect, using: &cameras)
    noise = EstimatorNoise(view: view, using: &cameras)
    var planner = MotionPlanner(profile: profile, camera: camera, generator: generator(.motion))
    motion = planner.plan(withReps: (subject, clip) != SquatGenerator.clipWithoutReps)
  }

  /// When each frame is taken, at whole multiples of the frame's duration.
  public var times: [Microseconds] {
    (0..<max(Int(motion.duration * info.fps), 1)).map { Microseconds(frame: $0, rate: info.fps) }
  }

  /// The clip as its estimator wrote it and its raters labelled it.
  public func clip() -> Clip {
    var errors = SeededGenerator(seed: seed, stream: stream + [Purpose.noise.rawValue])
    let times = times
    let frames = noise.keypoints(
      times.map { observation(at: $0.seconds) }, rate: info.fps, aspect: camera.aspect, using: &errors)
    return Clip(
      info: info,
      keypoints: Keypoints(
        times: times, keypointCount: Self.keypoints.count, channels: [.x, .y, .confidence], frames: frames),
      labels: labels())
  }

  /// What the camera shows of the true motion.
  public func observation(at time: Double) -> EstimatorNoise.Observation {
    let joints = motion.joints(at: time)
    let depth = camera.project(joints[.root])?.depth ?? .infinity
    return EstimatorNoise.Observation(
      points: Self.keypoints.map { joint in camera.project(joints[joint]).map { SIMD2($0.x, $0.y) } },
      hidden: Self.keypoints.map {
        Occlusion.hides($0, of: joints, stature: motion.body.stature, from: camera.position)
      },
      stature: camera.focalLength * motion.body.stature / depth)
  }

  private static let keypoints = Skeleton.coco17.keypoints.compactMap { Joint(name: $0) }

  private func labels() -> Labels {
    var opinions = SeededGenerator(seed: seed, stream: stream + [Purpose.labels.rawValue])
    let forms = motion.reps
    func instant(_ seconds: Double) -> Microseconds { Microseconds(Int64((seconds * 1e6).rounded())) }
    var labels = Labels(
      reps: forms.map { Rep(start: instant($0.start), end: instant($0.end), turn: instant($0.turn)) })
    for (index, form) in forms.enumerated() {
      for rater in ScriptedRater.panel {
        labels.grades.append(
          Labels.Grade(
            rep: index, rater: rater.name, criterion: Self.criterion,
            grade: rater.grade(form, using: &opinions)))
        for fault in SquatFault.allCases {
          guard let present = rater.sees(fault, in: form, using: &opinions) else { continue }
          labels.faults.append(
            Labels.Fault(rep: index, rater: rater.name, fault: fault.rawValue, present: present))
        }
      }
    }
    return labels
  }
}
