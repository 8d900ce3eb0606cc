import PoseModel

/// Keeps movements in another posture out of a counter: of those who lie or stand with their hands down out of pull-ups,
/// of those who stand out of sit-ups, and of those who lie or whose feet move out of front raises.
///
/// - Source: the exercises' postures; figures are in docs/detectors.md.
struct PostureGate: Sendable {
  private let feature: ExerciseGate.Feature
  private let allowed: ClosedRange<Float>
  private var sum: Float = 0
  private var count = 0

  private static let leastHands = Parameter(
    "leastHands", -0.1, in: -8...8, .trunkLengths,
    "Nothing is reported while the highest hands of the reps are lower above the shoulders, on average; -8 reports all.",
    source: "who hangs from a bar has the hands above the shoulders; less the estimator's error")
  private static let mostHips = Parameter(
    "mostHips", 0.4, in: -8...8, .trunkLengths,
    "Nothing is reported while the hips are higher above the knees, on average; 8 reports all.",
    source: "half way from lying to standing, where the hips are a thigh's 0.85 trunk lengths above the knees")
  private static let leastHips = Parameter(
    "leastHips", 0.1, in: -8...8, .trunkLengths,
    "Nothing is reported while the hips are lower above the knees, on average; -8 reports all.",
    source: "who stands has them 0.85 above, by the estimator of RepCount and Countix at least 0.18")
  private static let mostFeet = Parameter(
    "mostFeet", 0.6, in: 0...8, .trunkLengths,
    "Nothing is reported while the feet move apart and together by more, on average; 8 reports all.",
    source: "feet stand still, by the estimator of RepCount and Countix to within 0.47")

  /// The limits of an exercise's posture.
  static func limits(of exercise: String) -> [Parameter] {
    switch exercise {
    case "pull-up": [leastHands]
    case "sit-up": [mostHips]
    case "front-raise": [leastHips, mostFeet]
    default: []
    }
  }

  /// - Parameters:
  ///   - parameter: One of an exercise's.
  ///   - limit: Its value.
  private init(_ parameter: Parameter, limit: Float) {
    // The wrists above the shoulders, the hips above the knees, and the feet apart, in the numbers of `PoseSampler`.
    switch parameter.name {
    case Self.leastHands.name: (feature, allowed) = (.high(8), limit...Float.infinity)
    case Self.mostHips.name: (feature, allowed) = (.mean(13), -Float.infinity...limit)
    case Self.leastHips.name: (feature, allowed) = (.mean(13), limit...Float.infinity)
    default: (feature, allowed) = (.range(23), -Float.infinity...limit)
    }
  }

  /// One for each limit of an exercise's posture.
  static func all(of exercise: String, _ values: ParameterValues) -> [PostureGate] {
    limits(of: exercise).map { PostureGate($0, limit: Float(values[$0])) }
  }

  /// Whether the mean over the reps so far is allowed; true before the first.
  var isOpen: Bool { count == 0 || allowed.contains(sum / Float(count)) }

  /// Takes a rep into account, as `ExerciseGate.add`.
  mutating func add(_ samples: ArraySlice<Float>, seconds: Double) {
    guard samples.count >= 2 * PoseRows.width else { return }
    let newest = ExerciseGate.value(feature, of: samples, seconds)
    // A number is 0 until its joints are seen: it says nothing.
    guard newest != 0 else { return }
    sum += newest
    count += 1
  }
}
