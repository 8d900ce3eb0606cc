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
    // A program's own lines stay lines.
    let failed = GateReport(suite: "squat", .failed("found an exit with code 1:\n  File \"a\"\n  KeyError: <b>"))
    #expect(
      GitHubSummary(failed).markdown
        == "### bench gate squat: ERROR: found an exit with code 1:\n\n      File \"a\"\n      KeyError: <b>\n\n"
    )
    #expect(GitHubAnnotations(failed).commands.first?.hasPrefix("::error title=ERROR%3A gate squat::") == true)
    #expect(JUnitReport(failed).xml.contains("type=\"error\""))
    for data in [try stableJSON(BencherReport(Self.missing)), try stableJSON(GitHubBenchmarkReport(Self.missing))] {
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: String])
      #expect(json.keys.sorted() == ["error"])
    }
  }

  private static func result(
    _ name: String, _ direction: Metric.Direction, _ values: [Double], unit: String = "", margin: Double? = nil,
    interval: RunResults.MetricResult.Bounds? = nil
  ) -> RunResults.MetricResult {
    RunResults.MetricResult(
      detector: "counter", metric: name, summary: "", unit: unit, direction: direction,
      value: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count), pooled: nil, interval: interval,
      bySubject: Dictionary(uniqueKeysWithValues: values.enumerated().map { ("s\($0)", Double?($1)) }),
      undefinedClips: 0, clips: values.count, undefined: "never", isListed: true, margin: margin)
  }

  private static func results(_ metrics: [RunResults.MetricResult]) -> RunResults {
    RunResults(
      bench: "test", suite: "squat", suiteVersion: 1, datasets: [],
      detectors: [
        RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: [:], changed: [])
      ], matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: metrics, clips: [], measured: [:])
  }

  /// Of fifteen people five lose an eighth, five two and five three, where 0.26 is accepted: 0.25 on average. The
  /// standard error is √(10/64 / 14 / 15) = 0.02728, t(14; 0.975) is 2.145, so that the interval is 0.0585 to either
  /// side. Beside it are a metric that nobody changed in and one without a value.
  private static func undecided() throws -> (verdict: Verdict, results: RunResults) {
    let same = result("grades.spearman", .higherIsBetter, [Double](repeating: 0.5, count: 15), margin: 0.1)
    let none = result("latency.live", .lowerIsBetter, [], unit: "ms")
    let tens = [Double](repeating: 10, count: 15)
    let before = result("count.mae", .lowerIsBetter, tens, unit: "reps", margin: 0.26)
    let now = result(
      "count.mae", .lowerIsBetter, (0..<15).map { 10.125 + Double($0 / 5) / 8 }, unit: "reps", margin: 0.26,
      interval: RunResults.MetricResult.Bounds(low: 10.125, high: 10.375, level: 0.95, method: "by hand"))
    let results = results([same, now, none])
    let verdict = Verdict(try Comparison(results, with: Baseline(Self.results([same, before, none]))))
    return (verdict, results)
  }

  /// With one more who did not change, the mean is −3.75 / 16 = −0.2344 and the standard error √(1.09375 − 0.87891) / √240 =
  /// 0.02992: t above −0.26 is 0.857, and t(15) has 20.3 % above it. That fails the job below a limit of 20 %, and otherwise
  /// the metric is skipped.
  @Test func aLikelyLossFailsByTheSuitesLimit() throws {
    let (verdict, results) = try Self.undecided()
    #expect(verdict.outcome == .maybeWorse)
    #expect(verdict.detail == nil)
    let loss =
      "count error of counter is worse by 0.250 reps, worse for 15 of 15 people (gain −0.250, 95 % interval −0.309 to "
      + "−0.191): 20 % likely to be worse by more than 0.260 reps"
    let start = "name=\"count.mae\" time=\"0\">\n      <"
    for limit in [0, 0.19, 0.2, 1] {
      let report = GateReport(suite: "squat", .decided(verdict, results), stopAt: limit)
      let (xml, commands) = (JUnitReport(report).xml, GitHubAnnotations(report).commands)
      let isFailure = limit < 0.2
      let reason = limit == 0 ? "without a pass" : "above 19 %"
      let message = loss + (isFailure ? "; it stops: the suite stops \(reason)" : "")
      #expect(xml.contains("tests=\"2\" failures=\"\(isFailure ? 1 : 0)\" errors=\"0\""))
      #expect(xml.contains("skipped=\"\(isFailure ? 0 : 1)\""))
      let type = isFailure ? " type=\"maybe-worse\"" : ""
      #expect(xml.contains("\(start)\(isFailure ? "failure" : "skipped") message=\"\(message)\"\(type)/>"), "\(xml)")
      #expect(xml.contains("<system-out>rank agreement of counter is unchanged for everybody</system-out>"))
      let title =
        "title=WORSE%2C MAYBE BEYOND THE MARGIN\(isFailure ? "%2C STOPS" : "")%3A count.mae of counter"
      #expect(
        commands == ["::\(isFailure ? "error" : "warning") \(title)::\(message.replacing("%", with: "%25"))"])
    }
  }

  @Test func bencherGetsValuesWithTheirBounds() throws {
    let (verdict, results) = try Self.undecided()
    struct Measure: Decodable, Equatable {
      var value: Double
      var lower_value: Double?
      var upper_value: Double?
    }
    let json = try stableJSON(BencherReport(GateReport(suite: "squat", .decided(verdict, results))))
    let found = try JSONDecoder().decode([String: [String: Measure]].self, from: json)
    let error = Measure(value: 10.25, lower_value: 10.125, upper_value: 10.375)
    #expect(found == ["squat/counter": ["count.mae": error, "grades.spearman": Measure(value: 0.5)]])
  }

  /// The worst metric first.
  @Test func aJobsSummaryHasARowForEachGatingMetric() throws {
    let (verdict, results) = try Self.undecided()
    let text = GitHubSummary(GateReport(suite: "squat", .decided(verdict, results))).markdown
    let head = text.components(separatedBy: "| WORSE").first ?? ""
    #expect(
      head.hasPrefix(
        "### bench gate squat: WORSE, MAYBE BEYOND THE MARGIN: count error 10.000 → 10.250 reps, worse for 15 of 15 "
          + "people, 20 % likely to be worse beyond the margin; it passes: the suite stops above 20 %\n\n"))
    let told = GitHubSummary(
      GateReport(suite: "squat", .decided(verdict, results), why: "a/b: rep 1: knee angle bottomed at 85°, needs < 75°")
    )
    #expect(
      told.markdown.contains(
        "stops above 20 %\n\nWhy: a/b: rep 1: knee angle bottomed at 85°, needs &lt; 75°\n\n"))
    let rows = text.split(separator: "\n").filter { $0.contains("| counter |") }
    #expect(rows.count == 2)
    let numbers = "10.000 | 10.250 | −0.250 | −0.309 to −0.191 | 0.26 | reps |"
    #expect(rows.first == "| WORSE, MAYBE BEYOND THE MARGIN | counter | count.mae | \(numbers)")
    #expect(rows.last?.hasPrefix("| PASS | counter | grades.spearman | 0.500 | 0.500 | unchanged | ") == true)
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
        Entry(name: "counter latency.live", value: 0, extra: "1 of 1 person; measured −30.0, written as 0"),
        Entry(name: "1 − counter grades.spearman", value: 1.25, extra: "1 of 1 person"),
        Entry(name: "counter count.bias (size)", value: 2, extra: "1 of 1 person"),
        Entry(name: "counter count.mae", value: 0.5, extra: "1 of 1 person"),
      ])
  }

  @Test func theWorstComeFirstAndTheRestAreCounted() {
    let metrics =
      (0..<13).map { Self.metric($0, $0 == 12 ? .regression : .missing) } + [Self.metric(13, .maybeWorse)]
    let annotations = GitHubAnnotations(verdicts: metrics, stopAt: 1)
    let errors = annotations.commands.filter { $0.hasPrefix("::error") }
    #expect(errors.count == 10)
    #expect(errors.first?.hasSuffix("::reason 12") == true)
    #expect(errors.last?.hasSuffix("::reason 8%0Aand 3 more errors") == true)
    #expect(annotations.commands.filter { $0.hasPrefix("::warning") }.count == 1)
  }

  /// What stops is an error that says by which choice; the same probability is a warning where it does not stop.
  @Test func anErrorSaysWhyItStops() {
    let metric = Verdict.MetricVerdict(
      Self.metric(0, .pass).change, .maybeWorse, probability: 0.03, reason: "3 % likely")
    #expect(
      GitHubAnnotations(verdicts: [metric], stopAt: 0).commands == [
        "::error title=PROBABLY NOT WORSE%2C STOPS%3A count.0 of counter::3 %25 likely; it stops: "
          + "the suite stops without a pass"
      ])
    #expect(
      GitHubAnnotations(verdicts: [metric], stopAt: 0.2).commands == [
        "::warning title=PROBABLY NOT WORSE%3A count.0 of counter::3 %25 likely"
      ])
  }
}
