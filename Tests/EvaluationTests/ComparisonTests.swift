import Foundation
import PoseModel
import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct ComparisonTests {
  let results = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])])

  static let differences: [(what: String, change: @Sendable (inout Baseline) -> Void)] = [
    ("suite version", { $0.suiteVersion = 2 }),
    ("datasets", { $0.datasets = ["other": "sha256:one"] }),
    ("dataset data with content", { $0.datasets["data"] = "sha256:two" }),
    ("detectors", { $0.detectors[0].name = "another" }),
    ("matching", { $0.matching.toleranceSeconds = 1 }),
    ("camera", { $0.camera.fps = 15 }),
    ("clip data/c", { $0.clips["data/c"] = ["counter": Baseline.ClipPrediction(count: 1)] }),
    ("clip data/a", { $0.clips["data/a"] = nil }),
    ("metric count.mae", { $0.metrics[0].bySubject["c"] = 1 }),
  ]

  /// A run and a baseline that differ in what is not the detector's doing can't be compared.
  @Test(arguments: differences.indices)
  func differentGroundsAreMissing(_ index: Int) {
    let (what, change) = Self.differences[index]
    var baseline = Baseline(results)
    change(&baseline)
    let error = #expect(throws: EvaluationError.self) { try Comparison(results, with: baseline) }
    switch error {
    case .missing, .incomparable: break
    case .usage, nil: Issue.record("\(what): expected missing or incomparable, found \(String(describing: error))")
    }
    #expect(error?.description.contains(what) == true, "\(String(describing: error))")
  }

  /// It does not keep the other metrics from being compared.
  @Test func aGatingMetricThatTheBaselineLacksIsMissing() throws {
    let worse = SampleResults.metric("other", values: ["a": 3, "b": 4])
    let run = SampleResults.results(results.metrics + [worse])
    let comparison = try Comparison(run, with: Baseline(results))
    #expect(
      comparison.missing.lines == [
        "baseline of suite sample: expected metric other of counter, found none"
      ])
    #expect(comparison.metrics.map(\.metric) == ["count.mae"])
    let verdict = Verdict(comparison)
    #expect(
      verdict.metrics.map(\.outcome) == [.pass] && verdict.outcome == .missing && verdict.exitCode(stopAt: 1) == 5)
  }

  /// What went wrong on purpose is on neither side of a gate, and becomes no baseline.
  @Test func perturbedRunsAreHeldAgainstNothing() throws {
    var perturbed = results
    perturbed.perturbation = RunResults.Perturbation(text: "noise=2%", seed: 1)
    let words = "expected a run on the poses as they were recorded, found one perturbed by noise=2%"
    for (after, before) in [(perturbed, results), (results, perturbed)] {
      let error = #expect(throws: EvaluationError.self) { try Comparison(after, with: Baseline(before)) }
      #expect(error?.description.hasSuffix(words) == true, "\(String(describing: error))")
    }
    let path = NSTemporaryDirectory() + "perturbed-\(UUID().uuidString).json"
    let error = #expect(throws: EvaluationError.self) { try Baseline(perturbed).write(to: path) }
    #expect(error?.description.hasSuffix(words) == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func changedCountsAreNamed() throws {
    let after = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2])], counts: ["a": 4, "b": 5])
    let comparison = try Comparison(after, with: Baseline(results))
    #expect(
      comparison.changedCounts == [
        ClipChange(kind: .count, clip: "data/a", detector: "counter", before: 3, after: 4, truth: 4)
      ])
  }

  @Test func changedParametersAreNamed() throws {
    var baseline = Baseline(results)
    baseline.detectors[0].parameters = ["angle": 80, "old": 1]
    let comparison = try Comparison(results, with: baseline)
    #expect(comparison.changedParameters == ["counter.angle: 80.0 → 90.0", "counter.old: 1.0 → none"])
  }

  /// A suite that gates less than its baseline is held to the baseline, and told so.
  @Test func aMetricThatNoLongerGatesIsMissing() throws {
    let worse = SampleResults.results([SampleResults.metric(values: ["a": 4, "b": 5], margin: nil)])
    var baseline = Baseline(results)
    baseline.metrics.append(
      Baseline.Value(detector: "counter", metric: "gone", value: 1, bySubject: [:], gates: true, margin: 1))
    let comparison = try Comparison(worse, with: baseline)
    #expect(
      comparison.missing.lines == [
        "count.mae of counter no longer gates; in the baseline it does",
        "gone of counter no longer gates; in the baseline it does",
      ])
    #expect(comparison.metrics.map(\.margin) == [0.5])
    let verdict = Verdict(comparison)
    #expect(verdict.metrics.count == 1 && verdict.outcome == .missing && verdict.exitCode(stopAt: 1) == 5)
  }

  /// Of a cost too, whose margin the baseline keeps by itself.
  @Test func aCostThatNoLongerGatesIsMissing() throws {
    var measured = results
    let ratios = MeasuredCostRatios(toReference: CostRatio(byClip: [2, 2, 2, 2, 2, 2]), toBaseline: nil, margin: 1.2)
    measured.measured["counter"] = RunResults.MeasuredCost(UpdateCost())
    measured.measured["counter"]?.ratios = ratios
    let baseline = Baseline(measured)
    #expect(try Comparison(measured, with: baseline).missing.isEmpty)
    measured.measured["counter"]?.ratios?.margin = 1.5
    let wider = try Comparison(measured, with: baseline)
    #expect(wider.missing.lines == ["the margin of cost.ratio of counter is wider: 1.5 now, 1.2 in the baseline"])
    #expect(wider.costs.map(\.margin) == [1.2])
    measured.measured["counter"]?.ratios = nil
    #expect(
      try Comparison(measured, with: baseline).missing.lines == [
        "cost.ratio of counter no longer gates; in the baseline it does"
      ])
  }

  /// Adding a metric to the library, or taking one out, changes no verdict.
  @Test func aMetricThatDoesNotGateIsComparedWhereBothHaveIt() throws {
    let shown = SampleResults.metric("shown", values: ["a": 3, "b": 4], margin: nil)
    let more = SampleResults.results(results.metrics + [shown])
    // A baseline without it, and an older one with it beside a run without.
    for (run, baseline) in [(more, Baseline(results)), (results, Baseline(more))] {
      let comparison = try Comparison(run, with: baseline)
      #expect(comparison.metrics.map(\.metric) == ["count.mae"])
      #expect(Verdict(comparison).outcome == .pass)
    }
    #expect(try Comparison(more, with: Baseline(more)).metrics.map(\.metric) == ["count.mae", "shown"])
  }

  /// Of two runs, metrics that the suite does not list are compared as well.
  @Test func runsAreComparedOnAllMetricsThatBothHave() throws {
    var other = SampleResults.metric("other", values: ["a": 3, "b": 4], margin: nil)
    other.isListed = false
    let (few, many) = (results, SampleResults.results(results.metrics + [other]))
    #expect(Baseline(many).metrics.map(\.metric) == ["count.mae"])
    func metrics(_ one: RunResults, _ two: RunResults) throws -> [String] {
      try Comparison(from: .run(one, id: "one"), to: .run(two, id: "two")).metrics.map(\.metric)
    }
    #expect(try metrics(many, many) == ["count.mae", "other"])
    #expect(try metrics(few, many) == ["count.mae"])
    #expect(try metrics(many, few) == ["count.mae"])
  }
}
