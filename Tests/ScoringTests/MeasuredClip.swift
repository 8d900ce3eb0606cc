import PoseModel
import Scoring
import TestSupport

/// A clip with something of every kind that is measured, true and predicted.
struct MeasuredClip {
  var name: String
  var grades: (truth: [Double], predicted: [Double])
  var classes: (truth: [String], predicted: [String])
  var scores: (truth: [Bool], predicted: [Double])
  /// A row a rep, a rating a rater.
  var ratings: [[Double]]
  var events: (truth: [String: Int], predicted: [String: Int])
  var segments: (truth: [Segment], predicted: [Segment])
  /// One of each predicted segment.
  var certainties: [Double]
  var poses: (reference: PoseSequence, other: PoseSequence)
  var cues: [Prediction.Cue]
  var judgements: [CueTally.Judgement]

  static let labels = ["down", "rest", "up"]
  static let frames = (0..<40).map { Microseconds.milliseconds($0 * 10) }

  init(_ name: String, using random: inout TestGenerator) {
    func some<Value>(_ count: Int, _ make: (inout TestGenerator) -> Value) -> [Value] {
      (0..<count).map { _ in make(&random) }
    }
    self.name = name
    let count = random.integer(0...9)
    grades = (some(count) { Double($0.integer(1...5)) }, some(count) { Double($0.integer(1...5)) })
    classes = (some(count) { Self.label(&$0) }, some(count) { Self.label(&$0) })
    scores = (some(count) { $0.chance(0.4) }, some(count) { Double($0.integer(0...20)) / 20 })
    ratings = some(count) { random in (0..<3).map { _ in Double(random.integer(1...5)) } }
    func events(_ random: inout TestGenerator) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: Self.labels.map { ($0, random.integer(0...20)) })
    }
    self.events = (events(&random), events(&random))
    segments = (Self.segments(&random), Self.segments(&random))
    certainties = some(segments.predicted.count) { Double($0.integer(0...3)) / 3 }
    poses = (Self.poses(&random), Self.poses(&random))
    cues = some(random.integer(0...6)) { .init(time: $0.milliseconds(0...9000), fault: Self.label(&$0)) }
    judgements = some(random.integer(0...6)) {
      .init(fault: Self.label(&$0), start: $0.milliseconds(0...9000), isPresent: $0.chance(0.5))
    }
  }

  private static func label(_ random: inout TestGenerator) -> String { labels[random.integer(0...2)] }

  private static func segments(_ random: inout TestGenerator) -> [Segment] {
    var start = 0
    return (0..<random.integer(0...5)).map { _ in
      start += random.integer(0...40)
      defer { start += 50 }
      return Segment(start, start + random.integer(10...50), label(&random))
    }
  }

  private static func poses(_ random: inout TestGenerator) -> PoseSequence {
    let times = [0, 30, 70, 100, 130]
    let joints: [Joint] = [.leftShoulder, .rightHip, .leftKnee, .nose, .neck]
    return PoseSequence(
      times: times,
      Dictionary(
        uniqueKeysWithValues: joints.map { joint in
          (
            joint,
            times.map { _ in
              random.chance(0.1) ? nil : (Float(random.integer(0...9)) / 8, Float(random.integer(0...9)) / 8)
            }
          )
        }))
  }

  /// Nothing moves and everything is found.
  private static let stillPoses = PoseSequence(
    times: [0, 30, 70, 100],
    Dictionary(
      uniqueKeysWithValues: Joint.allCases.map { joint in
        (joint, [(x: Float, y: Float)?](repeating: (Float(joint.index) / 32, Float(joint.index % 5) / 8), count: 4))
      }))

  /// Everything is predicted as it is, and all raters agree with the first.
  var perfect: MeasuredClip {
    var clip = self
    clip.grades.predicted = grades.truth
    clip.classes.predicted = classes.truth
    clip.scores.predicted = scores.truth.map { $0 ? 1 : 0 }
    clip.ratings = ratings.map { row in row.map { _ in row[0] } }
    clip.events.predicted = events.truth
    clip.segments.predicted = segments.truth
    clip.certainties = segments.truth.map { _ in 1 }
    clip.poses = (Self.stillPoses, Self.stillPoses)
    // One stretch a fault and start, whose cue comes at once.
    clip.judgements = Self.labels.map { .init(fault: $0, start: .milliseconds(100), isPresent: $0 != "rest") }
    clip.cues = clip.judgements.filter(\.isPresent).map { .init(time: $0.start, fault: $0.fault) }
    return clip
  }

  /// Truth and prediction change places, and so do the raters.
  var swapped: MeasuredClip {
    var clip = self
    clip.grades = (grades.predicted, grades.truth)
    clip.classes = (classes.predicted, classes.truth)
    clip.ratings = ratings.map { $0.reversed() }
    clip.segments = (segments.predicted, segments.truth)
    return clip
  }

  /// The same in another order.
  func shuffled(using random: inout TestGenerator) -> MeasuredClip {
    var clip = self
    let order = grades.truth.indices.shuffled(using: &random)
    clip.grades = (order.map { grades.truth[$0] }, order.map { grades.predicted[$0] })
    clip.classes = (order.map { classes.truth[$0] }, order.map { classes.predicted[$0] })
    clip.scores = (order.map { scores.truth[$0] }, order.map { scores.predicted[$0] })
    clip.ratings = order.map { ratings[$0] }
    let predicted = segments.predicted.indices.shuffled(using: &random)
    // The edit score is of the order itself, which `Measure` takes from the time.
    clip.segments = (segments.truth.shuffled(using: &random), predicted.map { segments.predicted[$0] })
    clip.certainties = predicted.map { certainties[$0] }
    clip.cues = cues.shuffled(using: &random)
    clip.judgements = judgements.shuffled(using: &random)
    return clip
  }
}
