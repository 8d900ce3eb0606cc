import Statistics
import Testing

@testable import Evaluation

/// Twelve subjects, four at each of three gains 0.1 apart, have a standard deviation of √(0.08 / 11) = 0.08528, so the
/// 95 % interval reaches t(11; 0.975) · 0.08528 / √12 = 2.2010 · 0.02462 = 0.05419 to either side of the mean.
@Suite struct VerdictTests {
  private static func twelve(_ gains: Double...) -> [Double] { (0..<4).flatMap { _ in gains } }

  @Test func passesWhenTheIntervalIsAboveTheMargin() throws {
    // −0.2 − 0.05419 = −0.25419.
    let verdict = try SampleResults.verdict(gains: Self.twelve(-0.1, -0.2, -0.3), margin: 0.28)
    #expect(verdict.outcome == .pass)
    #expect(verdict.exitCode(.fail) == 0)
    let interval = try #require(verdict.metrics[0].change.interval)
    #expect(abs(interval.low + 0.25419) < 1e-4)
    #expect(abs(interval.high + 0.14581) < 1e-4)
  }

  /// A mean gain of −0.0001 rounds to nothing, which is not to read as worse by 0.000.
  @Test func whatRoundsToNothingIsNoLoss() throws {
    let reason = try SampleResults.verdict(gains: Self.twelve(-0.1, -0.0003, 0.1), margin: 0.2).metrics[0].reason
    #expect(reason.contains(" is on average what it was (gain ±0, 95 % −0.05"))
    #expect(reason.hasSuffix(", within the accepted loss of 0.2"))
  }

