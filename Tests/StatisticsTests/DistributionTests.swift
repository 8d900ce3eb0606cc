import RealModule
import Statistics
import Testing

/// Normal, beta and F distributions.
struct DistributionTests {
  /// Abramowitz and Stegun, table 26.1 (P) and 26.5 (quantiles).
  @Test(arguments: [
    (0.0, 0.5), (1, 0.841_344_746_068_543), (2, 0.977_249_868_051_821), (3, 0.998_650_101_968_370),
    (-1, 0.158_655_253_931_457), (-2, 0.022_750_131_948_179),
  ])
  func normalProbabilities(x: Double, p: Double) {
    #expect(abs(Normal().cumulative(x) - p) < 1e-14)
    #expect(abs(Normal(mean: 3, standardDeviation: 2).cumulative(3 + 2 * x) - p) < 1e-14)
  }

  /// The check values that the paper gives for PPND16.
  @Test(arguments: [
    (0.25, -0.674_489_750_196_081_7), (0.001, -3.090_232_306_167_814), (1e-20, -9.262_340_089_798_408),
  ])
  func normalQuantilesOfThePaper(p: Double, z: Double) {
    #expect(Normal().quantile(p).isApproximatelyEqual(to: z, relativeTolerance: 1e-15))
  }

  @Test func normalQuantileUndoesCumulative() {
    for step in -370...80 {
      let z = Double(step) / 10
      let back = Normal().quantile(Normal().cumulative(z))
      // Above, the distance of p from 1 has few digits.
      #expect(back.isApproximatelyEqual(to: z, absoluteTolerance: 1e-13, relativeTolerance: z > 4 ? 0.1 : 1e-9), "\(z)")
    }
    #expect(Normal().quantile(0) == -.infinity)
    #expect(Normal().quantile(1) == .infinity)
    #expect(Normal(mean: 5, standardDeviation: 3).quantile(0.5) == 5)
  }

  /// Of one and one parameter uniform; of a and 1, x^a; of 2 and 2, 3 x² - 2 x³.
  @Test func betaInClosedForm() {
    for x in [0.0, 0.1, 0.37, 0.5, 0.9, 1] {
      #expect(abs(BetaDistribution(alpha: 1, beta: 1).cumulative(x) - x) < 1e-15)
      #expect(abs(BetaDistribution(alpha: 3, beta: 1).cumulative(x) - x * x * x) < 1e-15)
      #expect(abs(BetaDistribution(alpha: 2, beta: 2).cumulative(x) - x * x * (3 - 2 * x)) < 1e-15)
      #expect(abs(BetaDistribution(alpha: 0.5, beta: 0.5).cumulative(x) - 2 / .pi * .asin(x.squareRoot())) < 1e-15)
      #expect(abs(BetaDistribution(alpha: 1, beta: 40).quantile(x) - (1 - .pow(1 - x, 1 / 40.0))) < 1e-14)
    }
  }

  @Test(arguments: [(0.5, 2.0), (3, 3), (12, 140), (900, 1.5), (20_000, 30_000)])
  func betaIsMonotonicAndMirrors(alpha: Double, beta: Double) {
    let distribution = BetaDistribution(alpha: alpha, beta: beta)
    let mirrored = BetaDistribution(alpha: beta, beta: alpha)
    var last = 0.0
    for step in 1..<100 {
      let p = Double(step) / 100
      let x = distribution.quantile(p)
      #expect(x > last)
      #expect(abs(distribution.cumulative(x) - p) < 1e-11)
      #expect(abs(mirrored.quantile(1 - p) - (1 - x)) < 1e-11)
      last = x
    }
  }

  /// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.3, upper 5 % and 1 % points, three places.
  @Test(arguments: [
    (1, 1, 0.95, 161.448), (1, 10, 0.95, 4.965), (2, 2, 0.95, 19.000), (5, 10, 0.95, 3.326), (10, 20, 0.95, 2.348),
    (5, 10, 0.99, 5.636), (10, 20, 0.99, 3.368),
  ])
  func quantilesOfFInThePublishedTable(numerator: Int, denominator: Int, p: Double, table: Double) {
    let f = FDistribution(numerator: Double(numerator), denominator: Double(denominator))
    #expect(abs(f.quantile(p) - table) <= 0.000501)
  }

  /// With two and two degrees of freedom P(f) = f / (1 + f); with 1 and ν, F is t².
  @Test func fInClosedForm() {
    let f = FDistribution(numerator: 2, denominator: 2)
    for value in [0.001, 0.5, 1, 7, 5000] {
      #expect(f.cumulative(value).isApproximatelyEqual(to: value / (1 + value), relativeTolerance: 1e-14))
      #expect(f.upperTail(value).isApproximatelyEqual(to: 1 / (1 + value), relativeTolerance: 1e-14))
      #expect(f.quantile(value / (1 + value)).isApproximatelyEqual(to: value, relativeTolerance: 1e-10))
      let t = value.squareRoot()
      #expect(
        FDistribution(numerator: 1, denominator: 7).upperTail(value)
          .isApproximatelyEqual(to: StudentT(degreesOfFreedom: 7).twoSidedTail(t), relativeTolerance: 1e-12))
    }
    #expect(f.quantile(0) == 0 && f.quantile(1) == .infinity)
    #expect(f.cumulative(0) == 0 && f.cumulative(-1) == 0 && f.cumulative(.infinity) == 1)
    #expect(f.upperTail(0) == 1 && f.upperTail(.infinity) == 0)
  }

  /// Swapping the degrees of freedom inverts F.
  @Test func fMirrors() {
    for p in [0.001, 0.2, 0.5, 0.77, 0.999] {
      let one = FDistribution(numerator: 4, denominator: 9).quantile(p)
      let other = FDistribution(numerator: 9, denominator: 4).quantile(1 - p)
      #expect((one * other).isApproximatelyEqual(to: 1, relativeTolerance: 1e-11))
    }
  }
}
