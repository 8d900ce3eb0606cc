/// A confidence interval and what it rests on.
public struct Interval: Hashable, Sendable {
  public var low: Double
  public var high: Double
  /// 0.95 for a 95 % interval.
  public var level: Double

  public init(low: Double, high: Double, level: Double) {
    self.low = low
    self.high = high
    self.level = level
  }

  /// The t interval on the mean of independent values: mean ± t · s / √n with n - 1 degrees of freedom.
  ///
  /// `nil` for fewer than two values or a value that is not finite. Where all values are equal the interval is that
  /// one value. Assumes that means of n values are near normal; with subjects as the values it holds its level where
  /// resampling reps does not, since a subject's reps are alike.
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

  /// The part of the interval within the values that are possible.
  public func clamped(to range: ClosedRange<Double>) -> Interval {
    Interval(
      low: min(max(low, range.lowerBound), range.upperBound), high: min(max(high, range.lowerBound), range.upperBound),
      level: level)
  }
}
