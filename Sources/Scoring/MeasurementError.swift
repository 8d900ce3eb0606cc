/// The error of one rating, from the variance components of the intraclass correlation, in the unit of the ratings.
///
/// An intraclass correlation depends on how much the rated people differ; the error does not.
///
/// - Source: Weir, Quantifying Test-Retest Reliability Using the Intraclass Correlation Coefficient and the SEM, 2005;
///   de Vet et al., When to Use Agreement versus Reliability Measures, 2006.
public enum MeasurementError: String, CaseIterable, Hashable, Sendable {
  /// The same raters rate everything; a rater who always rates higher is an error. For a rating by anybody.
  case agreement = "a"
  /// The same raters rate everything; a rater who always rates higher does not matter. For a change that one rater sees.
  case consistency = "c"
}

extension IntraclassCorrelation {
  /// The standard error of measurement (SEM): the standard deviation of ratings of the same item.
  ///
  /// Of agreement: √(σ² of raters + σ² of the residual), the former 0 if its estimate is negative; of consistency: √(σ²
  /// of the residual).
  ///
  /// - Source: de Vet et al., 2006, table 2; Weir, 2005, for consistency.
  public func standardError(_ error: MeasurementError) -> Double {
    let raters = error == .agreement ? max((columns - residual) / n, 0) : 0
    return (raters + residual).squareRoot()
  }

  /// The minimal detectable change (MDC95): two ratings that differ by more differ by more than error, in 95 % of cases.
  ///
  /// - Source: Weir, 2005; de Vet et al., 2006: 1.96 · √2 · SEM.
  public func detectableChange(_ error: MeasurementError) -> Double { 1.96 * 2.0.squareRoot() * standardError(error) }
}

extension MeasurementError: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.sem-a": "rating error, absolute (SEM)",
    "grades.sem-c": "rating error, consistent (SEM)",
    "grades.mdc-a": "detectable change, absolute (MDC)",
    "grades.mdc-c": "detectable change, consistent (MDC)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    allCases.map { .standardErrorOfMeasurement($0) } + allCases.map { .minimalDetectableChange($0) }
  }
}

extension Metric {
  public static func standardErrorOfMeasurement(_ error: MeasurementError) -> Metric {
    Metric(
      "grades.sem-\(error.rawValue)", "Standard error of one rating, \(error.words) (SEM).", .lowerIsBetter,
      unit: "points", range: 0...(.infinity), undefined: "fewer than two reps or raters, or a rating missing",
      source: "Weir, 2005; de Vet et al., 2006", aggregation: .pooled)
  }

  public static func minimalDetectableChange(_ error: MeasurementError) -> Metric {
    Metric(
      "grades.mdc-\(error.rawValue)",
      "Smallest difference of two ratings that is beyond error in 95 % of cases, \(error.words) (MDC95).",
      .lowerIsBetter, unit: "points", range: 0...(.infinity),
      undefined: "fewer than two reps or raters, or a rating missing",
      source: "1.96 · √2 · SEM: Weir, 2005; de Vet et al., 2006", aggregation: .pooled)
  }
}

extension MeasurementError {
  fileprivate var words: String { self == .agreement ? "absolute agreement" : "consistency" }
}
