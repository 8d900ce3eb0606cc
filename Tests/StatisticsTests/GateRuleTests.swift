import Testing

@testable import Statistics

/// What the rule says of a change, and how many subjects it needs to say so.
@Suite struct GateRuleTests {
  /// Quantiles of the normal distribution: as good as normal, for the simulation to draw from.
  private static let normalGains = (0..<1000).map { Normal().quantile((Double($0) + 0.5) / 1000) }

  @Test func nothingChangedIsAFact() {
    #expect(GateRule(margin: 0).decide([0, 0]) == .unchanged)
    #expect(GateRule(margin: 0).decide([]) == .maybeWorse(0.5))
  }

  /// A loss that is the same for all: five times the same by chance in 1 / 32 of samples, which is below 5 %. With one
  /// more who did not change, n people have a mean of n / (n + 1) and a standard error of 1 / (n + 1): t is n, and of t with
  /// 4 degrees of freedom 0.8 % is above 4.
  @Test func equalLossesNeedFive() {
    #expect(GateRule(margin: 0).decide([-1, -1, -1, -1, -1]) == .regression)
    #expect(GateRule(margin: 0, criticalP: 0.03).decide([-1, -1, -1, -1, -1]) != .regression)
    #expect(GateRule(margin: 0).decide([-1, -1, -1, -1]) == .maybeWorse(0.99))
    // At the margin itself, t is (1 − 5 / 6) / (1 / 6) = 1; t(5) has 18.2 % above it.
    #expect(GateRule(margin: 1).decide([-1, -1, -1, -1, -1]) == .maybeWorse(0.18))
  }

  /// Twelve subjects, four at each of three gains 0.1 apart, have a standard deviation of √(0.08 / 11) = 0.08528 and a
  /// standard error of 0.02462; t(11; 0.95) = 1.7959, so a mean of −1 is a loss beyond −1 + 0.0442 = −0.9558.
  @Test func aLossIsCalledByStudentsTest() {
    let gains = (0..<4).flatMap { _ -> [Double] in [-0.9, -1, -1.1] }
    #expect(GateRule(margin: 0.95).decide(gains) == .regression)
    // With one more of 0, thirteen have a mean of −12 / 13 and a standard error of √(12.08 − 144 / 13) / √156 = 0.08019:
    // t above −0.96 is 0.4605, and t(12) has 32.7 % above it.
    #expect(GateRule(margin: 0.96).decide(gains) == .maybeWorse(0.33))
    // t(11; 0.99) = 2.7181: −1 + 0.0669 = −0.9331.
    #expect(GateRule(margin: 0.95, criticalP: 0.01).decide(gains) != .regression)
    #expect(GateRule(margin: 0.93, criticalP: 0.01).decide(gains) == .regression)
  }

  /// Fourteen lose 0.5 and one wins 2: by t alone a loss, with a mean of −1 / 3 two standard errors below 0. One more who
  /// wins 3: mean −2 / 16 and standard error √(16.5 − 0.25) / √240 = 0.2602, t 0.48 below t(15; 0.95) = 1.7531.
  @Test func aWinnerMayNotBeTheOnlyOne() {
    #expect(GateRule(margin: 0).decide([Double](repeating: -0.5, count: 14) + [2]) == .maybeWorse(0.97))
    // A winner of 0.5: mean (−6.5 + 0.75) / 16 = −0.359, standard error √(4.3125 − 2.066) / √240 = 0.0967, t 3.71.
    #expect(GateRule(margin: 0).decide([Double](repeating: -0.5, count: 14) + [0.5]) == .regression)
    // A great loser holds no regression back: mean −16 / 15, t 1.88 above t(14; 0.95) = 1.7613.
    #expect(GateRule(margin: 0).decide([Double](repeating: -0.5, count: 14) + [-9]) == .regression)
  }

