import Testing

@testable import Evaluation

/// Three subjects whose gains are 0.1 apart have a standard deviation of 0.1, so the 95 % interval reaches
/// t(2; 0.975) · 0.1 / √3 = 4.3027 · 0.05774 = 0.2484 to either side of the mean.
@Suite struct VerdictTests {
  @Test func passesWhenTheIntervalIsAboveTheMargin() throws {
    // −0.2 − 0.2484 = −0.4484.
    let verdict = try SampleResults.verdict(gains: [-0.1, -0.2, -0.3], margin: 0.449)
    #expect(verdict.outcome == .pass)
    #expect(verdict.exitCode(.fail) == 0)
    let interval = try #require(verdict.metrics[0].interval)
    #expect(abs(interval.low + 0.44841) < 1e-4)
    #expect(abs(interval.high - 0.04841) < 1e-4)
  }

  @Test func isInconclusiveWhenTheIntervalHoldsTheMargin() throws {
    let verdict = try SampleResults.verdict(gains: [-0.1, -0.2, -0.3], margin: 0.448)
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.exitCode(.fail) == 3)
    #expect(verdict.exitCode(.pass) == 0)
    #expect(verdict.reason.contains("neither shown nor ruled out"))
  }

  @Test func regressesWhenTheIntervalIsBelowTheMargin() throws {
    // −1 + 0.2484 = −0.7516.
    let verdict = try SampleResults.verdict(gains: [-0.9, -1, -1.1], margin: 0.75)
    #expect(verdict.outcome == .regression)
    #expect(verdict.exitCode(.pass) == 2)
    #expect(try SampleResults.verdict(gains: [-0.9, -1, -1.1], margin: 0.753).outcome == .inconclusive)
  }

  /// With ten gating metrics a loss must be shown at level 0.995: t(2; 0.9975) = 0.995 · √(2 / 0.009975) = 14.089, so
  /// the interval reaches 0.8134 to either side: −1 + 0.8134 = −0.1866.
  @Test func manyMetricsNeedMoreToRegress() throws {
    #expect(
      try SampleResults.verdict(gains: [-0.9, -1, -1.1], margin: 0.18, unchangedMetrics: 9).outcome == .regression)
    #expect(
      try SampleResults.verdict(gains: [-0.9, -1, -1.1], margin: 0.19, unchangedMetrics: 9).outcome == .inconclusive)
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
    #expect(try SampleResults.verdict(gains: [-0.5, -0.5, -0.5], margin: 0.5).outcome == .pass)
    #expect(try SampleResults.verdict(gains: [-0.5, -0.5, -0.5], margin: 0.49).outcome == .regression)
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
    let names: [String: Double?] = ["a": 1, "b": 1]
    let before = Baseline(
      SampleResults.results([SampleResults.metric("one", values: names), SampleResults.metric("two", values: names)]))
    let after = SampleResults.results([
      SampleResults.metric("one", values: ["a": nil, "b": nil]), SampleResults.metric("two", values: ["a": 9, "b": 9]),
    ])
    #expect(Verdict(try Comparison(after, with: before)).outcome == .regression)
  }

  @Test func moreIsWorseOnlyWhereItIs() throws {
    let (few, many): ([String: Double?], [String: Double?]) = (["a": 1, "b": 1], ["a": 3, "b": 3])
    func outcome(lowerIsBetter: Bool) throws -> Verdict.Outcome {
      let before = SampleResults.results([SampleResults.metric(values: few, lowerIsBetter: lowerIsBetter)])
      let after = SampleResults.results([SampleResults.metric(values: many, lowerIsBetter: lowerIsBetter)])
      return Verdict(try Comparison(after, with: Baseline(before))).outcome
    }
    #expect(try outcome(lowerIsBetter: true) == .regression)
    #expect(try outcome(lowerIsBetter: false) == .pass)
  }
}
