import Files
import Foundation
import Testing

@testable import Evaluation
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

  @Test func theWorstComeFirstAndTheRestAreCounted() {
    let metrics = (0..<13).map { Self.metric($0, $0 == 12 ? .regression : .missing) } + [Self.metric(13, .inconclusive)]
    let annotations = GitHubAnnotations(verdicts: metrics, policy: .pass)
    let errors = annotations.commands.filter { $0.hasPrefix("::error") }
    #expect(errors.count == 10)
    #expect(errors.first?.hasSuffix("::reason 12") == true)
    #expect(errors.last?.hasSuffix("::reason 8%0Aand 3 more errors") == true)
    #expect(annotations.commands.filter { $0.hasPrefix("::warning") }.count == 1)
  }
}
