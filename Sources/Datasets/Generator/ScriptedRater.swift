import PoseModel

/// A program that grades reps as a person might, with a bias, noise and blind spots of its own.
///
/// It knows the true motion. Nothing of a detector is in it.
public struct ScriptedRater: Hashable, Sendable {
  public var name: String
  /// Added to every grade.
  public var bias: Double
  /// Standard deviation of what differs from grade to grade.
  public var noise: Double
  /// Grades are multiples of this.
  public var step: Double
  /// From which severity on a fault is called one: 0...1.
  public var threshold: Double
  /// A fault that this rater does not look for and so says nothing about.
  public var unjudged: String?

  /// The three raters of every generated clip: a strict one, a middling one who misses no fault but grades in fives, and
  /// a lenient, unsteady one who does not look at the knees from the side.
  public static let panel = [
    ScriptedRater(name: "rater_a", bias: -6, noise: 4, step: 1, threshold: 0.15),
    ScriptedRater(name: "rater_b", bias: 0, noise: 7, step: 5, threshold: 0.3),
    ScriptedRater(name: "rater_c", bias: 7, noise: 10, step: 1, threshold: 0.45, unjudged: "knee_forward"),
  ]

  /// 0...100, a multiple of `step`.
  func grade(_ form: PerformanceTruth.Form, using generator: inout SeededGenerator) -> Double {
    let felt = form.quality + bias + generator.normal(0, sd: noise, limit: 3)
    return min(max((felt / step).rounded() * step, 0), 100)
  }

  /// Whether the rater says that the fault was there; `nil` for one that is not judged.
  func sees(_ judged: PerformanceTruth.Judged, using generator: inout SeededGenerator) -> Bool? {
    // The eye is no goniometer: what is seen differs from what is there by a tenth of the range.
    let seen = judged.severity + generator.normal(0, sd: 0.1, limit: 3)
    return judged.fault == unjudged ? nil : seen > threshold
  }
}
