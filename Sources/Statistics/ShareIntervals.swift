/// Intervals on a share of cases from subjects, whose cases are alike.
extension Interval {
  /// Wilson's interval with the effective number of cases: the number of independent cases whose share would have this
  /// standard error, reduced for the standard error's degrees of freedom.
  ///
  /// If the share is 0 or 1, the standard error is no estimate: each subject is then one case, because its cases may
  /// all be the same. The share may be weighted, such as the mean of the subjects' own shares, or a ratio such as F1. `nil`
  /// with fewer than two subjects and for an invalid share.
  ///
  /// - Parameters:
  ///   - standardError: The standard error over subjects.
  ///   - cases: The number of cases; the effective number is at most this, and equal to
  ///     it if each subject has one case.
  ///   - level: 0..<1.
  /// - Source: Korn and Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts
  ///   Estimated from Survey Data, Survey Methodology 24, 1998, for the effective number; Franco, Little, Louis and
  ///   Slud, Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys, Journal of Survey
  ///   Statistics and Methodology 7, 2019, for Wilson's interval on it.
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
