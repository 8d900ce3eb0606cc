import Testing

@testable import Statistics

/// Intervals over few subjects allow for one more. Reference values from SciPy 1.17 (`stats.t`, `stats.norm`).
@Suite struct OneMoreSubjectTests {
  private static let counts = 0...Double.infinity

  private func isNear(_ interval: Interval?, _ low: Double, _ high: Double) -> Bool {
    interval.map { abs($0.low - low) < 1e-9 && abs($0.high - high) < 1e-9 } ?? false
  }

  /// Six people without an error, and one more with 1.5: a mean of 3/14 with a standard error of 3/14, and a t of 2.446912
  /// for 6 degrees of freedom.
  @Test func noErrorSeenIsNoProofOfNone() throws {
    let interval = try #require(
      Interval.meanOfSubjects([0, 0, 0, 0, 0, 0], step: 1, in: Self.counts))
    #expect(interval.low == 0 && abs(interval.high - 3.0 / 14 * (1 + 2.446911851)) < 1e-8)
  }

  @Test func theOneMoreLiesBeyondTheWorst() {
    #expect(isNear(Interval.meanOfSubjects([0, 0, 1, 2, 0, 1], step: 1, in: Self.counts), 0, 2.27812403504191))
  }

  @Test func aBiasHasOneMoreOnEitherSide() {
    let all = -Double.infinity...Double.infinity
    #expect(
      isNear(
        Interval.meanOfSubjects([-1, 0, 0, 1, 0, 0], step: 1, in: all), -1.381256787704658, 1.381256787704658))
  }

  /// Equal times say nothing about others' times, equal counts do.
  @Test func equalContinuousValuesHaveNone() {
    #expect(Interval.meanOfSubjects([2, 2, 2], step: 0, in: Self.counts) == nil)
    #expect(Interval.meanOfSubjects([2], step: 1, in: Self.counts) == nil)
  }

  /// The plain interval begins at 0.795, that of one more person at 0.467, and that of six cases at 0.534.
  @Test func aShareReachesNoFartherThanOneCaseASubject() {
    let shares = [0.9, 1, 1, 0.8, 1, 0.9]
    let error = (standardDeviation(shares) ?? 0) / 6.0.squareRoot()
    let interval = Interval.shareOfSubjects(5.6 / 6, shares: shares, worst: 0, standardError: error)
    #expect(isNear(interval, 0.5341940191757216, 0.9806510297551033))
    // Mirrored where lower is better.
    let mirrored = Interval.shareOfSubjects(0.4 / 6, shares: shares.map { 1 - $0 }, worst: 1, standardError: error)
    #expect(isNear(mirrored, 1 - 0.9806510297551033, 1 - 0.5341940191757216))
  }

  /// With one case a subject Wilson's interval covers already.
  @Test func aProportionStaysWilsons() {
    let shares = [1, 1, 1, 0, 1, 1.0]
    let error = (standardDeviation(shares) ?? 0) / 6.0.squareRoot()
    #expect(
      Interval.shareOfSubjects(5.0 / 6, shares: shares, worst: 0, standardError: error, cases: 6)
        == Interval.wilson(successes: 5, of: 6))
  }
}
