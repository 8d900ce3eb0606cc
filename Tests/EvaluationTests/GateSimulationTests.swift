import Testing

@testable import Evaluation
@testable import Statistics

@Suite struct GateSimulationTests {
  /// One point above the nominal 5 %; with few comparisons what simulation error explains: at 2000 and one rate
  /// 0.05 + 1.6449 · √(0.05 · 0.95 / 2000) = 0.05802, for a hundred rates 0.05 + 3.2905 · 0.004873 = 0.06604.
  @Test func theLimitIsTheNominalAndOnePointOrSimulationError() {
    #expect(abs(GateSimulation(seed: 1).limit(rates: 100) - 0.06) < 1e-9)
    #expect(abs(GateSimulation(seed: 1, trials: 2000).limit(rates: 1) - 0.06) < 1e-9)
    #expect(abs(GateSimulation(seed: 1, trials: 2000).limit(rates: 100) - 0.06604) < 1e-4)
  }

  /// A rate of 0.05 must be known to ±0.01: 1.96 · √(0.05 · 0.95 / n).
  @Test func thereAreEnoughTrials() {
    #expect(1.96 * (0.05 * 0.95 / Double(GateSimulation.trials)).squareRoot() <= 0.01)
  }

  @Test func aRateAboveTheLimitOrAnOpenGateFails() {
    let simulation = GateSimulation(seed: 1)
    func report(
      rate: Double = 0, unclaimed: [Int: String] = [:], pass: Double = 0, passUnclaimed: String? = nil,
      stopped: Double = 1, harmless: [Double] = [], subjects: Int = 10, closed: Bool = true
    ) -> GateSelftest {
      let rates = GateSimulation.Rates(
        falseRegressions: [1: rate], wrongPasses: pass, shownLosses: 0, shownOfEight: 0, stoppedLosses: stopped,
        stoppedHarmless: harmless)
      let result = GateSimulation.Result(
        setting: GateSimulation.Setting(gains: "normal", subjects: subjects, correlation: 0), rates: rates, others: [:],
        isRefused: false, outOfReach: unclaimed, passOutOfReach: passUnclaimed)
      return GateSelftest(
        simulation, [result], [FailingClosed.Check(what: "a clip", answer: "missing", isClosed: closed)],
        suite: "sample", bench: "test")
    }
    #expect(report(rate: 0.06).holds)
    #expect(!report(rate: 0.061).holds)
    #expect(report(rate: 0.061, unclaimed: [1: "no rule can tell"]).holds)
    #expect(!report(rate: 0.061, unclaimed: [8: "no rule can tell"]).holds)
    #expect(!report(pass: 0.061).holds && report(pass: 0.061, passUnclaimed: "no rule can tell").holds)
    #expect(!report(stopped: 0.979).holds && report(stopped: 0.979, subjects: 5).holds)
    // Harmless changes: 10 % from twelve people on, 5 % from forty; who loses half the margin is not claimed.
    #expect(report(harmless: [0.5, 0.5, 0.5]).holds)
    #expect(
      report(harmless: [0, 0.1, 0.5], subjects: 12).holds && !report(harmless: [0, 0.101, 0], subjects: 12).holds)
    #expect(
      report(harmless: [0, 0.05, 0.5], subjects: 40).holds && !report(harmless: [0.051, 0, 0], subjects: 40).holds)
    #expect(!report(closed: false).holds)
  }

  /// One winner in five is missed by all of ten subjects in 10.7 % of samples, of fifteen in 3.5 %, and by those of one of
  /// eight unrelated metrics in 1 − (1 − 0.0352)⁸ = 24.9 %.
  @Test func whatNoRuleCanTellIsNotClaimed() {
    #expect(GainFamily.oneWinner.outOfReach(subjects: 10).keys.sorted() == [1, 8, 20])
    #expect(GainFamily.oneWinner.outOfReach(subjects: 15).keys.sorted() == [8, 20])
    #expect(GainFamily.oneWinner.outOfReach(subjects: 15)[8]?.hasPrefix("25 % of samples") == true)
    #expect(GainFamily.oneWinner.outOfReach(subjects: 40).isEmpty)
    #expect(GainFamily.normal.outOfReach(subjects: 5).isEmpty && GainFamily.oneLoser.outOfReach(subjects: 5).isEmpty)
    // A loser in five is missed likewise.
    #expect(GainFamily.oneLoser.passOutOfReach(subjects: 10)?.hasPrefix("11 % of samples have no loser") == true)
    #expect(
      GainFamily.oneLoser.passOutOfReach(subjects: 15) == nil && GainFamily.normal.passOutOfReach(subjects: 5) == nil)
  }

  /// Two metrics correlate as they are said to, and each is spread as the family is.
  @Test func metricsCorrelate() throws {
    var random = SeededGenerator(seed: 2)
    let pool = GainPool(.normal, seed: 3)
    let gains = pool.gains(subjects: 20_000, metrics: 2, correlation: 0.5, &random)
    let products = zip(gains[0], gains[1]).map { $0 * $1 }
    #expect(abs(try #require(mean(products)) - 0.5) < 0.03)
    for gains in gains { #expect(abs(try #require(standardDeviation(gains)) - 1) < 0.03) }
    for family in GainFamily.allCases {
      let gains = GainPool(family, seed: 4).gains(subjects: 20_000, metrics: 1, correlation: 0, &random)[0]
      #expect(abs(try #require(mean(gains))) < 0.08, "\(family)")
    }
  }
}
