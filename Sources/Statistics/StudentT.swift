/// Student's t distribution.
public struct StudentT: Hashable, Sendable {
  /// Above 0.
  public var degreesOfFreedom: Double

  public init(degreesOfFreedom: Double) { self.degreesOfFreedom = degreesOfFreedom }

  /// The probability of a value of at most `t`.
  ///
  /// - Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1, through the incomplete beta function.
  public func cumulative(_ t: Double) -> Double {
    let tail = 0.5 * twoSidedTail(t)
    return t > 0 ? 1 - tail : tail
  }

  /// The probability of a value at least as far from 0 as `t`: the two-sided p value, exact also where it is tiny.
  public func twoSidedTail(_ t: Double) -> Double {
    let nu = degreesOfFreedom
    let square = t * t
    guard square < .infinity else { return 0 }
    return regularizedIncompleteBeta(nu / (nu + square), a: nu / 2, b: 0.5, complement: square / (nu + square))
  }

  /// The value that is not exceeded with probability `p`; infinite at 0 and 1.
  ///
  /// - Parameter p: 0...1.
  public func quantile(_ p: Double) -> Double {
    if p == 0.5 { return 0 }
    if p < 0.5 { return -upperQuantile(tail: p) }
    return upperQuantile(tail: 1 - p)
  }

  /// The value above 0 that is exceeded with this probability, below a half.
  private func upperQuantile(tail: Double) -> Double {
    guard tail > 0 else { return .infinity }
    func holds(_ t: Double) -> Bool { 0.5 * twoSidedTail(t) <= tail }
    var high = 1.0
    while !holds(high) && high < 1e300 { high *= 2 }
    return bisect(high > 1 ? high / 2 : 0, high, where: holds)
  }
}
