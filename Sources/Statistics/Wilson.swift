extension Interval {
  /// Wilson's score interval on a proportion; `nil` of no trials or of successes that are not among them.
  ///
  /// For trials that are independent: of clips only where each is of another subject. Holds its level on average over
  /// proportions, also near 0 and 1, without being wider than it must.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927; Brown, Cai
  ///   and DasGupta, Interval Estimation for a Binomial Proportion, Statistical Science 16, 2001.
  public static func wilson(successes: Int, of trials: Int, level: Double = 0.95) -> Interval? {
    guard trials > 0, (0...trials).contains(successes) else { return nil }
    let n = Double(trials)
    let share = Double(successes) / n
    let z = Normal().quantile(0.5 + level / 2)
    let square = z * z
    let centre = (share + square / (2 * n)) / (1 + square / n)
    let half = z / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
    // At no success and at nothing but successes the ends are 0 and 1 exactly, which rounding would miss.
    return Interval(
      low: successes == 0 ? 0 : max(0, centre - half), high: successes == trials ? 1 : min(1, centre + half),
      level: level)
  }
}
