/// When a change is good enough: what subjects' gains must show for it to pass, and for it to be a regression.
///
/// It passes when the t interval on the mean gain lies at or above −margin, or when nothing changed at all. It
/// regresses when the interval lies below −margin; since one false alarm among many comparisons is likely, this
/// interval is that of level 1 − (1 − level) / comparisons (Bonferroni). Otherwise it is inconclusive. Passing takes
/// all comparisons, so passing needs no correction (Berger, Multiparameter Hypothesis Testing and Acceptance Sampling,
/// Technometrics 24, 1982).
public struct NonInferiorityRule: Hashable, Sendable {
  public enum Outcome: String, Codable, Hashable, Sendable {
    case pass, regression, inconclusive
  }

  /// The loss that is accepted, in the metric's unit.
  public let margin: Double
  /// 0.95 for 95 % intervals.
  public let level: Double
  /// How many comparisons may each raise the alarm.
  public let comparisons: Int

  /// `nil` for a margin that is negative or not finite, a level not between 0 and 1, and no comparisons.
  public init?(margin: Double, level: Double = 0.95, comparisons: Int = 1) {
    guard margin >= 0, margin.isFinite, level > 0, level < 1, comparisons >= 1 else { return nil }
    self.margin = margin
    self.level = level
    self.comparisons = comparisons
  }

  /// The level of the interval that must lie below −margin for a regression.
  public var strictLevel: Double { 1 - (1 - level) / Double(comparisons) }

  /// What decides for a given number of subjects.
  struct Bounds {
    /// Half the width of the interval and of the strict interval, in standard errors of the mean.
    var t: Double
    var strictT: Double

    func outcome(mean: Double, standardError: Double, margin: Double) -> Outcome {
      if mean + strictT * standardError < -margin { return .regression }
      return mean - t * standardError >= -margin ? .pass : .inconclusive
    }
  }

  /// - Parameter subjects: At least two.
  func bounds(subjects: Int) -> Bounds {
    let student = StudentT(degreesOfFreedom: Double(subjects - 1))
    return Bounds(t: student.quantile(0.5 + level / 2), strictT: student.quantile(0.5 + strictLevel / 2))
  }
}
