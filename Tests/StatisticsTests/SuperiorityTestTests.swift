import Testing

@testable import Statistics

/// What each of the tests that a claim must pass is there for.
@Suite struct SuperiorityTestTests {
  private func objection(_ gains: [Double], above bound: Double = 0, alpha: Double = 0.025) throws
    -> SuperiorityTest.Objection?
  {
    try #require(SuperiorityTest(gains)).objection(toMeanAbove: bound, alpha: alpha)
  }

  /// All of n signs are plus by chance in 2⁻ⁿ of cases: 1 / 32 is above 0.025, 1 / 64 below.
  @Test func alikeGainsNeedSixSubjects() throws {
    #expect(try objection([1, 1, 1, 1, 1]) == .unconfirmed)
    #expect(try objection([1, 1, 1, 1, 1, 1]) == nil)
    #expect(try objection([1, 1, 1, 1, 1, 1], alpha: 0.01) == .unconfirmed)
  }

  /// −3 among eleven of 1: mean 2 / 3, deviations −11 / 3 and eleven of 1 / 3, skewness −(11³ − 11) / 12 / (11 ^ 1.5)
  /// = −110 / 36.48 = −3.015.
  @Test func aTailTowardsTheBoundIsToldOf() throws {
    let gains = [-3] + [Double](repeating: 1, count: 11)
    let evidence = try #require(SuperiorityTest(gains))
    #expect(abs(evidence.skewness + 3.01511) < 1e-4)
    #expect(evidence.objection(toMeanAbove: -4, alpha: 0.025) == .skewed(evidence.skewness))
    // A tail away from the bound is no danger.
    #expect(try objection(gains.map { -$0 }, above: -4) == nil)
  }

  /// 1, 2, 3, 4, 5, 6: of 64 flips one has a sum of 21, and the mean is in 3.5 / (1.8708 / √6) = 4.583 standard errors, of
  /// which t with 5 degrees of freedom has 0.00296 above: the exact test's 1 / 64 is the largest.
  @Test func thePValueIsTheLargestOfTheTests() throws {
    let evidence = try #require(SuperiorityTest([1, 2, 3, 4, 5, 6]))
    #expect(evidence.p(meanAbove: 0) == 1.0 / 64)
    #expect(evidence.p(meanAbove: 4) == 1)
    // By Student alone where that is too much already.
    #expect(abs(evidence.p(meanAbove: 0, ceiling: 0.001) - 0.00296) < 1e-5)
    // A tail towards the bound forbids the claim.
    #expect(try #require(SuperiorityTest([-3] + [Double](repeating: 1, count: 11))).p(meanAbove: -4) == 1)
  }

  @Test func aMeanAtOrBelowTheBoundIsNotShown() throws {
    #expect(try objection([0, 0, 0, 0, 0, 0, 0]) == .notShown)
    #expect(try objection([-1, -2, -1, -2, -1, -2]) == .notShown)
  }

  @Test func whatIsNotFiniteOrOneIsNoEvidence() {
    #expect(SuperiorityTest([1]) == nil)
    #expect(SuperiorityTest([1, .nan]) == nil)
    #expect(SuperiorityTest([1, .infinity]) == nil)
  }

  /// The short way to the exact test's p value gives the same as all flips, ties and gains of 0 included.
  @Test func theSignFlipTestIsExact() throws {
    var random = SeededGenerator(seed: 7)
    for count in 2...14 {
      for _ in 0..<20 {
        let gains = (0..<count).map { _ in (random.normal() * 4).rounded() / 3 }
        let evidence = try #require(SuperiorityTest(gains))
        let p = try #require(SignFlip(gains)).greater
        #expect(evidence.signFlip(above: 0) == p, "\(gains)")
        let capped = try #require(evidence.signFlip(above: 0, ceiling: 0.025))
        #expect(p <= 0.025 ? capped == p : capped > 0.025, "\(gains)")
      }
    }
    #expect(try #require(SuperiorityTest((1...21).map(Double.init))).signFlip(above: 0) == nil)
  }
}
