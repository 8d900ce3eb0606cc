import Testing

@testable import Statistics

/// What the rule says of a change, and how many subjects it needs to say so.
@Suite struct GateRuleTests {
  /// Quantiles of the normal distribution: as good as normal, for the simulation to draw from.
  private static let normalGains = (0..<1000).map { Normal().quantile((Double($0) + 0.5) / 1000) }

  @Test func nothingChangedIsAFact() {
    #expect(GateRule(margin: 0).decide([0, 0]) == .unchanged)
    #expect(GateRule(margin: 0).decide([]) == .inconclusive(.tooFewToCall, .better))
  }

  /// All of six lose by chance in 1 / 64 of samples, which is less than 1 / 60; of five in 1 / 32.
  @Test func aLossOfEveryoneIsCalledFromSixOn() {
    let losses = [-0.21, -0.22, -0.25, -0.3, -5, -9]
    #expect(GateRule(margin: 0.2).decide(losses) == .regression)
    #expect(GateRule(margin: 0.215).decide(losses) == .inconclusive(.tooFewToPass(isWithin: false), .worse))
    let five = Array(losses.dropFirst())
    #expect(GateRule(margin: 0.2).decide(five) == .inconclusive(.tooFewToPass(isWithin: false), .worse))
    // In two ways 2 / 64, which is more than 1 / 60; of seven 2 / 128.
    #expect(GateRule(margin: 0.2, unanimousWays: 2).decide(losses) != .regression)
    #expect(GateRule(margin: 0.2, unanimousWays: 2).decide(losses + [-0.21]) == .regression)
  }

  /// A loss that is the same for all: five times the same by chance in 1 / 32 of samples, which is below 5 %.
  @Test func equalLossesNeedFive() {
    #expect(GateRule(margin: 0).decide([-1, -1, -1, -1, -1]) == .regression)
    #expect(GateRule(margin: 0, criticalP: 0.03).decide([-1, -1, -1, -1, -1]) != .regression)
    #expect(GateRule(margin: 0).decide([-1, -1, -1, -1]) == .inconclusive(.tooFewToCall, .worse))
    #expect(GateRule(margin: 1).decide([-1, -1, -1, -1, -1]) == .inconclusive(.tooFewToPass(isWithin: true), .worse))
  }

  /// Twelve subjects, four at each of three gains 0.1 apart, have a standard deviation of √(0.08 / 11) = 0.08528 and a
  /// standard error of 0.02462; t(11; 0.95) = 1.7959, so a mean of −1 is a loss beyond −1 + 0.0442 = −0.9558.
  @Test func aLossIsCalledByStudentsTest() {
    let gains = (0..<4).flatMap { _ -> [Double] in [-0.9, -1, -1.1] }
    #expect(GateRule(margin: 0.95).decide(gains) == .regression)
    #expect(GateRule(margin: 0.96).decide(gains) == .inconclusive(.notShown, .worse))
    // t(11; 0.99) = 2.7181: −1 + 0.0669 = −0.9331.
    #expect(GateRule(margin: 0.95, criticalP: 0.01).decide(gains) != .regression)
    #expect(GateRule(margin: 0.93, criticalP: 0.01).decide(gains) == .regression)
  }

  /// Fourteen lose 0.5 and one wins 2: mean −1 / 3, standard deviation 0.6455, t = 0.3333 / 0.1667 = 2, above
  /// t(14; 0.95) = 1.7613; skewness 3.47, with which Hall's t is 0.89.
  @Test func aTailOfWinnersIsNoLoss() throws {
    let gains = [Double](repeating: -0.5, count: 14) + [2]
    let skewness = try #require(SuperiorityTest(gains)).skewness
    #expect(abs(skewness - 3.4744) < 1e-3)
    #expect(GateRule(margin: 0).decide(gains) == .inconclusive(.fewGainMuch(skewness), .worse))
    // A tail of losers holds no regression back.
    #expect(GateRule(margin: 0).decide([Double](repeating: -0.5, count: 14) + [-9]) == .regression)
  }

  /// −1 among eleven of 0: mean −1 / 12, standard error 1 / 12, t above −0.5 is 5; skewness −3.015, Hall's t 1.1.
  @Test func aTailOfLosersDoesNotPass() throws {
    let gains = [-1] + [Double](repeating: 0, count: 11)
    let skewness = try #require(SuperiorityTest(gains)).skewness
    #expect(GateRule(margin: 0.5).decide(gains) == .inconclusive(.fewLoseMuch(skewness), .worse))
  }

