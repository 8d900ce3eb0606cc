import RealModule
import Synchronization

/// Student's t distribution.
public struct StudentT: Hashable, Sendable {
  /// The degrees of freedom, above 0.
  public var degreesOfFreedom: Double

  public init(degreesOfFreedom: Double) { self.degreesOfFreedom = degreesOfFreedom }

  /// The probability of a value of at most `t`.
  ///
  /// - Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1, through the incomplete beta function.
  public func cumulative(_ t: Double) -> Double {
    let tail = 0.5 * twoSidedTail(t)
    return t > 0 ? 1 - tail : tail
  }

  /// The probability of a value at least as far from 0 as `t`: the two-sided p value, accurate also if it is tiny.
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

  /// Upper quantiles by distribution and tail: a study has thousands of intervals over the same number of people.
  private static let known = Mutex<[StudentT: [Double: Double]]>([:])
  private static let mostKnown = 256

  /// The value above 0 that is exceeded with this probability, which is below a half.
  private func upperQuantile(tail: Double) -> Double {
    guard tail > 0 else { return .infinity }
    if let value = Self.known.withLock({ $0[self]?[tail] }) { return value }
    let value = searchedQuantile(tail: tail)
    Self.known.withLock { known in
      if known.count >= Self.mostKnown { known.removeAll() }
      known[self, default: [:]][tail] = value
    }
    return value
  }

  private func searchedQuantile(tail: Double) -> Double {
    func holds(_ t: Double) -> Bool { 0.5 * twoSidedTail(t) <= tail }
    var high = 1.0
    while !holds(high) && high < 1e300 { high *= 2 }
    return bisect(high > 1 ? high / 2 : 0, high, where: holds)
  }
}

/// The noncentral t distribution: of (z + δ) / √(χ² / ν), a t statistic whose mean is not 0 but δ standard errors.
public struct NoncentralT: Hashable, Sendable {
  /// ν, the degrees of freedom, above 0.
  public var degreesOfFreedom: Double
  /// δ, the noncentrality.
  public var noncentrality: Double

  public init(degreesOfFreedom: Double, noncentrality: Double) {
    self.degreesOfFreedom = degreesOfFreedom
    self.noncentrality = noncentrality
  }

  /// The largest |δ| whose Poisson weights e^(-δ²/2) are normal doubles.
  private static let seriesLimit = 37.6

  /// The probability of a value of at most `t`.
  ///
  /// Absolute error below 1e-11 for |δ| up to 37.6; beyond that, a normal approximation with about three digits.
  ///
  /// - Source: Lenth, Algorithm AS 243: Cumulative Distribution Function of the Non-Central t Distribution, Applied
  ///   Statistics 38, 1989; outside its range Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.10.
  public func cumulative(_ t: Double) -> Double {
    if t < 0 {
      return 1 - NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: -noncentrality).cumulative(-t)
    }
    let below = Normal().cumulative(-noncentrality)
    if t == 0 { return below }
    guard t < .infinity else { return 1 }
    guard abs(noncentrality) <= Self.seriesLimit else { return approximate(t) }
    return min(max(below + positivePart(t), 0), 1)
  }

  /// The probability of a value above `t`.
  public func upperTail(_ t: Double) -> Double { 1 - cumulative(t) }

  /// The probability of 0...t: incomplete beta functions of t² / (t² + ν), with Poisson weights of mean δ² / 2.
  private func positivePart(_ t: Double) -> Double {
    let nu = degreesOfFreedom
    let delta = noncentrality
    let x = t * t / (t * t + nu)
    let y = nu / (t * t + nu)
    let lambda = delta * delta / 2
    let b = nu / 2
    let logX = y < 0.5 ? Double.log(onePlus: -y) : .log(x)
    let logY = x < 0.5 ? Double.log(onePlus: -x) : .log(y)
    // Weights and incomplete beta functions with a = j + ½ and a = j + 1, each from the previous one: I_x(a + 1, b) =
    // I_x(a, b) - x^a (1 - x)^b / (a B(a, b)).
    var poisson = 0.5 * Double.exp(-lambda)
    var halfPoisson = delta * .exp(-lambda) / (2 * Double.pi).squareRoot()
    var odd = regularizedIncompleteBeta(x, a: 0.5, b: b, complement: y)
    var even = -Double.expMinusOne(b * logY)
    var oddStep = Double.exp(0.5 * logX + b * logY - logBeta(0.5, b)) / 0.5
    var evenStep = b * .exp(logX + b * logY)
    var unusedWeight = 0.5 - poisson
    var sum = poisson * odd + halfPoisson * even
    for step in 1..<10_000 {
      let j = Double(step)
      odd -= oddStep
      even -= evenStep
      oddStep *= x * (j - 0.5 + b) / (j + 0.5)
      evenStep *= x * (j + b) / (j + 1)
      poisson *= lambda / j
      halfPoisson *= lambda / (j + 0.5)
      sum += poisson * odd + halfPoisson * even
      unusedWeight -= poisson
      // Lenth's bound on the omitted terms, past the largest weight.
      if j > lambda && 2 * unusedWeight * max(odd, 0) < 1e-14 { break }
    }
    return sum
  }

  private func approximate(_ t: Double) -> Double {
    let shrink = 1 - 1 / (4 * degreesOfFreedom)
    let spread = (1 + t * t / (2 * degreesOfFreedom)).squareRoot()
    return Normal().cumulative((t * shrink - noncentrality) / spread)
  }

  /// The noncentrality with which `t` is exceeded with probability `power`; `nil` beyond 37.
  ///
  /// - Parameter power: Above 0 and below 1.
  public static func noncentrality(exceeding t: Double, with power: Double, degreesOfFreedom: Double) -> Double? {
    func holds(_ delta: Double) -> Bool {
      NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: delta).upperTail(t) >= power
    }
    guard power > 0, power < 1, holds(37), !holds(-37) else { return nil }
    return bisect(-37, 37, where: holds)
  }
}
