/// A confidence interval and its method.
public struct Interval: Hashable, Sendable {
  public var low: Double
  public var high: Double
  /// The confidence level: 0.95 for a 95 % interval.
  public var level: Double

  public init(low: Double, high: Double, level: Double) {
    self.low = low
    self.high = high
    self.level = level
  }

  /// The t interval on the mean of independent values: mean ± t · s / √n with n - 1 degrees of freedom.
  ///
  /// `nil` with fewer than two values or a value that is not finite. If all values are equal, the interval is that
  /// value. Assumes that means of n values are nearly normal. With subjects as the values it keeps its level;
  /// resampling reps does not, because a subject's reps are alike.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Student, The Probable Error of a Mean, Biometrika 6, 1908.
  public static func studentT(_ values: [Double], level: Double = 0.95) -> Interval? {
    guard values.count >= 2, values.allSatisfy(\.isFinite), let mean = mean(values),
      let deviation = standardDeviation(values)
    else { return nil }
    let n = Double(values.count)
    let t = StudentT(degreesOfFreedom: n - 1).quantile(0.5 + level / 2)
    let half = t * deviation / n.squareRoot()
    return Interval(low: mean - half, high: mean + half, level: level)
  }

  /// The part of the interval within the possible values.
  public func clamped(to range: ClosedRange<Double>) -> Interval {
    Interval(
      low: min(max(low, range.lowerBound), range.upperBound), high: min(max(high, range.lowerBound), range.upperBound),
      level: level)
  }
}

/// Intervals on a proportion.
extension Interval {
  /// Wilson's score interval on a proportion; `nil` without trials or with an impossible number of successes.
  ///
  /// For independent trials: clips only if each is of another subject. Keeps its level on average over proportions,
  /// also near 0 and 1, without being wider than necessary.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927; Brown, Cai
  ///   and DasGupta, Interval Estimation for a Binomial Proportion, Statistical Science 16, 2001.
  public static func wilson(successes: Int, of trials: Int, level: Double = 0.95) -> Interval? {
    guard trials > 0, (0...trials).contains(successes) else { return nil }
    return wilson(share: Double(successes) / Double(trials), of: Double(trials), level: level)
  }

  /// Wilson's interval for a number of trials that need not be whole, above 0.
  static func wilson(share: Double, of n: Double, level: Double) -> Interval {
    let z = Normal().quantile(0.5 + level / 2)
    let square = z * z
    let centre = (share + square / (2 * n)) / (1 + square / n)
    let half = z / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
    // With no success or only successes, the ends are exactly 0 and 1, which rounding would miss.
    return Interval(
      low: share == 0 ? 0 : max(0, centre - half), high: share == 1 ? 1 : min(1, centre + half), level: level)
  }
}
