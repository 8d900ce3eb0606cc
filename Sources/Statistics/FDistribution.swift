/// Fisher's and Snedecor's F distribution, of the ratio of two independent mean squares.
public struct FDistribution: Hashable, Sendable {
  /// Of the numerator; above 0.
  public var numerator: Double
  /// Of the denominator; above 0.
  public var denominator: Double

  /// Of so many degrees of freedom.
  public init(numerator: Double, denominator: Double) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The probability of a value of at most `f`.
  ///
  /// - Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.6.2, through the incomplete beta function.
  public func cumulative(_ f: Double) -> Double {
    guard f > 0 else { return 0 }
    guard f < .infinity else { return 1 }
    let (x, y) = shares(f)
    return regularizedIncompleteBeta(x, a: numerator / 2, b: denominator / 2, complement: y)
  }

  /// The probability of a value above `f`: the p value of an F test, exact also where it is tiny.
  public func upperTail(_ f: Double) -> Double {
    guard f > 0 else { return 1 }
    guard f < .infinity else { return 0 }
    let (x, y) = shares(f)
    return regularizedIncompleteBeta(y, a: denominator / 2, b: numerator / 2, complement: x)
  }

  /// The value that is not exceeded with probability `p`; infinite at 1.
  ///
  /// - Parameter p: 0...1.
  public func quantile(_ p: Double) -> Double {
    if p <= 0 { return 0 }
    if p >= 1 { return .infinity }
    // Of the two shares the smaller is solved for, as the other is known to fewer digits.
    let x = BetaDistribution(alpha: numerator / 2, beta: denominator / 2).quantile(p)
    if x < 0.5 { return denominator * x / (numerator * (1 - x)) }
    let y = BetaDistribution(alpha: denominator / 2, beta: numerator / 2).quantile(1 - p)
    return denominator * (1 - y) / (numerator * y)
  }

  /// Of the numerator's and of the denominator's sum of squares in their sum; they are beta distributed.
  private func shares(_ f: Double) -> (Double, Double) {
    let sum = numerator * f + denominator
    return (numerator * f / sum, denominator / sum)
  }
}
