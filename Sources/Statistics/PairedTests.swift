/// The inference on the mean of paired differences: Student's t test against 0 and its interval.
public struct PairedDifference: Hashable, Sendable {
  public var count: Int
  public var mean: Double
  public var standardDeviation: Double
  /// The mean divided by its standard error; `nil` if all differences are equal.
  public var t: Double?
  /// The probability of a t at least as far from 0 if the true mean is 0; `nil` if all differences are equal.
  public var pTwoSided: Double?
  /// The t interval on the mean.
  public var interval: Interval

  /// `nil` with fewer than two differences or one that is not finite.
  ///
  /// - Parameters:
  ///   - differences: One per subject; subjects are independent.
  ///   - level: 0..<1.
  /// - Source: Student, The Probable Error of a Mean, Biometrika 6, 1908.
  public init?(_ differences: [Double], level: Double = 0.95) {
    guard let interval = Interval.studentT(differences, level: level), let mean = Statistics.mean(differences),
      let deviation = Statistics.standardDeviation(differences)
    else { return nil }
    count = differences.count
    self.mean = mean
    standardDeviation = deviation
    self.interval = interval
    if deviation > 0 {
      let t = mean / (deviation / Double(count).squareRoot())
      self.t = t
      pTwoSided = StudentT(degreesOfFreedom: Double(count - 1)).twoSidedTail(t)
    }
  }
}

/// The probability of at least this many successes in trials that succeed with probability ½: the sign test, one-sided.
///
/// 1 without trials. Exact for the median of any continuous distribution; a value equal to the bound counts as a
/// failure, which can only raise it.
///
/// - Parameter successes: 0...trials.
/// - Source: Conover, Practical Nonparametric Statistics, 3rd edition, 1999, section 3.4.
public func signTest(successes: Int, of trials: Int) -> Double {
  1 - binomialCumulative(successes - 1, of: trials, probability: 0.5)
}
