import RealModule

/// A statistic of all subjects together, and what it is without each of them: how far it rests on whom.
///
/// For a ratio of counts, an area under a curve or a correlation, of which a subject alone has none or a coarse one. Every
/// subject gets a share in the statistic, and the mean of the shares is the statistic itself, so that whatever is said of
/// means of subjects can be said of it. Shares are not bounded by the statistic's range.
///
/// - Source: Tukey, Bias and Confidence in Not-quite Large Samples, Annals of Mathematical Statistics 29, 1958: his
///   pseudo-values, moved by the estimate of the bias, which no interval here corrects for; Miller, The Jackknife: A
///   Review, Biometrika 61, 1974.
public struct Jackknife: Hashable, Sendable {
  public let value: Double
  /// One for each subject: value + (n − 1) · (mean of what is left without a subject − what is left without this one).
  public let shares: [Double]

  /// `nil` for fewer than two subjects, and where a number is not finite.
  ///
  /// - Parameter without: the statistic without each of the subjects.
  public init?(_ value: Double, without: [Double]) {
    guard without.count >= 2, value.isFinite, without.allSatisfy(\.isFinite), let centre = mean(without) else {
      return nil
    }
    let others = Double(without.count - 1)
    self.value = value
    // + 0 leaves no negative zero.
    shares = without.map { value + others * (centre - $0) + 0 }
  }

  /// Of the value.
  public var standardError: Double {
    (standardDeviation(shares) ?? 0) / Double(shares.count).squareRoot()
  }

  /// The t interval on the value of a statistic that is a number between two others, such as a correlation or an area
  /// under a curve, on the scale of the log odds, so that it stays between them; as it is where a value lies at an end.
  ///
  /// `nil` where no subject changes anything: then nothing can be said of others.
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