  /// −1 among eleven of 0, and one more of −1.5: mean −2.5 / 13 = −0.1923, standard error √(3.25 − 0.4808) / √156 =
  /// 0.1332. With t(12; 0.95) = 1.7823 a loss of 0.1923 + 0.2375 = 0.4298 is ruled out.
  @Test func aLoserMayNotBeTheOnlyOne() {
    let gains = [-1] + [Double](repeating: 0, count: 11)
    #expect(GateRule(margin: 0.431).decide(gains) == .pass)
    #expect(!GateRule(margin: 0.429).decide(gains).passes)
    // Nine people never pass.
    #expect(GateRule(margin: 100).decide([Double](repeating: 1, count: 9)) == .maybeWorse(0.01))
  }

  /// One clip of three lost by one of twelve people, margin 0.05. With one more who did not change, mean and standard error
  /// are 1 / 39: t above −0.05 is 39 / 20 − 1 = 0.95, and t(12) has 18.04 % above it.
  @Test func betweenStandsAProbability() {
    let gains = [-1.0 / 3] + [Double](repeating: 0, count: 11)
    let decision = GateRule(margin: 0.05).decide(gains)
    #expect(decision == .maybeWorse(0.18))
    #expect(!decision.stops(at: 0.2) && !decision.stops(at: 0.18) && decision.stops(at: 0.17))
    #expect(GateRule.Decision.regression.stops(at: 1) && !GateRule.Decision.pass.stops(at: 0))
    // Never 0 or 1: nobody is sure.
    #expect(GateRule.wholePercent(1e-9) == 0.01 && GateRule.wholePercent(1) == 0.99)
    #expect(GateRule.wholePercent(0.2049) == 0.2 && GateRule.wholePercent(0.2051) == 0.21)
    // One person who lost 1: mean −0.5, standard error 0.5, t above 0 is −1 with one degree of freedom: 75 %.
    #expect(GateRule(margin: 0).decide([-1]) == .maybeWorse(0.75))
  }

  /// Whatever the tails: nobody's loss is as much as the margin.
  @Test func aLossOfNobodyPasses() {
    #expect(GateRule(margin: 0.05).decide([1] + [Double](repeating: 0, count: 11)) == .pass)
    // Who loses the margin itself is no longer nobody. With one more who loses 0.75: mean (11 − 4 − 0.75) / 11 = 0.568,
    // standard error √(71.0625 − 3.551) / √110 = 0.783, t above −0.5 is 1.36, below t(10; 0.95) = 1.8125.
    let edge = [-0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, 3.5, 7.5]
    #expect(!GateRule(margin: 0.5).decide(edge).passes)
    #expect(GateRule(margin: 0.51).decide(edge) == .pass)
    #expect(GateRule(margin: 1e6).decide([-900, -1, -1] + [Double](repeating: 3, count: 11)) == .pass)
    // All that is lost is the margin, by all.
    #expect(GateRule(margin: 0.5).decide([Double](repeating: -0.5, count: 10)) == .pass)
    #expect(GateRule(margin: 0.2).decide([0, 0, 0.1, 1, 2, 2.7, 2.7, 2.7, 2.7, 2.7]) == .improvement)
  }

