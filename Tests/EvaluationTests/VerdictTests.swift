import Statistics
import Testing

@testable import Evaluation

/// Fifteen subjects, five at each of three gains 0.1 apart, have a standard deviation of √(0.1 / 14) = 0.08452 and a standard
/// error of 0.02182: the 95 % interval reaches t(14; 0.975) · 0.02182 = 2.1448 · 0.02182 = 0.04680 to either side of the
/// mean, and a one-sided test at 5 % t(14; 0.95) · 0.02182 = 1.7613 · 0.02182 = 0.03844.
///
/// With one more who loses 0.45, 1.5 times the worst of −0.3, the mean is −3.45 / 16 = −0.21563 and the standard error
/// √(0.9025 − 0.74391) / √240 = 0.02571; t(15; 0.95) · 0.02571 = 1.7531 · 0.02571 = 0.04507. With one more who did not
/// change they are −0.1875 and √(0.7 − 0.5625) / √240 = 0.02394.
@Suite struct VerdictTests {
  private static func fifteen(_ gains: Double...) -> [Double] { (0..<5).flatMap { _ in gains } }

  @Test func passesWhenTheLossIsShownToBeWithinTheMargin() throws {
    // −0.21563 − 0.04507 = −0.26070; not everyone is within the margin.
    let verdict = try SampleResults.verdict(gains: Self.fifteen(-0.1, -0.2, -0.3), margin: 0.265)
    #expect(verdict.outcome == .pass)
    #expect(verdict.exitCode(stopAt: 0) == 0)
    let interval = try #require(verdict.metrics[0].change.interval)
    #expect(abs(interval.low + 0.24680) < 1e-4)
    #expect(abs(interval.high + 0.15320) < 1e-4)
    #expect(try SampleResults.verdict(gains: Self.fifteen(-0.1, -0.2, -0.3), margin: 0.255).outcome == .maybeWorse)
  }

