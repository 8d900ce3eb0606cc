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
        "### sample: REGRESSION: count error 0.000 → 2.000 reps, worse for 30 of 30 people\n"))
    #expect(text.contains("\nand 28 more that are wrong or changed\n"))
    #expect(!text.contains("<b>"))
  }

  @Test func aClipsNameStartsNothingInAnyForm() throws {
    let names = ["<script>alert(1)</script>", "](javascript:a) @octocat", "a|b\u{1B}[2J"] + (0..<27).map { "c\($0)" }
    let report = try Self.report(names: names)
    let html = try report.html()
    #expect(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert(1)"))
    // The page's own script sorts tables, and its policy allows no other.
    #expect(html.components(separatedBy: "<script").count == 2 && html.contains("; script-src 'sha256-"))
    let short = try report.pullRequest()
    #expect(!short.contains("<script") && !short.contains("@octocat"))
    // A bracket that is escaped ends no link.
    #expect(!short.replacing("\\]", with: "").contains("](javascript"))
    for text in [html, short, report.terminal.text] { #expect(!text.contains("\u{1B}")) }
  }

  @Test func theVerdictIsFirstAndSaysForWhom() throws {
    let model = try Self.report(names: (0..<30).map { "c\($0)" }).model([], for: .file)
    #expect(model.outcome == "REGRESSION" && model.isRegression)
    #expect(model.title == "count error 0.000 → 2.000 reps, worse for 30 of 30 people")
    #expect(model.summary[0] == "Counts right on 0 of 30 clips, 30 fewer than in the baseline (30).")
    #expect(model.summary[1] == "Look first at c0: counter counted 5 → 3, true 5.")
    let changed = try #require(model.sections.first { $0.anchor == "people" })
    #expect(
      changed.items == [
        "count error (count.mae) of counter is worse by 2.000 reps (gain −2.000, 95 % −2.000 to −2.000): worse for 30 of 30 "
          + "subjects (s0, s1, s10, s11, s12 and 25 more)."
      ])
    // Everyone lost two reps.
    #expect(changed.table?.rows.count == 30 && changed.table?.rows[0].cells.map(\.text) == ["s0", "0", "2", "−2"])
    let clips = try #require(model.sections.first { $0.anchor == "clips" })
    #expect(clips.table?.rows.count == 10 && clips.notes == ["and 20 more that are wrong or changed"])
    #expect(
      clips.table?.rows.first?.cells.map(\.text) == [
        "c0", "s0", "unknown", "3", "5", "n/a", "counted 5 → 3, true 5, farther",
      ])
    #expect(model.sections.contains { $0.texts.contains { $0.hasPrefix("All clips are alike") } })
  }

  /// All forms have the sentences and rows of one model.
  @Test func everyFormSaysTheSame() throws {
    let report = try Self.report(names: (0..<30).map { "c\($0)" })
    let (html, terminal, short) = (try report.html(), report.terminal.text, try report.pullRequest())
    let file =
      try report.files().first { $0.name == "report.md" }.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    let model = report.model([], for: .terminal)
    let sections = model.sections.filter(\.isShort).flatMap { $0.texts + $0.items }
    for sentence in [model.title] + model.summary + sections {
      for (form, text) in [("page", html), ("terminal", terminal), ("comment", short), ("file", file)] {
        #expect(text.contains(sentence), "\(form): \(sentence)")
      }
    }
    let row = "count error (count.mae) of counter"
    for text in [html, terminal, short, file] { #expect(text.components(separatedBy: row).count > 2) }
    // On a page every clip can be found, in the other forms the ten to look at first.
    #expect(html.matches(of: /<tr data-wrong data-changed data-view="unknown" data-person="data\/s\d+">/).count == 30)
    #expect(file.matches(of: /\n\| c\d+ \|/).count == 10 && file.contains("\nand 20 more that are wrong or changed\n"))
    // The picture of who changed comes before any section, light and dark.
    let picture = try #require(
      file.range(of: "srcset=\"changes-dark.png\"><img src=\"changes.png\" alt=\"Better for none of 30 subjects"))
    #expect(picture.lowerBound < (try #require(file.range(of: "\n## "))).lowerBound)
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
    for text in try texts("other") { #expect(!text.contains("counted right") && !text.contains("Worst is")) }
  }

  /// What no checkout has must be imported first, and be told by its hash.
  @Test func theCommandsBringInWhatIsNotInTheRepository() throws {
    var results = Self.results(count: 5, names: ["a"])
    func commands() throws -> [String] {
      let report = try RunReport(
        results, run: RunReport.Run(name: "run", created: "", origin: nil), baseline: nil)
      return report.model([], for: .file).sections.flatMap(\.commands)
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
    let model = report.model([], for: .file)
    #expect(model.outcome == "NO VERDICT" && model.title == "Counts right on 0 of 1 clip")
    #expect(model.summary.last == "Not compared: nobody made one.")
    #expect(model.sections.first { $0.anchor == "metrics" }?.table?.header == ["metric", "now (95 %)", "margin"])
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
