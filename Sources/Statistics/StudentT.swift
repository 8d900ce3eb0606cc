import RealModule

/// Student's t distribution.
public struct StudentT: Hashable, Sendable {
  /// Above 0.
  public var degreesOfFreedom: Double

  public init(degreesOfFreedom: Double) { self.degreesOfFreedom = degreesOfFreedom }

  /// The probability of a value of at most `t`.
  ///
  /// - Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1, through the incomplete beta function.
  public func cumulative(_ t: Double) -> Double {
    t > 0 ? 1 - tail(t) : tail(t)
  }

  /// The probability of a value further from 0 than `t` on its side.
  private func tail(_ t: Double) -> Double {
    let (nu, square) = (degreesOfFreedom, t * t)
    return 0.5
      * regularizedIncompleteBeta(nu / (nu + square), complement: square / (nu + square), a: nu / 2, b: 0.5)
  }

  /// The value that is not exceeded with probability `p`; infinite at 0 and 1.
  ///
  /// - Parameter p: 0...1.
  public func quantile(_ p: Double) -> Double {
    if p == 0.5 { return 0 }
    // The smaller tail keeps its digits where 1 - p would lose them.
    return p < 0.5 ? -distance(tail: p) : distance(tail: 1 - p)
  }

  /// How far from 0 the tail begins that has this probability.
  private func distance(tail probability: Double) -> Double {
    guard probability > 0 else { return .infinity }
    var low = 0.0
    var high = 1.0
    while tail(high) > probability && high < .infinity { (low, high) = (high, high * 2) }
    // Bisection down to neighbouring doubles: nothing to tune, and no failure to converge.
    while true {
      let middle = low + (high - low) / 2
      guard middle > low && middle < high else { return high }
      if tail(middle) > probability { low = middle } else { high = middle }
    }
  }
}

/// I_x(a, b), the regularised incomplete beta function, for x in 0...1 and a, b > 0.
///
/// - Parameter y: 1 - x, which the caller knows to more digits than a subtraction leaves.
/// - Source: NIST Digital Library of Mathematical Functions, 8.17.22, the continued fraction, evaluated by Lentz's
///   method as modified by Thompson and Barnett, 1986.
func regularizedIncompleteBeta(_ x: Double, complement y: Double, a: Double, b: Double) -> Double {
  if x <= 0 { return 0 }
  if y <= 0 { return 1 }
  // The fraction converges fast below the mean; above it, use I_x(a, b) = 1 - I_{1-x}(b, a) (8.17.4).
  if x > (a + 1) / (a + b + 2) { return 1 - regularizedIncompleteBeta(y, complement: x, a: b, b: a) }
  let logFront =
    Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b) + a * .log(x) + b * .log(y)
  let tiny = 1e-300
  var c = 1.0
  var d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny)
  var fraction = d
  for m in 1..<10_000 {
    let m = Double(m)
    for term in [
      m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
    ] {
      d = 1 / nonzero(1 + term * d, tiny)
      c = nonzero(1 + term / c, tiny)
      fraction *= c * d
    }
    if abs(c * d - 1) < 1e-16 { break }
  }
  return .exp(logFront) * fraction / a
}

private func nonzero(_ value: Double, _ tiny: Double) -> Double { abs(value) < tiny ? tiny : value }
