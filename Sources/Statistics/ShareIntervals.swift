/// On a share of cases that come from subjects, whose cases are alike.
extension Interval {
  /// Wilson's interval with the effective number of cases: that of independent cases whose share would have this standard
  /// error, made smaller for the degrees of freedom that the standard error has.
  ///
  /// Where the share is 0 or 1 there is no standard error to go by: then each subject is one case, since its cases may all
  /// be the same. The share may be weighted, as the mean of the subjects' own shares is, or a ratio such as F1. `nil` for
  /// fewer than two subjects and for a share that is none.
  ///
  /// - Parameters:
  ///   - standardError: over subjects.
  ///   - cases: how many there are where each counts once; the effective number is not above it, and is it where each
  ///     subject has one case.
  ///   - level: 0..<1.
  /// - Source: Korn and Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts
  ///   Estimated from Survey Data, Survey Methodology 24, 1998, for the effective number; Franco, Little, Louis and Slud,
  ///   Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys, Journal of Survey Statistics
  ///   and Methodology 7, 2019, for Wilson's interval on it.
  public static func share(
    _ share: Double, standardError: Double, subjects: Int, cases: Int? = nil, level: Double = 0.95
  ) -> Interval? {
    guard subjects >= 2, (0...1).contains(share), standardError.isFinite else { return nil }
    func effectiveCases() -> Double {
      if share == 0 || share == 1 || cases == subjects { return Double(subjects) }
      let most = Double(cases ?? .max)
      guard standardError > 0 else { return Double(cases ?? subjects) }
      let ends = 0.5 + level / 2
      let narrower = Normal().quantile(ends) / StudentT(degreesOfFreedom: Double(subjects - 1)).quantile(ends)
      return min(share * (1 - share) / (standardError * standardError) * narrower * narrower, most)
    }
    return wilson(share: share, of: effectiveCases(), level: level)
  }
}
