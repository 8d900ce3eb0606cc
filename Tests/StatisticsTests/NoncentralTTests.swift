import RealModule
import Statistics
import Testing

struct NoncentralTTests {
  private func cumulative(_ t: Double, _ degreesOfFreedom: Double, _ noncentrality: Double) -> Double {
    NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality).cumulative(t)
  }

  @Test func withoutNoncentralityStudents() {
    for t in [-5, -0.3, 0, 1, 2.5, 40] {
      #expect(abs(cumulative(t, 6, 0) - StudentT(degreesOfFreedom: 6).cumulative(t)) < 1e-14, "\(t)")
    }
  }

  /// A t below 0 is a z below -δ, whatever the degrees of freedom.
  @Test func zeroSplitsAtTheNormalProbability() {
    for delta in [-3, 0, 0.7, 12] {
      #expect(cumulative(0, 4, delta) == Normal().cumulative(-delta))
      #expect(abs(cumulative(1e-12, 4, delta) - Normal().cumulative(-delta)) < 1e-11)
    }
  }

  /// With many degrees of freedom t is z + δ.
  @Test func manyDegreesOfFreedomAreNearlyNormal() {
    for t in [-1, 0.5, 2, 4] { #expect(abs(cumulative(t, 1e7, 1.5) - Normal().cumulative(t - 1.5)) < 1e-6) }
  }

  @Test func mirrors() {
    for t in [-3, -1, 0.2, 2, 9] { #expect(abs(cumulative(t, 5, 2) + cumulative(-t, 5, -2) - 1) < 1e-13) }
  }

  @Test func growsWithTAndFallsWithNoncentrality() {
    for step in -40..<80 {
      let t = Double(step) / 8
      #expect(cumulative(t, 9, 2) <= cumulative(t + 0.125, 9, 2) + 1e-14)
      #expect(cumulative(t, 9, 2) >= cumulative(t, 9, 2.1) - 1e-14)
    }
    #expect(cumulative(.infinity, 9, 2) == 1)
    #expect(cumulative(-.infinity, 9, 2) == 0)
  }

  /// The series and the approximation beyond its reach meet.
  @Test func largeNoncentralityIsContinuous() {
    for t in [35.0, 38, 42] { #expect(abs(cumulative(t, 200, 37.599) - cumulative(t, 200, 37.601)) < 0.005) }
  }

  /// Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988: one sample of 34, effect 0.5,
  /// two sides of 5 %, has a power of 0.808 (G*Power 3.1 gives n = 34 for 0.80 as well, and not 33).
  @Test func powerOfTheTTest() {
    func power(_ n: Double) -> Double {
      let t = StudentT(degreesOfFreedom: n - 1).quantile(0.975)
      return NoncentralT(degreesOfFreedom: n - 1, noncentrality: 0.5 * n.squareRoot()).upperTail(t)
    }
    #expect(abs(power(34) - 0.808) < 0.001)
    #expect(power(33) < 0.8)
  }

  @Test func noncentralityUndoesUpperTail() throws {
    for power in [0.05, 0.5, 0.8, 0.99] {
      let delta = try #require(NoncentralT.noncentrality(exceeding: 2.3, with: power, degreesOfFreedom: 8))
      #expect(abs(NoncentralT(degreesOfFreedom: 8, noncentrality: delta).upperTail(2.3) - power) < 1e-12)
    }
    #expect(NoncentralT.noncentrality(exceeding: 2.3, with: 1, degreesOfFreedom: 8) == nil)
    #expect(NoncentralT.noncentrality(exceeding: 100, with: 0.9, degreesOfFreedom: 8) == nil)
  }
}
