/// How far grades are from the true ones, in points and relative to the range of the true ones.
public struct GradeErrors: Hashable, Sendable {
  var count = 0
  var absolute = 0.0
  var squared = 0.0
  /// Lowest and highest true grade.
  var lowest = Double.infinity
  var highest = -Double.infinity

  public init() {}

  /// - Precondition: `truth` and `predicted` have the same count.
  public init(truth: [Double], predicted: [Double]) {
    precondition(truth.count == predicted.count)
    for (truth, predicted) in zip(truth, predicted) {
      let error = predicted - truth
      count += 1
      absolute += abs(error)
      squared += error * error
      lowest = min(lowest, truth)
      highest = max(highest, truth)
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.count += b.count
    sum.absolute += b.absolute
    sum.squared += b.squared
    sum.lowest = min(a.lowest, b.lowest)
    sum.highest = max(a.highest, b.highest)
    return sum
  }

  /// Mean distance, in points; `nil` without pairs, or if one is not finite.
  public var meanAbsolute: Double? { mean(absolute) }

  /// Root of the mean squared distance, in points; `nil` without pairs, or if one is not finite.
  public var rootMeanSquare: Double? { mean(squared)?.squareRoot() }

  /// R-ℓ2: mean squared distance relative to the range of the true grades.
  ///
  /// 0 is best; published tables print it times 100. `nil` without pairs, if the true grades do not vary, and if a
  /// grade is not finite. The range is that of the pooled grades, not of the scale.
  ///
  /// - Source: Yu et al., Group-aware Contrastive Regression for Action Quality Assessment (CoRe), 2021, R-ℓ2.
  public var relativeL2: Double? {
    let range = highest - lowest
    guard let mean = mean(squared), range > 0 else { return nil }
    return mean / (range * range)
  }

  private func mean(_ sum: Double) -> Double? { count > 0 && sum.isFinite ? sum / Double(count) : nil }
}

extension GradeErrors: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.rmse": "grade error (RMS)",
    "grades.r-l2": "relative grade error",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.rootMeanSquareError, .relativeL2]
  }
}

extension Metric {
  public static let rootMeanSquareError = Metric(
    "grades.rmse", "Root of the mean squared distance of the grades from the raters' mean.", .lowerIsBetter,
    unit: "points", range: 0...(.infinity), undefined: "nothing is graded by both detector and raters",
    source: "the definition")

  public static let relativeL2 = Metric(
    "grades.r-l2", "Mean squared distance of the grades, relative to the range of the raters' (R-ℓ2).", .lowerIsBetter,
    range: 0...(.infinity),
    undefined: "nothing is graded by both detector and raters, or the raters' grades do not vary",
    source: "Yu et al., Group-aware Contrastive Regression for Action Quality Assessment, 2021", aggregation: .pooled)
}
