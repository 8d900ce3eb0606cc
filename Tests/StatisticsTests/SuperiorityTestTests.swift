import Testing

@testable import Statistics

@Suite struct SuperiorityTestTests {
  /// −3 among eleven of 1: mean 2 / 3, deviations −11 / 3 and eleven of 1 / 3, skewness −(11³ − 11) / 12 / (11 ^ 1.5)
  /// = −110 / 36.48 = −3.015.
  @Test func skewnessIsThatOfThePopulationFormula() throws {
    let gains = [-3] + [Double](repeating: 1, count: 11)
    let sample = try #require(SuperiorityTest(gains))
    #expect(abs(sample.skewness + 3.01511) < 1e-4)
    #expect(try #require(SuperiorityTest(gains.map { -$0 })).skewness == -sample.skewness)
  }

  /// 1, 2, 3, 4, 5, 6: the mean is 3.5 / (1.8708 / √6) = 4.583 standard errors above 0, of which t with 5 degrees of freedom
  /// has 0.00296 above. Without skewness Hall's t adds nothing.
  @Test func studentsTestAndHalls() throws {
    let sample = try #require(SuperiorityTest([1, 2, 3, 4, 5, 6]))
    #expect(abs(sample.t(above: 0) - 4.5826) < 1e-4)
    #expect(abs(sample.p(meanAbove: 0) - 0.00296) < 1e-5)
    #expect(abs(sample.skewnessCorrectedT(above: 0) - sample.t(above: 0)) < 1e-12)
    #expect(sample.p(meanAbove: 3.5) == 0.5 && abs(sample.p(meanAbove: 7) - (1 - 0.00296)) < 1e-5)
  }

  /// Fourteen of 0.5 and one of −2: s = 2 / √15 = 0.5164, skewness −3.4744, and Hall's t is
  /// √15 · (s − 3.4744 s² / 3 + 12.0714 s³ / 27 − 3.4744 / 90) = 3.873 · 0.2305 = 0.893.
  @Test func aTailTowardsTheBoundLowersHallsT() throws {
    let gains = [Double](repeating: 0.5, count: 14) + [-2]
    let sample = try #require(SuperiorityTest(gains))
    #expect(abs(sample.t(above: 0) - 2) < 1e-9)
    #expect(abs(sample.skewnessCorrectedT(above: 0) - 0.893) < 2e-3)
  }

  @Test func equalGainsHaveNoStandardError() throws {
    let sample = try #require(SuperiorityTest([1, 1, 1]))
    #expect(sample.t(above: 0) == .infinity && sample.t(above: 1) == 0 && sample.t(above: 2) == -.infinity)
    #expect(sample.skewness == 0)
  }

  @Test func whatIsNotFiniteOrOneIsNoSample() {
    #expect(SuperiorityTest([1]) == nil)
    #expect(SuperiorityTest([1, .nan]) == nil)
    #expect(SuperiorityTest([1, .infinity]) == nil)
  }
}
