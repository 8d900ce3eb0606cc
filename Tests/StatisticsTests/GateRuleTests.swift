import Testing

@testable import Statistics

/// What the rule says of a change, and how many subjects it needs to say so.
@Suite struct GateRuleTests {
  /// Quantiles of the normal distribution: as good as normal, for the simulation to draw from.
  private static let normalGains = (0..<1000).map { Normal().quantile((Double($0) + 0.5) / 1000) }

  @Test func nothingChangedIsAFact() {
    #expect(GateRule(margin: 0).decide([0, 0]) == .unchanged)
    #expect(GateRule(margin: 0).decide([]) == .inconclusive(.fewSubjects))
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

  /// At a loss equal to the margin a regression is called, and a pass given, in at most 2.5 % of cases; within four
  /// standard errors of 2000 simulations.
  @Test(arguments: [10, 40])
  func wrongAtTheMargin(subjects: Int) throws {
    let study = try #require(PowerStudy(gains: Self.normalGains, rule: GateRule(margin: 0.4)))
    let shares = study.shares(loss: 0.4, subjects: subjects, seed: 3)
    let limit = 0.025 + 4 * (0.025 * 0.975 / 2000).squareRoot()
    #expect(shares.regression <= limit && shares.pass <= limit, "\(shares)")
  }

  /// Student's t test alone finds half a standard deviation with 34 subjects (Cohen 1988): the rule, which asks more tests,
  /// needs as many or a few more.
  @Test func aFewMoreThanStudentsTest() throws {
    let needed = try #require(GateRule(margin: 0.2).fewestSubjects(toShow: 0.7, gains: Self.normalGains))
    #expect((33...45).contains(needed))
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
    // With five no sign-flip test is below 2.5 %, whatever was lost.
    #expect(rule.smallestDetectableLoss(gains: Array(gains.prefix(5))) == nil)
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
