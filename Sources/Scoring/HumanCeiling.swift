/// The mean of raters' grades; summed in sorted order, to make the last digit independent of a dictionary's order.
///
/// - Precondition: At least one grade.
func raterMean(_ grades: [Double]) -> Double { grades.sorted().reduce(0, +) / Double(grades.count) }

/// Rounded to nine decimals: equal means are then the same number and tie in a ranking, whatever the rounding of their
/// sums.
func inNineDecimals(_ mean: Double) -> Double {
  let rounded = (mean * 1e9).rounded() / 1e9
  // The product overflows: a number this large has no nine decimals.
  return rounded.isFinite ? rounded : mean
}

/// The score of people by a measure of agreement: each rater against the mean of the others, averaged over the raters.
///
/// A system cannot be expected to agree with people better than they agree with each other. Items with a single rater
/// do not count. A rater without a defined value is left out and counted.
///
/// - Parameters:
///   - ratings: The ratings of each item, by rater.
///   - agreement: The agreement of one rater's ratings with the means of the others', such as `spearman` or
///     `kendallTauB`.
public func humanCeiling(
  _ ratings: [[String: Double]], agreement: (_ one: [Double], _ others: [Double]) -> Double?
) -> MeanOfDefined {
  let shared = ratings.filter { $0.count > 1 }
  let raters = Set(ratings.flatMap(\.keys)).sorted()
  return MeanOfDefined(
    raters.map { rater in
      let rated = shared.filter { $0[rater] != nil }
      guard !rated.isEmpty else { return nil }
      let others = rated.map { ratings in
        inNineDecimals(raterMean(ratings.filter { $0.key != rater }.map(\.value)))
      }
      return agreement(rated.compactMap { $0[rater] }, others)
    })
}

/// `humanCeiling` of the measures of agreement.
public enum HumanCeiling: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.human-pearson": "raters' linear agreement",
    "grades.human-kendall": "raters' order agreement",
    "grades.human-rmse": "raters' grade error (RMS)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [Metric.pearson, .kendallTauB, .rootMeanSquareError].map { Metric.humanCeiling(of: $0) }
  }
}

extension Metric {
  /// The human ceiling of a measure of agreement: `grades.human-kendall` of `grades.kendall`.
  public static func humanCeiling(of metric: Metric) -> Metric {
    let parts = metric.name.split(separator: ".")
    let name = parts.dropLast().joined(separator: ".") + ".human-" + (parts.last ?? "")
    return Metric(
      name, "Human ceiling of \(metric.name): each rater against the mean of the others, averaged.", metric.direction,
      unit: metric.unit, range: metric.range,
      undefined: "\(metric.name) against the others is undefined for every rater; the raters left out are counted",
      source: metric.source, aggregation: metric.aggregation)
  }
}
