import Datasets
import PoseModel
import Statistics

/// One clip before it is recorded: the true motion, the camera, the estimator and the raters.
public struct ClipScene: Sendable {
  public let info: Clip.Info
  public let motion: any SimulatedMotion
  public let camera: Camera
  public let noise: EstimatorNoise
  private let seed: UInt64
  private let precision: Precision
  private let stream: [Int]

  /// The criterion of the raters' grades.
  public static let criterion = "form"

  /// The frame rates of the clips in turn.
  private static let rates: [Double] = [
    30, 25, 24, 30, 15, 25, 60, 24, 30, 15, 25, 30, 24, 50, 15, 30,
  ]

  /// The purpose of each stream of random numbers: a change to one then leaves the others unchanged.
  private enum Purpose: Int { case subject, camera, motion, noise, labels }

  /// - Parameters:
  ///   - scenario: The scenario of the clip, for an exercise with scenarios.
  ///   - subject: Counted from 0, like `clip`.
  ///   - stand: The position of the camera; `nil` to alternate the exercise's views and draw the rest.
  ///   - labels: The part of the clip's name between the subject and the view.
  init(
    _ exercise: any Exercise, as scenario: Scenario? = nil, seed: UInt64, subject index: Int, clip: Int, aspect: Double,
    precision: Precision, from stand: CameraStand? = nil, labels: [String] = []
  ) {
    self.seed = seed
    self.precision = precision
    stream = [index, clip]
    func generator(_ purpose: Purpose) -> SeededGenerator {
      SeededGenerator(seed: seed, stream: [index, clip, purpose.rawValue])
    }
    // Every clip of a subject starts with the same stream for the subject's traits.
    var traits = SeededGenerator(seed: seed, stream: [index])
    let subject = Subject(index: index, using: &traits)
    let view = stand?.nearest ?? exercise.views[(index + clip) % exercise.views.count]
    let viewName = stand?.view ?? view.rawValue
    let rate = Self.rates[(index * 7 + clip * 3) % Self.rates.count]
    let number = index + 1 < 10 ? "0\(index + 1)" : "\(index + 1)"
    let name = (["s\(number)"] + labels + [viewName, "\(clip + 1)"]).joined(separator: "_")
    info = Clip.Info(
      name: name, subject: "s\(number)", exercise: exercise.name, view: viewName, fps: rate, split: "test")
    var cameras = generator(.camera)
    let drawn = Camera(
      view: view, framing: exercise.framing, stature: subject.body.stature, aspect: aspect, using: &cameras)
    camera =
      stand.map { Camera($0, framing: exercise.framing, stature: subject.body.stature, aspect: aspect) } ?? drawn
    var estimator = EstimatorNoise(view: view, using: &cameras)
    estimator.inventsFeet = exercise.framing.cutsFeet
    noise = estimator
    let position = ClipNumber(subject: index, clip: clip)
    motion =
      if let scenario, let exercise = exercise as? any ScenarioExercise {
        exercise.simulation(
          of: scenario, by: subject, in: position, before: camera, traits: traits, generator: generator(.motion))
      } else {
        exercise.simulation(
          by: subject, in: position, before: camera, traits: traits, generator: generator(.motion))
      }
  }

  /// The time of each frame, at whole multiples of the frame's duration.
  public var times: [Microseconds] {
    (0..<max(Int(motion.duration * info.fps), 1)).map { Microseconds(frame: $0, rate: info.fps) }
  }

  /// The clip as written by its estimator and labelled by its raters.
  public func clip() -> Clip {
    var errors = SeededGenerator(seed: seed, stream: stream + [Purpose.noise.rawValue])
    let times = times
    let frames = precision.rounded(
      noise.keypoints(
        times.map { observation(at: $0.seconds) }, rate: info.fps, aspect: camera.aspect, using: &errors))
    return Clip(
      info: info,
      keypoints: Keypoints(
        times: times, keypointCount: Self.keypoints.count, channels: [.x, .y, .confidence], frames: frames),
      labels: labels())
  }

  /// The camera's view of the true motion.
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