  /// The same with −2 among thirteen: mean and standard error 1 / 7, t above −1.5 is 9.5 and, with skewness −12 / √13,
  /// Hall's 7.7, both above t(13; 0.9995) = 4.22. Above −0.8 they are 4.6 and 1.0.
  @Test func whatIsClearPassesWithATail() throws {
    let gains = [-2] + [Double](repeating: 0, count: 13)
    let skewness = try #require(SuperiorityTest(gains)).skewness
    #expect(GateRule(margin: 1.5).decide(gains) == .pass)
    #expect(GateRule(margin: 0.8).decide(gains) == .inconclusive(.fewLoseMuch(skewness), .worse))
  }

  /// Twelve, six that lose 0.2: mean −0.1, standard error 0.1 / √11 = 0.03015; t above −0.25 is 4.97 and above −0.23 4.31,
  /// and t(11; 0.9995) is 4.44.
  @Test func aSmallLossPassesWithFewWhereItIsClear() {
    let gains = (0..<12).map { $0.isMultiple(of: 2) ? -0.2 : 0 }
    #expect(GateRule(margin: 0.25).decide(gains) == .pass)
    #expect(GateRule(margin: 0.23).decide(gains) == .inconclusive(.lossOfFew, .worse))
    // With ten only where nobody lost a third of the margin.
    #expect(GateRule(margin: 0.59).decide(Array(gains.prefix(10))) == .inconclusive(.lossOfFew, .worse))
    #expect(GateRule(margin: 0.61).decide(Array(gains.prefix(10))) == .pass)
    let nine = Array(gains.prefix(9))
    #expect(GateRule(margin: 0.61).decide(nine) == .inconclusive(.tooFewToPass(isWithin: true), .worse))
  }

  /// Whatever the tails: nobody's loss is as much as the margin.
  @Test func aLossOfNobodyPasses() {
    let gains = [-0.4] + [Double](repeating: 0, count: 13)
    #expect(GateRule(margin: 0.5).decide(gains) == .pass)
    #expect(GateRule(margin: 0.5).decide(Array(gains.prefix(11))) == .inconclusive(.lossOfFew, .worse))
    #expect(GateRule(margin: 0.5).decide(gains.prefix(10) + [0.5]) == .pass)
    // Who loses the margin itself is no longer nobody: t above −0.5 is 1.2 / 0.854 = 1.41, below t(9; 0.95) = 1.83.
    let edge = [-0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, 3.5, 7.5]
    #expect(GateRule(margin: 0.5).decide(edge) != .improvement && GateRule(margin: 0.5).decide(edge) != .pass)
    #expect(GateRule(margin: 0.51).decide(edge) == .pass)
    #expect(GateRule(margin: 1e6).decide([-900, -1, -1] + [Double](repeating: 3, count: 11)) == .pass)
    // All of 2.7 gained by most and nothing by few is no reason to hesitate.
    let better = [0, 0, 0.1, 1, 2, 2.7, 2.7, 2.7, 2.7, 2.7]
    #expect(GateRule(margin: 0.2).decide(better) == .improvement)
    let nine = Array(better.dropFirst())
    #expect(GateRule(margin: 0.2).decide(nine) == .inconclusive(.tooFewToPass(isWithin: true), .better))
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
  }

  /// Student's t test finds half a standard deviation, one-sided at 5 %, with 27 subjects (Cohen 1988); within
  /// the error of 2000 simulations, ±0.018 of the power, two fewer or more.
  @Test func asManyAsStudentsTest() throws {
    let needed = try #require(GateRule(margin: 0.2).fewestSubjects(toShow: 0.7, gains: Self.normalGains))
    #expect((25...29).contains(needed))
    let strict = GateRule(margin: 0.2, gatingMetrics: 10)
    #expect(try #require(strict.fewestSubjects(toShow: 0.7, gains: Self.normalGains)) > needed)
    // Passing needs no correction.
    let passing = GateRule(margin: 0.5).fewestSubjects(toPass: Self.normalGains)
    #expect(GateRule(margin: 0.5, gatingMetrics: 10).fewestSubjects(toPass: Self.normalGains) == passing)
  }

  /// To either side of the margin the change itself is asked for, whichever way it would be decided.
  @Test func whatWouldDecideIsWhatWouldShowOrPass() throws {
    let rule = GateRule(margin: 0.3)
    let spread = (15.0 / 16).squareRoot()
    for mean in [-0.9, 0.3] {
      let gains = (0..<16).map { mean + ($0.isMultiple(of: 2) ? spread : -spread) }
      let decides = try #require(rule.subjectsToDecide(gains: gains))
      let study = try #require(PowerStudy(gains: gains, rule: rule))
      #expect(decides == (mean < -0.3 ? study.subjectsToShow(loss: -mean) : study.subjectsToPass(loss: -mean)))
    }
    // Nobody knows on which side of the margin a mean lies that is on it.
    #expect(rule.subjectsToDecide(gains: [-0.3 - spread, -0.3 + spread]) == nil)
    #expect(rule.subjectsToDecide(gains: [1]) == nil)
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
