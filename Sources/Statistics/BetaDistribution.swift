/// The beta distribution on 0...1.
public struct BetaDistribution: Hashable, Sendable {
  /// Above 0.
  public var alpha: Double
  /// Above 0.
  public var beta: Double

  public init(alpha: Double, beta: Double) {
    self.alpha = alpha
    self.beta = beta
  }

  /// The probability of a value of at most `x`.
  ///
  /// - Source: NIST Digital Library of Mathematical Functions, 8.17.2.
  public func cumulative(_ x: Double) -> Double { regularizedIncompleteBeta(x, a: alpha, b: beta) }

  /// The value that is not exceeded with probability `p`.
  ///
  /// - Parameter p: 0...1.
  public func quantile(_ p: Double) -> Double {
    if p <= 0 { return 0 }
    if p >= 1 { return 1 }
    return bisect(0, 1) { cumulative($0) >= p }
  }
}
