import Testing

@testable import Evaluation
@testable import Pipeline

/// A detector that no metric gates beside one that does.
@Suite struct CollapseWatchTests {
  /// A gating metric of 1 for everybody, and the share of another detector, which does not gate.
  private static func results(_ values: [Double]) -> RunResults {
    let names = values.indices.map { "s\($0)" }
    var watched = SampleResults.metric(
      "count.exact", values: Dictionary(uniqueKeysWithValues: zip(names, values.map { Double?($0) })), margin: nil,
      lowerIsBetter: false)
    (watched.detector, watched.unit) = ("other", "")
    let gating = SampleResults.metric(values: Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(1)) }))
    var results = SampleResults.results([gating, watched])
    results.detectors.append(
      RunResults.DetectorCard(name: "other", kind: "reps", summary: "", parameters: [:], changed: []))
    return results
  }

  /// The gating metric stays; the other detector's share goes from 1 to `values`.
  private static func verdict(_ values: [Double]) throws -> Verdict {
    Verdict(try Comparison(results(values), with: Baseline(results([Double](repeating: 1, count: values.count)))))
  }

  @Test func aCollapseThatIsShownIsARegression() throws {
    let verdict = try Self.verdict([Double](repeating: 0.25, count: 12))
    #expect(verdict.outcome == .regression && verdict.exitCode(stopAt: 1) == 2)
    #expect(
      verdict.reason
        == "other collapsed: exact counts of other 1.000 → 0.250, worse for 12 of 12 people, and no metric of other gates"
    )
    #expect(verdict.findings == [])
  }

  /// Two of six people keep all: the mean falls to 1/3, but a loss of more than a half is not shown for people.
  @Test func aCollapseThatMayBeChanceIsAFinding() throws {
    let verdict = try Self.verdict([1, 1, 0, 0, 0, 0])
    #expect(verdict.outcome == .pass)
    #expect(
      verdict.findings == [
        "other may have collapsed: exact counts of other 1.000 → 0.333, worse for 4 of 6 people, and no metric of other "
          + "gates. Give a metric of it a margin"
      ])
  }

  /// From 1 to 0.6 and to 0.4: less than half is lost each time.
  @Test func aCollapseInStepsIsARegression() throws {
    func results(_ value: Double) -> RunResults { Self.results([Double](repeating: value, count: 12)) }
    let middle = results(0.6)
    var baseline = Baseline(middle)
    baseline.continue(Baseline(results(1)), middle, accepting: [])
    let same = Verdict(try Comparison(middle, with: baseline))
    #expect(same.outcome == .pass && same.findings == [])
    let verdict = Verdict(try Comparison(results(0.4), with: baseline))
    #expect(verdict.outcome == .regression)
    #expect(
      verdict.reason
        == "other collapsed: exact counts of other 1.000 → 0.400 since its best baseline, in several "
        + "steps, worse for 12 of 12 people, and no metric of other gates")
  }

  /// A suite that names another metric of the detector hides nothing.
  @Test func aMetricThatTheSuiteNamesNoLongerIsWatched() throws {
    var results = Self.results([Double](repeating: 0.25, count: 12))
    for index in results.metrics.indices where results.metrics[index].detector == "other" {
      results.metrics[index].isListed = false
    }
    let before = Baseline(Self.results([Double](repeating: 1, count: 12)))
    #expect(Verdict(try Comparison(results, with: before)).outcome == .regression)
  }

  /// Six people lose 0.35, six 0.45.
  @Test func aSmallerLossThatIsShownIsAFinding() throws {
    let verdict = try Self.verdict([Double](repeating: 0.65, count: 6) + [Double](repeating: 0.55, count: 6))
    #expect(verdict.outcome == .pass)
    #expect(
      verdict.findings == [
        "other is worse: exact counts of other 1.000 → 0.600, worse for 12 of 12 people, and no metric of other gates. "
          + "Give a metric of it a margin"
      ])
  }

  @Test func aSmallLossIsSaidInTheReason() throws {
    let verdict = try Self.verdict([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5])
    #expect(verdict.outcome == .pass && verdict.findings == [])
    #expect(
      verdict.reason == "no gating metric changed, but exact counts of other 1.000 → 0.958 changed, without gating")
  }

  @Test func withoutAChangeNothingIsSaid() throws {
    #expect(try Self.verdict([1, 1, 1, 1, 1, 1]).reason == "nothing changed on any gating metric")
  }
}
