/// What paired differences say of their mean: Student's t test against 0 and the interval that belongs to it.
public struct PairedDifference: Hashable, Sendable {
  public var count: Int
  public var mean: Double
  public var standardDeviation: Double
  /// The mean in standard errors; `nil` where all differences are equal.
  public var t: Double?
  /// The probability of a t at least as far from 0 if the true mean is 0; `nil` where all differences are equal.
  public var pTwoSided: Double?
  /// The t interval on the mean.
  public var interval: Interval

  /// `nil` for fewer than two differences or one that is not finite.
  ///
  /// - Parameters:
  ///   - differences: One for each subject, which are independent of each other.
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
