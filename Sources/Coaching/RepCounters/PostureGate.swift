import PoseModel

/// Keeps movements in another posture out of a counter: of those who lie or stand with their hands down out of pull-ups,
/// and of those who stand out of sit-ups.
///
/// - Source: the exercises' postures; figures are in docs/detectors.md.
struct PostureGate: Sendable {
  private let feature: ExerciseGate.Feature
  private let allowed: ClosedRange<Float>
  private var sum: Float = 0
  private var count = 0

  /// The limit of an exercise's posture; `nil` for an exercise without one.
  static func limit(of exercise: String) -> Parameter? {
    switch exercise {
    case "pull-up":
      Parameter(
        "leastHands", -0.1, in: -8...8, .trunkLengths,
        "Nothing is reported while the highest hands of the reps are lower above the shoulders, on average; -8 reports all.",
        source: "who hangs from a bar has the hands above the shoulders; less the estimator's error")
    case "sit-up":
      Parameter(
        "mostHips", 0.4, in: -8...8, .trunkLengths,
        "Nothing is reported while the hips are higher above the knees, on average; 8 reports all.",
        source: "half way from lying to standing, where the hips are a thigh's 0.85 trunk lengths above the knees")
    default: nil
    }
  }

  /// - Parameter limit: The value of the exercise's parameter; `nil` is returned for an exercise without one.
  init?(_ exercise: String, limit: Double) {
    switch exercise {
    // The wrists above the shoulders, and the hips above the knees, in the numbers of `PoseSampler`.
    case "pull-up": (feature, allowed) = (.high(8), Float(limit)...Float.infinity)
    case "sit-up": (feature, allowed) = (.mean(13), -Float.infinity...Float(limit))
    default: return nil
    }
  }

  /// Whether the mean over the reps so far is allowed; true before the first.
  var isOpen: Bool { count == 0 || allowed.contains(sum / Float(count)) }

  /// Takes a rep into account, as `ExerciseGate.add`.
  mutating func add(_ samples: ArraySlice<Float>, seconds: Double) {
    guard samples.count >= 2 * PoseRows.width else { return }
    sum += ExerciseGate.value(feature, of: samples, seconds)
    count += 1
  }
}
