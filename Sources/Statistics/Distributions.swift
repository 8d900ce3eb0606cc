import RealModule

/// The normal distribution.
public struct Normal: Hashable, Sendable {
  public var mean: Double
  /// The standard deviation, above 0.
  public var standardDeviation: Double

  /// Standard normal by default.
  public init(mean: Double = 0, standardDeviation: Double = 1) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }

  /// The probability of a value of at most `x`, by the complementary error function, accurate also for tiny
  /// probabilities.
  public func cumulative(_ x: Double) -> Double {
    0.5 * .erfc(-(x - mean) / (standardDeviation * 2.0.squareRoot()))
  }

  /// The value that is not exceeded with probability `p`; infinite at 0 and 1.
  ///
  /// - Parameter p: 0...1.
  /// - Source: Wichura, Algorithm AS 241: The Percentage Points of the Normal Distribution, Applied Statistics 37,
  ///   1988, PPND16, accurate to about one part in 10¹⁶.
  public func quantile(_ p: Double) -> Double {
    mean + standardDeviation * Self.standardQuantile(p)
  }

  private static func standardQuantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    let q = p - 0.5
    if abs(q) <= 0.425 { return q * central.value(at: 0.180625 - q * q) }
    let r = (-Double.log(q < 0 ? p : 1 - p)).squareRoot()
    let size = r <= 5 ? middle.value(at: r - 1.6) : far.value(at: r - 5)
    return q < 0 ? -size : size
  }

  /// A quotient of polynomials of degree seven, coefficients from the constant upwards.
  private struct Quotient {
    var above: SIMD8<Double>
    var below: SIMD8<Double>

    func value(at x: Double) -> Double {
      var numerator = above[7]
      var denominator = below[7]
      for power in (0..<7).reversed() {
        numerator = numerator * x + above[power]
        denominator = denominator * x + below[power]
      }
      return numerator / denominator
    }
  }

  /// The paper's a and b: p within 0.425 of a half.
  private static let central = Quotient(
    above: [
      3.387_132_872_796_366_608_0, 1.331_416_678_917_843_774_5e2, 1.971_590_950_306_551_442_7e3,
      1.373_169_376_550_946_112_5e4, 4.592_195_393_154_987_145_7e4, 6.726_577_092_700_870_085_3e4,
      3.343_057_558_358_812_810_5e4, 2.509_080_928_730_122_672_7e3,
    ],
    below: [
      1, 4.231_333_070_160_091_125_2e1, 6.871_870_074_920_579_083_0e2, 5.394_196_021_424_751_107_7e3,
      2.121_379_430_158_659_586_7e4, 3.930_789_580_009_271_061_0e4, 2.872_908_573_572_194_267_4e4,
      5.226_495_278_852_854_561_0e3,
    ])

  /// The paper's c and d: the tails down to e⁻²⁵.
  private static let middle = Quotient(
    above: [
      1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_90, 5.769_497_221_460_691_405_50,
      3.647_848_324_763_204_605_04, 1.270_458_252_452_368_382_58, 2.417_807_251_774_506_117_70e-1,
      2.272_384_498_926_918_458_33e-2, 7.745_450_142_783_414_076_40e-4,
    ],
    below: [
      1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_40, 6.897_673_349_851_000_045_50e-1,
      1.481_039_764_274_800_745_90e-1, 1.519_866_656_361_645_719_66e-2, 5.475_938_084_995_344_946_00e-4,
      1.050_750_071_644_416_843_24e-9,
    ])

  /// The paper's e and f: the tails beyond.
  private static let far = Quotient(
    above: [
      6.657_904_643_501_103_777_20, 5.463_784_911_164_114_369_90, 1.784_826_539_917_291_335_80,
      2.965_605_718_285_048_912_30e-1, 2.653_218_952_657_612_309_30e-2, 1.242_660_947_388_078_438_60e-3,
      2.711_555_568_743_487_578_15e-5, 2.010_334_399_292_288_132_65e-7,
    ],
    below: [
      1, 5.998_322_065_558_879_376_90e-1, 1.369_298_809_227_358_053_10e-1, 1.487_536_129_085_061_485_25e-2,
      7.868_691_311_456_132_591_00e-4, 1.846_318_317_510_054_681_80e-5, 1.421_511_758_316_445_888_70e-7,
      2.044_263_103_389_939_785_64e-15,
    ])
}

/// Fisher's and Snedecor's F distribution, of the ratio of two independent mean squares.
public struct FDistribution: Hashable, Sendable {
  /// The numerator's degrees of freedom, above 0.
  public var numerator: Double
  /// The denominator's degrees of freedom, above 0.
  public var denominator: Double

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

  /// The probability of a value above `f`: the p value of an F test, accurate also if it is tiny.
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
    // Solves for the smaller of the two shares, because the other has fewer exact digits.
    let x = BetaDistribution(alpha: numerator / 2, beta: denominator / 2).quantile(p)
    if x < 0.5 { return denominator * x / (numerator * (1 - x)) }
    let y = BetaDistribution(alpha: denominator / 2, beta: numerator / 2).quantile(1 - p)
    return denominator * (1 - y) / (numerator * y)
  }

  /// The numerator's and the denominator's shares of the sum of squares; they are beta distributed.
  private func shares(_ f: Double) -> (Double, Double) {
    let sum = numerator * f + denominator
    return (numerator * f / sum, denominator / sum)
  }
}