  /// A mean gain of −0.0001 rounds to nothing, which is not to read as worse by 0.000.
  @Test func whatRoundsToNothingIsNoLoss() throws {
    let reason = try SampleResults.verdict(gains: Self.fifteen(-0.1, -0.0003, 0.1), margin: 0.2).metrics[0].reason
    #expect(
      reason.contains(" is on average unchanged, worse for 10, better for 5 of 15 people (gain ±0, 95 % interval −0.04")
    )
    #expect(reason.hasSuffix(", within the margin of 0.200 reps"))
  }

  /// Six subjects stay at 1, and the seventh had no value to compare with.
  @Test func whoHadNoValueIsNotUnchanged() throws {
    let same = Dictionary(uniqueKeysWithValues: (1...6).map { ("s\($0)", Double?(1)) })
    let before = SampleResults.results([SampleResults.metric(values: same.merging(["s7": nil]) { $1 })])
    let after = SampleResults.results([SampleResults.metric(values: same.merging(["s7": 9]) { $1 })])
    let verdict = Verdict(try Comparison(after, with: Baseline(before)))
    #expect(verdict.outcome == .pass && verdict.reason.hasPrefix("no gating metric lost more than its margin"))
    #expect(
      verdict.metrics[0].reason
        == "count error of counter is unchanged for the 6 people with a value before; not compared: s7")
  }

  /// All lose 5 reps, which is accepted; another metric may be worse, as below.
  @Test func mayBeWorseBesidesAnAcceptedLoss() throws {
    let names = (0..<15).map { "s\($0)" }
    let before = Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(10)) })
    let lost = Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(15)) })
    let unsure = Dictionary(
      uniqueKeysWithValues: zip(names, Self.fifteen(-0.1, -0.2, -0.3).map { Double?(10 - $0) }))
    func results(_ first: [String: Double?], _ second: [String: Double?]) -> RunResults {
      SampleResults.results([
        SampleResults.metric(values: first), SampleResults.metric("other", values: second, margin: 0.21),
      ])
    }
    var comparison = try Comparison(results(lost, unsure), with: Baseline(results(before, before)))
    comparison.acceptedLosses = comparison.losses(because: "asked for by users").filter { $0.metric == "count.mae" }
    let verdict = Verdict(comparison)
    #expect(verdict.metrics.map(\.outcome) == [.acceptedLoss, .maybeWorse] && verdict.outcome == .maybeWorse)
    #expect(verdict.limitWords(stopAt: 0.2) == "; besides 1 accepted loss; it passes: the suite stops above 20 %")
  }

  /// t above −0.21 is 0.0225 / 0.02394 = 0.94, and t(15) has 18.1 % above it. Every number of the sentence is one of those
  /// beside it.
  @Test func mayBeWorseBetweenLossAndPass() throws {
    let gains = Self.fifteen(-0.1, -0.2, -0.3)
    let verdict = try SampleResults.verdict(gains: gains, margin: 0.21)
    #expect(verdict.outcome == .maybeWorse && verdict.metrics[0].probabilityOfLoss == 0.18)
    #expect(verdict.exitCode(stopAt: 0.17) == 3 && verdict.exitCode(stopAt: 0.18) == 0)
    #expect(verdict.exitCode(stopAt: 0) == 3 && verdict.exitCode(stopAt: 1) == 0)
    #expect(verdict.limitWords(stopAt: 0.2) == "; it passes: the suite stops above 20 %")
    #expect(verdict.limitWords(stopAt: 0.125) == "; it stops: the suite stops above 12.5 %")
    #expect(
      verdict.reason
        == "count error of counter is worse by 0.200 reps, worse for 15 of 15 people (gain −0.200, 95 % interval "
        + "−0.247 to −0.153): 18 % likely to be worse by more than 0.210 reps")
    #expect(verdict.title == "WORSE, MAYBE BEYOND THE MARGIN")
    let rule = GateRule(margin: 0.21)
    // Values lose a bit in taking their difference.
    let seen = verdict.metrics[0].change.sortedGains
    let loss = try #require(rule.smallestDetectableLoss(gains: seen))
    // A loss of 18 % likelihood needs no advice.
    #expect(verdict.detail == nil && loss > 0.21)
  }

  /// Six of −0.1, −0.2, 0.1, −0.3, −0.1, −0.2 and one of 0: mean −0.8 / 7, standard error √(0.2 − 0.64 / 7) / √42 =
  /// 0.05084, t above −0.1 is −0.281, and t(6) has 60.6 % above it. With all signs turned t is 4.21, and 0.3 % are above.
  @Test func moreLikelyLossesStop() throws {
    let worse = try SampleResults.verdict(gains: [-0.1, -0.2, 0.1, -0.3, -0.1, -0.2], margin: 0.1)
    let better = try SampleResults.verdict(gains: [0.1, 0.2, -0.1, 0.3, 0.1, 0.2], margin: 0.1)
    #expect(worse.outcome == .maybeWorse && better.outcome == .maybeWorse)
    #expect(worse.metrics[0].probabilityOfLoss == 0.61 && better.metrics[0].probabilityOfLoss == 0.01)
    #expect(worse.exitCode(stopAt: 0.2) == 3 && better.exitCode(stopAt: 0.2) == 0)
    #expect(worse.title == "MAYBE WORSE")
    #expect(
      worse.reason.hasSuffix(": 61 % likely to be worse by more than 0.100 reps; a pass needs 10 people"),
      "\(worse.reason)")
    #expect(better.reason.contains(": at most 1 % likely to be worse by more than 0.100 reps"))
  }

  @Test func regressesWhenTheLossIsShownToBeBeyondTheMargin() throws {
    // −1 + 0.03844 = −0.96156.
    let gains = Self.fifteen(-0.9, -1, -1.1)
    let verdict = try SampleResults.verdict(gains: gains, margin: 0.96)
    #expect(verdict.outcome == .regression)
    #expect(verdict.exitCode(stopAt: 1) == 2)
    #expect(verdict.reason.contains("worse for 15 of 15 people"))
    #expect(try SampleResults.verdict(gains: gains, margin: 0.965).outcome == .maybeWorse)
  }

  /// Metrics that did not change correct nothing; nine unrelated ones do.
  @Test func onlyMetricsThatMayHaveLostCorrect() throws {
    let gains = Self.fifteen(-0.9, -1, -1.1)
    #expect(try SampleResults.verdict(gains: gains, margin: 0.96, unchangedMetrics: 9).outcome == .regression)
    var random = SeededGenerator(seed: 9)
    let others = (1...9).map { _ in gains.map { _ in random.normal() } }
    func outcome(_ others: [[Double]]) throws -> Verdict.Outcome {
      let names = gains.indices.map { "s\($0)" }
      func metric(_ name: String, _ gains: [Double], _ margin: Double) -> RunResults.MetricResult {
        SampleResults.metric(
          name, values: Dictionary(uniqueKeysWithValues: zip(names, gains.map { Double?(20 - $0) })), margin: margin)
      }
      let none = [Double](repeating: 0, count: 15)
      let before = [metric("count.mae", none, 0.96)] + others.indices.map { metric("other.\($0)", none, 0) }
      let after = [metric("count.mae", gains, 0.96)] + others.enumerated().map { metric("other.\($0)", $1, 0) }
      let comparison = try Comparison(SampleResults.results(after), with: Baseline(SampleResults.results(before)))
      return try #require(Verdict(comparison).metrics.first).outcome
    }
    #expect(try outcome([]) == .regression)
    #expect(try outcome(others) == .maybeWorse)
    // Beside metrics that lost far more, it is compared last and alone.
    #expect(try outcome(others.map { $0.map { $0 - 40 } }) == .regression)
  }

  @Test func aRegressionNeedsFiveSubjects() throws {
    let four = try SampleResults.verdict(gains: [-1, -1, -1, -1], margin: 0)
    #expect(four.outcome == .maybeWorse)
    #expect(four.reason.hasSuffix("4 people are too few: a regression needs 5, a pass 10"))
    #expect(try SampleResults.verdict(gains: [-1, -1, -1, -1, -1], margin: 0).outcome == .regression)
    // Mean −12.5 / 6, standard error √(33.25 − 26.04) / √30 = 0.4902: t above 0.5 is 3.23, above t(5; 0.95) = 2.015.
    #expect(try SampleResults.verdict(gains: [-3, -1, -2, -4, -1.5, -1], margin: 0.5).outcome == .regression)
  }

  @Test func aPassNeedsTenSubjects() throws {
    func outcome(_ subjects: Int) throws -> Verdict.Outcome {
      try SampleResults.verdict(gains: (0..<subjects).map { $0 % 2 == 0 ? 1 : 1.1 }, margin: 0.1).outcome
    }
    #expect(try outcome(9) == .maybeWorse)
    #expect(try outcome(10) == .pass)
  }

  /// One subject's loss among eleven that stay: with one more of −1.5 a loss of 0.43 is ruled out, see `GateRuleTests`.
  @Test func aLossOfOneSubjectMayBeThatOfOthers() throws {
    func outcome(_ margin: Double) throws -> Verdict.Outcome {
      try SampleResults.verdict(gains: [-1] + [Double](repeating: 0, count: 11), margin: margin).outcome
    }
    #expect(try outcome(0.42) == .maybeWorse && outcome(0.44) == .pass)
  }

  @Test func aValueBelowItsFloorIsARegression() throws {
    func outcome(floor: Double) throws -> Verdict {
      let before = SampleResults.metric(values: ["a": 2, "b": 2])
      var after = before
      after.floor = floor
      return Verdict(try Comparison(SampleResults.results([after]), with: Baseline(SampleResults.results([before]))))
    }
    #expect(try outcome(floor: 2).outcome == .pass)
    let below = try outcome(floor: 1.5)
    #expect(below.outcome == .regression)
    #expect(below.reason == "count error of counter is 2.000 reps, worse than its floor of 1.500 reps")
  }

  @Test func strictImprovementsAreAcceptedOnPurpose() throws {
    let gains = Self.fifteen(0.9, 1, 1.1)
    let names = gains.indices.map { "s\($0)" }
    let before = Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(10)) })
    let after = Dictionary(uniqueKeysWithValues: zip(names, gains.map { Double?(10 - $0) }))
    let comparison = try Comparison(
      SampleResults.results([SampleResults.metric(values: after)]),
      with: Baseline(SampleResults.results([SampleResults.metric(values: before)])))
    #expect(Verdict(comparison).outcome == .pass)
    let strict = Verdict(comparison, strictImprovements: true)
    #expect(strict.outcome == .improvement)
    #expect(strict.exitCode(stopAt: 1) == 2)
    #expect(strict.reason.hasSuffix(": accept it with bench baseline accept"))
  }

  @Test func passesWhenNothingChanged() throws {
    #expect(try SampleResults.verdict(gains: [0, 0, 0], margin: 0).outcome == .pass)
    #expect(try SampleResults.verdict(gains: [0], margin: 0).outcome == .pass)
  }

  @Test func oneSubjectDecidesNothing() throws {
    let verdict = try SampleResults.verdict(gains: [5], margin: 0.1)
    #expect(verdict.outcome == .maybeWorse)
    #expect(verdict.reason.contains("1 person is too few"))
  }

  @Test func aLossForEveryoneByTheSameAmountIsCertain() throws {
    #expect(try SampleResults.verdict(gains: Self.fifteen(-0.5, -0.5, -0.5), margin: 0.5).outcome == .pass)
    #expect(try SampleResults.verdict(gains: Self.fifteen(-0.5, -0.5, -0.5), margin: 0.49).outcome == .regression)
  }

  private static func values(_ value: Double?, _ subjects: Int, lost: Int = 0) -> [String: Double?] {
    Dictionary(uniqueKeysWithValues: (0..<subjects).map { ("s\($0)", $0 < lost ? nil : value) })
  }

  /// A detector that no longer says anything is worse, and nothing is missing.
  @Test func aMetricThatNobodyHasAnyMoreIsARegression() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: Self.values(1, 6))]))
    let verdict = Verdict(
      try Comparison(SampleResults.results([SampleResults.metric(values: Self.values(nil, 6))]), with: before))
    #expect(verdict.outcome == .regression)
    #expect(verdict.reason.contains("no longer defined for s0, s1, s2 and 3 more, counted as the worst loss"))
    // Of four nobody knows, but no policy lets it pass.
    let few = Baseline(SampleResults.results([SampleResults.metric(values: Self.values(1, 4))]))
    let open = Verdict(
      try Comparison(SampleResults.results([SampleResults.metric(values: Self.values(nil, 4))]), with: few))
    #expect(open.outcome == .maybeWorse && open.exitCode(stopAt: 1) == 3)
  }

  /// A subject that lost its value is one of the losers: with the others unchanged nothing is proven, and it does not pass.
  @Test func aSubjectThatLostItsValueNeverPasses() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: Self.values(1, 20))]))
    let after = SampleResults.results([SampleResults.metric(values: Self.values(1, 20, lost: 1))])
    let verdict = Verdict(try Comparison(after, with: before))
    #expect(verdict.outcome == .maybeWorse)
    #expect(
      verdict.reason.contains(
        "is no longer defined for s0, counted as the worst loss; it is on average unchanged, worse for 1 of 20"))
    #expect(verdict.exitCode(stopAt: 1) == 3)
  }

  /// A subject who has a value for the first time lost nothing.
  @Test func aSubjectThatGainedAValueIsLeftOut() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: Self.values(1, 6, lost: 1))]))
    let after = SampleResults.results([SampleResults.metric(values: Self.values(1, 6))])
    #expect(Verdict(try Comparison(after, with: before)).outcome == .pass)
  }

  @Test func aSubjectWithoutAValueOnBothSidesIsLeftOut() throws {
    let values: [String: Double?] = ["a": 1, "b": 2, "c": nil]
    let before = Baseline(SampleResults.results([SampleResults.metric(values: values)]))
    #expect(
      Verdict(try Comparison(SampleResults.results([SampleResults.metric(values: values)]), with: before)).outcome
        == .pass)
  }

  @Test func notANumberIsNeverAPass() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])]))
    let after = SampleResults.results([SampleResults.metric(values: ["a": .nan, "b": 2])])
    #expect(Verdict(try Comparison(after, with: before)).outcome == .missing)
  }

  @Test func aSuiteWithoutGatingMetricsIsMissing() throws {
    let results = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2], margin: nil)])
    #expect(Verdict(try Comparison(results, with: Baseline(results))).outcome == .missing)
  }

  /// What is missing hides nothing: all is listed, the worst first.
  @Test func aRegressionOutweighsWhatIsMissing() throws {
    let subjects = (0..<12).map { "s\($0)" }
    func all(_ value: Double?) -> [String: Double?] { Dictionary(uniqueKeysWithValues: subjects.map { ($0, value) }) }
    let before = Baseline(SampleResults.results([SampleResults.metric("one", values: all(1))]))
    func verdict(_ now: Double) throws -> Verdict {
      let after = SampleResults.results([
        SampleResults.metric("one", values: all(now)), SampleResults.metric("two", values: all(1)),
      ])
      return Verdict(try Comparison(after, with: before))
    }
    #expect(try verdict(9).outcome == .regression && verdict(9).exitCode(stopAt: 1) == 2)
    #expect(try verdict(1).outcome == .missing && verdict(1).exitCode(stopAt: 1) == 5)
    for value in [1.0, 9] {
      #expect(
        try verdict(value).missing.lines == [
          "baseline of suite sample: expected metric two of counter, found none"
        ])
    }
  }

  @Test func moreIsWorseOnlyWhereItIs() throws {
    func all(_ value: Double) -> [String: Double?] {
      Dictionary(uniqueKeysWithValues: (0..<12).map { ("s\($0)", value) })
    }
    let (few, many) = (all(1), all(3))
    func outcome(lowerIsBetter: Bool) throws -> Verdict.Outcome {
      let before = SampleResults.results([SampleResults.metric(values: few, lowerIsBetter: lowerIsBetter)])
      let after = SampleResults.results([SampleResults.metric(values: many, lowerIsBetter: lowerIsBetter)])
      return Verdict(try Comparison(after, with: Baseline(before))).outcome
    }
    #expect(try outcome(lowerIsBetter: true) == .regression)
    #expect(try outcome(lowerIsBetter: false) == .pass)
  }
}
