import RealModule

/// A statistic of all subjects together and without each of them, which shows how much it depends on each.
///
/// For a ratio of counts, an area under a curve or a correlation, which is undefined or coarse for a single subject.
/// Every subject gets a share of the statistic, and the mean of the shares is the statistic itself: inference on means
/// of subjects then applies. Shares may lie outside the statistic's range.
///
/// - Source: Tukey, Bias and Confidence in Not-quite Large Samples, Annals of Mathematical Statistics 29, 1958: his
///   pseudo-values, shifted by the estimate of the bias, which no interval here corrects for; Miller, The Jackknife: A
///   Review, Biometrika 61, 1974.
public struct Jackknife: Hashable, Sendable {
  public let value: Double
  /// The share of each subject: value + (n − 1) · (mean of the values without one subject − the value without this
  /// one).
  public let shares: [Double]

  /// `nil` with fewer than two subjects, and if a number is not finite.
  ///
  /// - Parameter without: The statistic without each of the subjects.
  public init?(_ value: Double, without: [Double]) {
    guard without.count >= 2, value.isFinite, without.allSatisfy(\.isFinite), let centre = mean(without) else {
      return nil
    }
    let others = Double(without.count - 1)
    self.value = value
    // + 0 removes a negative zero.
    shares = without.map { value + others * (centre - $0) + 0 }
  }

  /// The standard error of the value.
  public var standardError: Double {
    (standardDeviation(shares) ?? 0) / Double(shares.count).squareRoot()
  }

  /// The t interval of a bounded statistic, such as a correlation or an area under a curve, on the log-odds scale,
  /// which keeps it within the bounds; untransformed if a value is at a bound.
  ///
  /// `nil` if the statistic is the same without each subject: it then says nothing about other people.
  ///
  /// - Source: Miller 1974, §3, for the transformation; for correlations it is Fisher's.
  public static func interval(
    _ value: Double, without: [Double], in range: ClosedRange<Double>, level: Double = 0.95
  ) -> Interval? {
    guard let plain = Jackknife(value, without: without), plain.standardError > 0 else { return nil }
    let (low, width) = (range.lowerBound, range.upperBound - range.lowerBound)
    func logOdds(_ value: Double) -> Double {
      let share = (value - low) / width
      return .log(share / (1 - share))
    }
    func turnedBack(_ odds: Double) -> Double { low + width / (1 + .exp(-odds)) }
    guard width.isFinite, let turned = Jackknife(logOdds(value), without: without.map(logOdds)) else {
      return Interval.studentT(plain.shares, level: level)?.clamped(to: range)
    }
    return Interval.studentT(turned.shares, level: level).map {
      Interval(low: turnedBack($0.low), high: turnedBack($0.high), level: level)
    }
  }
}