/// The beta distribution on 0...1.
public struct BetaDistribution: Hashable, Sendable {
  /// The first shape parameter, above 0.
  public var alpha: Double
  /// The second shape parameter, above 0.
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

/// The probability of at most `successes` in this many independent trials.
///
/// - Parameter probability: The probability of a success, 0...1.
/// - Source: NIST Digital Library of Mathematical Functions, 8.17.5.
func binomialCumulative(_ successes: Int, of trials: Int, probability: Double) -> Double {
  if successes < 0 { return 0 }
  if successes >= trials { return 1 }
  return regularizedIncompleteBeta(
    1 - probability, a: Double(trials - successes), b: Double(successes + 1), complement: probability)
}

/// I_x(a, b), the regularised incomplete beta function, for x in 0...1 and a, b > 0.
///
/// - Parameter complement: 1 - x, for callers that know it more accurately than by subtraction.
/// - Source: NIST Digital Library of Mathematical Functions, 8.17.22, the continued fraction, evaluated by Lentz's
///   method as modified by Thompson and Barnett, Coulomb and Bessel Functions, 1986.
func regularizedIncompleteBeta(_ x: Double, a: Double, b: Double, complement: Double? = nil) -> Double {
  let y = complement ?? 1 - x
  if x <= 0 { return 0 }
  if y <= 0 { return 1 }
  // The fraction converges fast below the mean; above it, use I_x(a, b) = 1 - I_{1-x}(b, a) (8.17.4).
  if x > (a + 1) / (a + b + 2) { return 1 - betaFraction(y, x, a: b, b: a) }
  return betaFraction(x, y, a: a, b: b)
}

private func betaFraction(_ x: Double, _ y: Double, a: Double, b: Double) -> Double {
  var c = 1.0
  var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
  var fraction = d
  func multiply(_ term: Double) {
    d = 1 / nonzero(1 + term * d)
    c = nonzero(1 + term / c)
    fraction *= c * d
  }
  for step in 1..<100_000 {
    let m = Double(step)
    multiply(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)))
    multiply(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)))
    if abs(c * d - 1) < 1e-16 { break }
  }
  let logX = x < 0.5 ? Double.log(x) : .log(onePlus: -y)
  let logY = y < 0.5 ? Double.log(y) : .log(onePlus: -x)
  return .exp(a * logX + b * logY - logBeta(a, b)) * fraction / a
}

/// ln B(a, b) = ln Γ(a) + ln Γ(b) - ln Γ(a + b).
///
/// For large arguments by Stirling's series, whose large parts cancel analytically: subtracting ln Γ of 10⁶ from that
/// of 10⁶ + 1 would leave nine digits.
///
/// - Source: NIST Digital Library of Mathematical Functions, 5.11.1.
func logBeta(_ a: Double, _ b: Double) -> Double {
  let large = max(a, b)
  let small = min(a, b)
  guard large >= 15 else { return .logGamma(a) + .logGamma(b) - .logGamma(a + b) }
  // ln Γ(large) - ln Γ(large + small), with ln(large + small) written as ln(large) + ln(1 + small / large).
  let growth = Double.log(onePlus: small / large)
  let ratio =
    small - small * .log(large) - (large + small - 0.5) * growth + stirlingRest(large) - stirlingRest(large + small)
  return .logGamma(small) + ratio
}

/// ln Γ(x) - ((x - ½) ln x - x + ½ ln 2π), for x of at least 15.
private func stirlingRest(_ x: Double) -> Double {
  let square = 1 / (x * x)
  // B_2k / (2k (2k - 1)): 1/12, -1/360, 1/1260, -1/1680, 1/1188, -691/360360.
  let series =
    1.0 / 12
    + square
    * (-1.0 / 360 + square * (1.0 / 1260 + square * (-1.0 / 1680 + square * (1.0 / 1188 - square * 691 / 360_360))))
  return series / x
}

private func nonzero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }

/// The point between two bounds at which a condition becomes true, to the last bit.
///
/// Halves down to neighbouring doubles and gives the upper one: some sixty steps for bounds of one binade, at most
/// about eleven hundred if the point is next to zero, and no failure to converge.
///
/// - Parameter holds: False at `low`, true at `high`, and changing once between them.
func bisect(_ low: Double, _ high: Double, where holds: (Double) -> Bool) -> Double {
  var low = low
  var high = high
  while true {
    let middle = low + (high - low) / 2
    guard middle > low && middle < high else { return high }
    if holds(middle) { high = middle } else { low = middle }
  }
}

/// The smallest whole number from `first` to `last` for which a monotonic condition holds; `nil` if it does not hold at
/// `last`.
///
/// Doubles from `first` upwards before bisecting: a small answer then needs no evaluation at a large number.
func smallest(from first: Int, through last: Int, where holds: (Int) -> Bool) -> Int? {
  guard first <= last else { return nil }
  if holds(first) { return first }
  var failing = first
  var step = 1
  while true {
    guard failing < last else { return nil }
    let next = min(failing + step, last)
    if holds(next) {
      var holding = next
      while holding - failing > 1 {
        let middle = failing + (holding - failing) / 2
        if holds(middle) { holding = middle } else { failing = middle }
      }
      return holding
    }
    failing = next
    step *= 2
  }
}