  @Test func isInconclusiveWhenTheIntervalHoldsTheMargin() throws {
    let verdict = try SampleResults.verdict(gains: Self.twelve(-0.1, -0.2, -0.3), margin: 0.25)
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.exitCode(.fail) == 3)
    #expect(verdict.exitCode(.pass) == 0)
    #expect(verdict.reason.contains("neither shown nor ruled out"))
    // More than a fifth of samples of twelve of such people have a tail that the rule does not bear: so that no loss, however
    // large, is shown in four of five comparisons.
    let subjects = GateRule(margin: 0.25).subjectsToDecide(gains: Self.twelve(-0.1, -0.2, -0.3))
    #expect(
      verdict.detail
        == "With 12 subjects no loss, however large, is likely to be detected. About \(subjects ?? 0) subjects would decide."
    )
  }

  @Test func regressesWhenTheIntervalIsBelowTheMargin() throws {
    // −1 + 0.05419 = −0.94581.
    let gains = Self.twelve(-0.9, -1, -1.1)
    let verdict = try SampleResults.verdict(gains: gains, margin: 0.93)
    #expect(verdict.outcome == .regression)
    #expect(verdict.exitCode(.pass) == 2)
    #expect(try SampleResults.verdict(gains: gains, margin: 0.95).outcome == .inconclusive)
  }

  /// With ten gating metrics a loss must be shown at 0.0025 one-sided: t(11; 0.9975) = 3.4966, so the interval reaches
  /// 3.4966 · 0.02462 = 0.08609 to either side: −1 + 0.08609 = −0.91391.
  @Test func manyMetricsNeedMoreToRegress() throws {
    let gains = Self.twelve(-0.9, -1, -1.1)
    #expect(try SampleResults.verdict(gains: gains, margin: 0.88, unchangedMetrics: 9).outcome == .regression)
    #expect(try SampleResults.verdict(gains: gains, margin: 0.92, unchangedMetrics: 9).outcome == .inconclusive)
  }

  /// Holm's last of ten steps asks for 0.025 one-sided, which reaches −0.94581 as with one metric: beside nine metrics
  /// that lost ten margins each, a loss that Bonferroni would leave open is shown.
  @Test func besideOtherRegressionsLessIsNeeded() throws {
    let names = (0..<12).map { "s\($0)" }
    func metrics(_ gains: [Double], _ others: [Double]) -> [RunResults.MetricResult] {
      func values(_ gains: [Double]) -> [String: Double?] {
        Dictionary(uniqueKeysWithValues: zip(names, gains.map { Double?(20 - $0) }))
      }
      return [SampleResults.metric(values: values(gains), margin: 0.92)]
        + (1...9).map { SampleResults.metric("other.\($0)", values: values(others), margin: 0.92) }
    }
    let before = Baseline(SampleResults.results(metrics([Double](repeating: 0, count: 12), Self.twelve(0, 0, 0))))
    func outcome(_ others: [Double]) throws -> Verdict.Outcome {
      let now = SampleResults.results(metrics(Self.twelve(-0.9, -1, -1.1), others))
      return try #require(Verdict(try Comparison(now, with: before)).metrics.first).outcome
    }
    #expect(try outcome(Self.twelve(-9, -9.2, -9.4)) == .regression)
    #expect(try outcome(Self.twelve(0, 0, 0)) == .inconclusive)
  }

  /// Of five signs all are minus by chance in 1 / 32 of cases, which is more than 0.025; of six in 1 / 64.
  @Test func fewSubjectsCannotShowALoss() throws {
    let five = try SampleResults.verdict(gains: [-1, -1, -1, -1, -1], margin: 0)
    #expect(five.outcome == .inconclusive)
    #expect(five.reason.contains("5 subjects are too few to rule a loss out for others; a pass needs 10"))
    #expect(try SampleResults.verdict(gains: [-1, -1, -1, -1, -1, -1], margin: 0).outcome == .regression)
  }

  @Test func aPassNeedsTenSubjects() throws {
    func outcome(_ subjects: Int) throws -> Verdict.Outcome {
      try SampleResults.verdict(gains: (0..<subjects).map { $0 % 2 == 0 ? 1 : 1.1 }, margin: 0.1).outcome
    }
    #expect(try outcome(9) == .inconclusive)
    #expect(try outcome(10) == .pass)
  }

  /// One subject's loss among eleven that stay: mean −1 / 12, far within the margin by t, but who knows how many such.
  @Test func aLossOfOneSubjectDecidesNothingForOthers() throws {
    let verdict = try SampleResults.verdict(gains: [-1] + [Double](repeating: 0, count: 11), margin: 0.5)
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.reason.contains("a few subjects lose much more than the others (skewness −3.02)"))
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
    #expect(below.reason == "count.mae of counter is 2.000 reps, worse than its floor of 1.500 reps")
  }

  @Test func strictImprovementsAreAcceptedOnPurpose() throws {
    let gains = Self.twelve(0.9, 1, 1.1)
    let names = gains.indices.map { "s\($0)" }
    let before = Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(10)) })
    let after = Dictionary(uniqueKeysWithValues: zip(names, gains.map { Double?(10 - $0) }))
    let comparison = try Comparison(
      SampleResults.results([SampleResults.metric(values: after)]),
      with: Baseline(SampleResults.results([SampleResults.metric(values: before)])))
    #expect(Verdict(comparison).outcome == .pass)
    let strict = Verdict(comparison, strictImprovements: true)
    #expect(strict.outcome == .improvement)
    #expect(strict.exitCode(.pass) == 2)
    #expect(strict.reason.contains("accept it on purpose"))
  }

  @Test func passesWhenNothingChanged() throws {
    #expect(try SampleResults.verdict(gains: [0, 0, 0], margin: 0).outcome == .pass)
    #expect(try SampleResults.verdict(gains: [0], margin: 0).outcome == .pass)
  }

  @Test func oneSubjectDecidesNothing() throws {
    let verdict = try SampleResults.verdict(gains: [5], margin: 0.1)
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.reason.contains("one subject only"))
  }

  @Test func aLossForEveryoneByTheSameAmountIsCertain() throws {
    #expect(try SampleResults.verdict(gains: Self.twelve(-0.5, -0.5, -0.5), margin: 0.5).outcome == .pass)
    #expect(try SampleResults.verdict(gains: Self.twelve(-0.5, -0.5, -0.5), margin: 0.49).outcome == .regression)
  }

  @Test func aMetricWithoutAValueIsMissing() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])]))
    let after = SampleResults.results([SampleResults.metric(values: ["a": nil, "b": nil])])
    let verdict = Verdict(try Comparison(after, with: before))
    #expect(verdict.outcome == .missing)
    #expect(verdict.exitCode(.pass) == 5)
  }

  @Test func aSubjectThatLostItsValueIsMissing() throws {
    let before = Baseline(SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2, "c": 1])]))
    let after = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2, "c": nil])])
    let verdict = Verdict(try Comparison(after, with: before))
    #expect(verdict.outcome == .missing)
    #expect(verdict.reason.contains("defined for c only before or only after"))
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

  @Test func aRegressionOutweighsWhatIsMissing() throws {
    let subjects = (0..<12).map { "s\($0)" }
    func all(_ value: Double?) -> [String: Double?] { Dictionary(uniqueKeysWithValues: subjects.map { ($0, value) }) }
    let names = all(1)
    let before = Baseline(
      SampleResults.results([SampleResults.metric("one", values: names), SampleResults.metric("two", values: names)]))
    let after = SampleResults.results([
      SampleResults.metric("one", values: all(nil)), SampleResults.metric("two", values: all(9)),
    ])
    #expect(Verdict(try Comparison(after, with: before)).outcome == .regression)
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