  /// What the search looks at is what the rule decides.
  @Test func theSearchAsksTheRule() throws {
    var random = SeededGenerator(seed: 3)
    for subjects in [8, 12, 20] {
      for _ in 0..<2 {
        let gains = (0..<subjects).map { _ in (random.normal() * 3).rounded() / 3 }
        let study = try #require(PowerStudy(gains: gains, rule: GateRule(margin: 0.4, gatingMetrics: 3)))
        guard let needed = study.subjectsToShow(loss: 1.4) else { continue }
        let (enough, fewer) = (
          study.shares(loss: 1.4, subjects: needed, seed: PowerStudy.seed),
          study.shares(loss: 1.4, subjects: needed - 1, seed: PowerStudy.seed)
        )
        #expect(enough.regression >= 0.8 && fewer.regression < 0.8, "\(gains)")
        guard let passing = study.subjectsToPass(loss: 0) else { continue }
        #expect(study.shares(loss: 0, subjects: passing, seed: PowerStudy.seed).pass >= 0.8, "\(gains)")
        #expect(
          passing == GateRule.fewestSubjects
            || study.shares(loss: 0, subjects: passing - 1, seed: PowerStudy.seed).pass < 0.8, "\(gains)")
      }
    }
  }

  /// At a loss equal to the margin a regression is called, and a pass given, in at most 5 % of cases; within four standard
  /// errors of 2000 simulations.
  @Test(arguments: [10, 40])
  func wrongAtTheMargin(subjects: Int) throws {
    let study = try #require(PowerStudy(gains: Self.normalGains, rule: GateRule(margin: 0.4)))
    let shares = study.shares(loss: 0.4, subjects: subjects, seed: 3)
    let limit = 0.05 + 4 * (0.05 * 0.95 / 2000).squareRoot()
    #expect(shares.regression <= limit && shares.pass <= limit, "\(shares)")
    // A loss of the margin is more than 20 % likely to be beyond it where t is below 0.84: in about 80 % of comparisons.
    #expect(shares.stopped > 0.7 && shares.stopped + shares.pass <= 1, "\(shares)")
  }

  /// Student's t test alone finds half a standard deviation, one-sided at 5 %, with 27 subjects (Cohen 1988). One more who
  /// gains or loses more than all makes it 40 and 42, by another program's simulation of 20,000 comparisons.
  @Test func oneMoreCostsSubjects() throws {
    let needed = try #require(GateRule(margin: 0.2).fewestSubjects(toShow: 0.7, gains: Self.normalGains))
    #expect((37...43).contains(needed))
    let strict = GateRule(margin: 0.2, gatingMetrics: 10)
    #expect(try #require(strict.fewestSubjects(toShow: 0.7, gains: Self.normalGains)) > needed)
    // Passing needs no correction.
    let passing = try #require(GateRule(margin: 0.5).fewestSubjects(toPass: Self.normalGains))
    #expect((39...45).contains(passing))
    #expect(GateRule(margin: 0.5, gatingMetrics: 10).fewestSubjects(toPass: Self.normalGains) == passing)
  }

  @Test func theSmallestDetectableLossIsJustDetected() throws {
    let rule = GateRule(margin: 0.3)
    var random = SeededGenerator(seed: 1)
    let gains = (0..<34).map { _ in random.normal() }
    let study = try #require(PowerStudy(gains: gains, rule: rule))
    let loss = try #require(rule.smallestDetectableLoss(gains: gains))
    #expect(study.shares(loss: loss, subjects: 34, seed: PowerStudy.seed).regression >= 0.8)
    let less = 0.3 + (loss - 0.3) * 0.98
    #expect(study.shares(loss: less, subjects: 34, seed: PowerStudy.seed).regression < 0.8)
    // With four nothing is called a regression, whatever was lost.
    #expect(rule.smallestDetectableLoss(gains: Array(gains.prefix(4))) == nil)
    #expect(rule.smallestDetectableLoss(gains: Array(gains.prefix(5))) != nil)
  }

  /// Only the spread of the gains matters, not their mean.
  @Test func gainsAreCentred() throws {
    let gains = [1.0, 4, 2, 8, 5, 7]
    let rule = GateRule(margin: 1)
    let (one, other) = (PowerStudy(gains: gains, rule: rule), PowerStudy(gains: gains.map { $0 + 64 }, rule: rule))
    #expect(
      try #require(one).shares(loss: 3, subjects: 12, seed: 5)
        == #require(other).shares(loss: 3, subjects: 12, seed: 5))
  }

  @Test func whatCannotBeSimulatedHasNoAnswer() {
    let rule = GateRule(margin: 0)
    #expect(PowerStudy(gains: [1], rule: rule) == nil)
    #expect(PowerStudy(gains: [1, .nan], rule: rule) == nil)
    #expect(PowerStudy(gains: [1, 1, 1], rule: rule) == nil)
    #expect(rule.fewestSubjects(toShow: 0, gains: Self.normalGains) == nil)
    #expect(rule.fewestSubjects(toShow: .nan, gains: Self.normalGains) == nil)
    #expect(rule.fewestSubjects(toPass: Self.normalGains) == nil)
  }
}
