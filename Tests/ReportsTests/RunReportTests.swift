import Foundation
import Pipeline
import PoseModel
import Testing

@testable import Evaluation
@testable import Reports

/// A run's report whatever its clips are called.
@Suite struct RunReportTests {
  /// Thirty clips of thirty people, each counted `count` of 5 reps.
  private static func results(count: Int, names: [String]) -> RunResults {
    let error = Double(5 - count)
    let subjects = Dictionary(uniqueKeysWithValues: names.indices.map { ("data/s\($0)", Double?(error)) })
    return RunResults(
      bench: "test", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .recorded, licence: "L", source: "S",
          clips: names.count, subjects: names.count)
      ],
      detectors: [RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: [:], changed: [])],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero),
      metrics: [
        RunResults.MetricResult(
          detector: "counter", metric: "count.mae", summary: "", unit: "reps", direction: .lowerIsBetter, value: error,
          pooled: error, interval: nil, bySubject: subjects, undefinedClips: 0, clips: names.count, undefined: "never",
          isListed: true, margin: 0.5)
      ],
      clips: names.enumerated().map { index, name in
        ClipResult(
          name: name, dataset: "data", subject: "s\(index)", exercise: "squat", trueCount: 5,
          counts: ["counter": count])
      }, measured: [:], slices: [])
  }

  private static func report(names: [String]) throws -> RunReport {
    try RunReport(
      results(count: 3, names: names), run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil),
      baseline: Baseline(results(count: 5, names: names)))
  }

  /// Each name takes 10 bytes escaped for 4, and one more stands in the summary: five clips are more than 60 kB, two are
  /// 30 kB.
  @Test func aPullRequestsFormFitsWhateverClipsAreCalled() throws {
    let names = (0..<30).map { String(repeating: "<b>|", count: 1000) + "\($0)" }
    let text = try Self.report(names: names).pullRequest()
    #expect(text.utf8.count <= 65_536)
    #expect(
      text.hasPrefix(
        "### sample: REGRESSION: count.mae of counter is worse by 2.000 reps, worse for 30 of 30 people (gain −2.000"))
    #expect(text.contains("\n- and 28 more\n"))
    #expect(!text.contains("<b>"))
  }

  @Test func aClipsNameStartsNothingInAnyForm() throws {
    let names = ["<script>alert(1)</script>", "](javascript:a) @octocat", "a|b\u{1B}[2J"] + (0..<27).map { "c\($0)" }
    let report = try Self.report(names: names)
    let html = try report.html()
    #expect(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)"))
    let short = try report.pullRequest()
    #expect(!short.contains("<script") && !short.contains("@octocat"))
    // A bracket that is escaped ends no link.
    #expect(!short.replacing("\\]", with: "").contains("](javascript"))
    for text in [html, short, report.terminal.text] { #expect(!text.contains("\u{1B}")) }
  }

  @Test func theVerdictIsFirstAndSaysForWhom() throws {
    let model = try Self.report(names: (0..<30).map { "c\($0)" }).model([])
    #expect(model.verdict.outcome == "REGRESSION" && model.verdict.isRegression)
    #expect(model.changes.map(\.amount) == ["2.000 reps"])
    #expect(
      model.changes.map(\.forWhom) == ["worse for 30 of 30 subjects (s0, s1, s10, s11, s12 and 25 more)"])
    #expect(model.changedClips.count == 20 && model.moreChangedClips == "10")
    let clips = try #require(model.clips.first)
    #expect(clips.heading == "Worst and most changed clips" && clips.allRight == nil)
    #expect(
      clips.table.rows.map { $0.cells.map(\.text) }.first
        == ["c0", "s0", "unknown", "3", "5", "n/a", "counted 5 → 3, true 5"])
    #expect(model.noSlices?.hasPrefix("All clips are alike") == true)
  }

  @Test func onlyWhereSomethingCountsAreClipsCalledRight() throws {
    func texts(_ kind: String) throws -> [String] {
      var results = Self.results(count: 5, names: ["a"])
      results.detectors[0].kind = kind
      let report = try RunReport(
        results, run: RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil), baseline: nil,
        reasonWithoutBaseline: "nobody made one")
      return [
        try report.files().filter { $0.name == "report.md" }.map { String(decoding: $0.data, as: UTF8.self) }.joined(),
        try report.html(), report.terminal.text,
      ]
    }
    for text in try texts("reps") { #expect(text.contains("Every labelled clip is counted right")) }
    for text in try texts("swing") {
      #expect(!text.contains("counted right") && text.contains("No clip has labels"))
    }
    for text in try texts("other") { #expect(!text.contains("counted right") && !text.contains("Worst clips")) }
  }

  /// What no checkout has must be imported first, and be told by its hash.
  @Test func theCommandsBringInWhatIsNotInTheRepository() throws {
    var results = Self.results(count: 5, names: ["a"])
    func commands() throws -> [String] {
      try RunReport(results, run: RunReport.Run(name: "run", created: "", origin: nil), baseline: nil).model([])
        .commands
    }
    #expect(try commands() == ["./bench run --suite sample"])
    results.datasets[0].isImported = true
    #expect(
      try commands() == [
        "# data version 1, content sha256:one: not in the repository", "./bench dataset import --from path/to/data",
        "./bench run --suite sample",
      ])
  }

  @Test func withoutABaselineThereIsNoVerdictButAReason() throws {
    let report = try RunReport(
      Self.results(count: 3, names: ["a"]), run: RunReport.Run(name: "run", created: "", origin: nil), baseline: nil,
      reasonWithoutBaseline: "nobody made one")
    let model = report.model([])
    #expect(model.verdict.outcome == "NO VERDICT" && model.verdict.reason == "nobody made one")
    #expect(model.metrics.first?.baseline == "n/a" && model.metrics.first?.gain == "n/a")
  }
}

extension [TextBlock] {
  /// All that a terminal shows of them.
  var text: String {
    map { block in
      switch block {
      case .heading(let text), .paragraph(let text), .item(let text), .code(let text): text
      case .table(let rows): rows.map { $0.joined(separator: " ") }.joined(separator: "\n")
      case .gap: ""
      }
    }.joined(separator: "\n")
  }
}
