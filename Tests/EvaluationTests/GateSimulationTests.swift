import Testing

@testable import Evaluation

@Suite struct GateSimulationTests {
  /// One-sided 95 % of one rate is 1.6449 standard errors: 0.025 + 1.6449 · √(0.025 · 0.975 / 10000) = 0.027568.
  @Test func theLimitIsTheNominalAndSimulationError() {
    #expect(abs(GateSimulation(seed: 1).limit(rates: 1) - 0.027568) < 1e-5)
    #expect(GateSimulation(seed: 1).limit(rates: 100) > GateSimulation(seed: 1).limit(rates: 1))
  }

  /// A rate of 0.05 must be known to ±0.01: 1.96 · √(0.05 · 0.95 / n).
  @Test func thereAreEnoughTrials() {
    #expect(1.96 * (0.05 * 0.95 / Double(GateSimulation.trials)).squareRoot() <= 0.01)
  }

  @Test func aRateAboveTheLimitOrAnOpenGateFails() {
    let simulation = GateSimulation(seed: 1)
    func report(rate: Double, closed: Bool = true) -> GateSelftest {
      let result = GateSimulation.Result(
        setting: GateSimulation.Setting(gains: "normal", subjects: 10, correlation: 0), falseRegressions: [1: rate],
        wrongPasses: 0, shownLosses: 0, isRefused: false)
      return GateSelftest(
        simulation, [result], [FailingClosed.Check(what: "a clip", answer: "missing", isClosed: closed)],
        suite: "sample", bench: "test")
    }
    #expect(report(rate: 0.025).holds)
    #expect(!report(rate: 0.03).holds)
    #expect(!report(rate: 0, closed: false).holds)
  }

  @Test func poolsAreCentred() {
    for family in GainFamily.allCases where !family.isDiscrete {
      let pool = GainPool(family, seed: 3)
      // The mean of both pools is 0, and reps that are all shared spread as one does.
      #expect(abs(pool.spread(correlation: 1) - pool.standardDeviation) < 1e-12)
      #expect(abs(pool.spread(correlation: 0) - pool.standardDeviation / 40.0.squareRoot()) < 1e-12)
    }
  }
}
