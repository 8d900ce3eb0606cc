extension Interval {
  /// Clopper's and Pearson's exact interval on a proportion; `nil` of no trials or of successes not among them.
  ///
  /// Holds at least its level at every proportion, and is wider than Wilson's for it.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Clopper and Pearson, The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial,
  ///   Biometrika 26, 1934; as quantiles of beta distributions.
  public static func clopperPearson(successes: Int, of trials: Int, level: Double = 0.95) -> Interval? {
    guard trials > 0, (0...trials).contains(successes) else { return nil }
    let k = Double(successes)
    let n = Double(trials)
    let tail = (1 - level) / 2
    return Interval(
      low: successes == 0 ? 0 : BetaDistribution(alpha: k, beta: n - k + 1).quantile(tail),
      high: successes == trials ? 1 : BetaDistribution(alpha: k + 1, beta: n - k).quantile(1 - tail), level: level)
  }
}
