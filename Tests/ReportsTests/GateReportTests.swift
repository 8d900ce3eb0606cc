import Files
import Foundation
import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline
@testable import Reports

/// What CI systems are told of a gate: nothing that fails reads as a pass, and no text breaks the form.
@Suite struct GateReportTests {
  private static let missing = GateReport(suite: "squat", .missing("clip a<b & \"c\": 100 %\nexpected, none"))

  private static func metric(_ index: Int, _ outcome: Verdict.Outcome) -> Verdict.MetricVerdict {
    Verdict.MetricVerdict(
      MetricChange(
        detector: "counter", metric: "count.\(index)", unit: "reps", direction: .lowerIsBetter, before: 1, after: 2,
        bySubject: ["a": MetricChange.Subject(before: 1, after: 2, gain: -1)], margin: 0.5, clips: 1),
      outcome, reason: "reason \(index)")
  }

  @Test func whatIsMissingIsAnErrorInEveryForm() throws {
    let xml = JUnitReport(Self.missing).xml
    #expect(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(xml.contains("message=\"clip a&lt;b &amp; &quot;c&quot;: 100 %&#10;expected, none\""))
    #expect(XMLCheck(xml).isWellFormed)
    #expect(
      GitHubAnnotations(Self.missing).commands == [
        "::error title=MISSING%3A gate squat::clip a<b & \"c\": 100 %25%0Aexpected, none"
      ])
    #expect(GitHubSummary(Self.missing).markdown.hasPrefix("### bench gate squat: MISSING: clip a&lt;b &amp; "))
    for data in [try stableJSON(BencherReport(Self.missing)), try stableJSON(GitHubBenchmarkReport(Self.missing))] {
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: String])
      #expect(json.keys.sorted() == ["error"])
    }
  }

  /// The action compares by ratio, which means nothing below 0: −30 ms is written as 0 and named, a correlation of −0.25 is
  /// 1.25 short of 1, a bias is its size.
  @Test func nothingForGitHubsBenchmarkIsBelowZero() throws {
    func metric(_ name: String, _ value: Double, _ direction: Metric.Direction, _ unit: String)
      -> RunResults.MetricResult
    {
      RunResults.MetricResult(
        detector: "counter", metric: name, summary: "", unit: unit, direction: direction, value: value, pooled: nil,
        interval: nil, bySubject: ["a": value], undefinedClips: 0, clips: 1, undefined: "never", isListed: true)
    }
    let metrics = [
      metric("latency.live", -30, .lowerIsBetter, "ms"), metric("grades.spearman", -0.25, .higherIsBetter, ""),
      metric("count.bias", -2, .zeroIsBest, "reps"), metric("count.mae", 0.5, .lowerIsBetter, "reps"),
    ]
    let results = RunResults(
      bench: "test", suite: "squat", suiteVersion: 1, datasets: [], detectors: [],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: metrics, clips: [], measured: [:])
    var verdict = Verdict(try Comparison(results, with: Baseline(results)))
    (verdict.outcome, verdict.missing) = (.pass, MissingParts())
    let report = GateReport(suite: "squat", .decided(verdict, results))
    struct Entry: Decodable, Equatable {
      var name: String
      var value: Double
      var extra: String
    }
    let entries = try JSONDecoder().decode([Entry].self, from: stableJSON(GitHubBenchmarkReport(report)))
    #expect(
      entries == [
        Entry(name: "counter latency.live", value: 0, extra: "1 of 1 subjects; measured −30.0, written as 0"),
        Entry(name: "1 − counter grades.spearman", value: 1.25, extra: "1 of 1 subjects"),
        Entry(name: "counter count.bias (size)", value: 2, extra: "1 of 1 subjects"),
        Entry(name: "counter count.mae", value: 0.5, extra: "1 of 1 subjects"),
      ])
  }

  @Test func theWorstComeFirstAndTheRestAreCounted() {
    let metrics =
      (0..<13).map { Self.metric($0, $0 == 12 ? .regression : .missing) } + [Self.metric(13, .worseNotProven)]
    let annotations = GitHubAnnotations(verdicts: metrics, policy: .pass)
    let errors = annotations.commands.filter { $0.hasPrefix("::error") }
    #expect(errors.count == 10)
    #expect(errors.first?.hasSuffix("::reason 12") == true)
    #expect(errors.last?.hasSuffix("::reason 8%0Aand 3 more errors") == true)
    #expect(annotations.commands.filter { $0.hasPrefix("::warning") }.count == 1)
  }
}