  /// What the raters say of the clip.
  package func labels() -> GroundTruth {
    var opinions = SeededGenerator(seed: seed, stream: stream + [Purpose.labels.rawValue])
    let truth = motion.groundTruth
    var labels = GroundTruth(
      reps: truth.reps?.map {
        Rep(start: precision.instant($0.start), end: precision.instant($0.end), turn: precision.instant($0.turn))
      },
      events: truth.events.map { LabelledInstant(time: precision.instant($0.time), label: $0.label) },
      intervals: truth.intervals.map {
        Segment(start: precision.instant($0.start), end: precision.instant($0.end), label: $0.label)
      })
    var forms: [(rep: Int?, form: MotionGroundTruth.Form)] = (truth.reps ?? []).enumerated().map { ($0, $1.form) }
    if let whole = truth.whole { forms.append((nil, whole)) }
    for (rep, form) in forms {
      for rater in ScriptedRater.panel {
        labels.grades.append(
          GroundTruth.Grade(
            rep: rep, rater: rater.name, criterion: Self.criterion, value: rater.grade(form, using: &opinions)))
        for judged in form.severities {
          guard let present = rater.sees(judged, using: &opinions) else { continue }
          labels.faults.append(GroundTruth.Fault(rep: rep, rater: rater.name, name: judged.fault, present: present))
        }
      }
    }
    return labels
  }
}

/// A program that grades reps as a person might, with its own bias, noise and blind spots.
///
/// It knows the true motion and nothing about detectors.
public struct ScriptedRater: Hashable, Sendable {
  public var name: String
  /// Added to every grade.
  public var bias: Double
  /// The standard deviation of the noise of a grade.
  public var noise: Double
  /// Grades are multiples of this.
  public var step: Double
  /// The lowest severity at which the rater reports a fault: 0...1.
  public var threshold: Double
  /// A fault that this rater never judges.
  public var unjudged: String?

  /// The three raters of every generated clip: a strict one; a moderate one who misses no fault but grades in multiples
  /// of five; and a lenient, inconsistent one who never judges the knees from the side.
  public static let panel = [
    ScriptedRater(name: "rater_a", bias: -6, noise: 4, step: 1, threshold: 0.15),
    ScriptedRater(name: "rater_b", bias: 0, noise: 7, step: 5, threshold: 0.3),
    ScriptedRater(name: "rater_c", bias: 7, noise: 10, step: 1, threshold: 0.45, unjudged: "knee_forward"),
  ]

  /// 0...100, a multiple of `step`.
  func grade(_ form: MotionGroundTruth.Form, using generator: inout SeededGenerator) -> Double {
    let felt = form.quality + bias + generator.normal(0, sd: noise, limit: 3)
    return min(max((felt / step).rounded() * step, 0), 100)
  }

  /// Whether the rater reports the fault; `nil` if it is not judged.
  func sees(_ judged: MotionGroundTruth.FaultSeverity, using generator: inout SeededGenerator) -> Bool? {
    // People do not measure angles exactly: the perceived severity differs from the true one by a tenth of the range.
    let seen = judged.severity + generator.normal(0, sd: 0.1, limit: 3)
    return judged.fault == unjudged ? nil : seen > threshold
  }
}

/// The precision of the numbers in a generated clip.
///
/// Sines and square roots may differ in their last binary digit between C libraries. Rounded to much larger steps, the
/// same seed gives the same dataset and content hash on every machine, unless a value lies within about 1e-15 of the
/// middle between two steps: one dataset in about ten thousand.
public enum Precision: Hashable, Sendable {
  /// As computed: times to a microsecond, coordinates to the last digit of a Float.
  case full
  /// Times to a millisecond, coordinates and confidences to 1/10,000 (for coordinates of the image, a fifth of a pixel
  /// at 1080p).
  case decimal

  /// Steps of a coordinate or confidence per 1.
  public static let steps: Float = 10_000

  func rounded(_ values: [Float]) -> [Float] {
    self == .full ? values : values.map { ($0 * Self.steps).rounded() / Self.steps }
  }

  func instant(_ seconds: Double) -> Microseconds {
    switch self {
    case .full: Microseconds(Int64((seconds * 1e6).rounded()))
    case .decimal: Microseconds(Int64((seconds * 1e3).rounded()) * 1000)
    }
  }
}
