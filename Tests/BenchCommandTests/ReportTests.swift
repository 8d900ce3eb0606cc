import Evaluation
import Foundation
import Reports
import Scoring
import Statistics
import Testing

/// The report of a run says what `results.json` holds, and where its data come from.
@Suite struct ReportTests {
  /// A project with a baseline, and with a run and a page of it that lost a count.
  static func project() throws -> Workspace {
    try Workspace.withSquats(after: [
      ["baseline", "accept", "--suite", "squat"],
      ["run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84"],
      ["report", "--html", "--output", "r.html"],
    ])
  }

  private func report(_ workspace: Workspace) throws -> String {
    try workspace.text("reports/squat/latest/report.md")
  }

  /// The rows of a page's tables, cells between bars.
  private func rows(_ workspace: Workspace) throws -> [String] {
    try workspace.text("r.html").matches(of: /<tr[^>]*>(.*)<\/tr>/).map { row in
      row.output.1.split(separator: /<\/t[hd]>/).map { "\($0.replacing(/<[^>]*>/, with: ""))" }.joined(separator: " | ")
    }
  }

  @Test func everyNumberOfTheMetricTablesIsThatOfTheResults() throws {
    let workspace = try Self.project()
    let report = try report(workspace)
    let results = try workspace.results()
    let baseline = try Baseline(file: workspace.path(BaselineTests.file), suite: "squat")
    let changes = try workspace.changes().metrics
    var seen: Set<String> = []
    for line in report.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let key = cells.first?.firstMatch(of: /\((\S+)\) of (\S+)$/),
        let metric = results.metric("\(key.output.2)", "\(key.output.1)")
      else { continue }
      #expect(seen.insert("\(metric.detector) \(metric.metric)").inserted, "\(line)")
      let unit = metric.unit
      func bounds(_ low: Double?, _ high: Double?) -> String {
        low == nil ? "" : " (\(NumberText.value(low, unit: unit)) to \(NumberText.value(high, unit: unit)))"
      }
      let now = NumberText.quantity(metric.value, unit: unit) + bounds(metric.interval?.low, metric.interval?.high)
      #expect(cells[1] == now + (metric.isWorseThanTrivial ? ", worse than trivial" : ""), "\(line)")
      // Where no metric gates there is no margin.
      #expect((cells.count == 2 ? "" : cells.last) == (metric.margin.map { $0 == 3 ? "3" : "\($0)" } ?? ""), "\(line)")
      let change = changes.first { $0.detector == metric.detector && $0.metric == metric.metric }
      // What did not change stands by itself.
      guard cells.count == 5 else {
        #expect(change?.gain == (metric.value == nil ? nil : 0), "\(line)")
        continue
      }
      #expect(
        cells[2] == NumberText.value(baseline.metric(metric.detector, metric.metric)?.value, unit: unit), "\(line)")
      let pairs = change?.gains.count ?? 0
      let isWhole = pairs == metric.definedSubjects && change?.oneSided == 0
      #expect(
        cells[3] == NumberText.signed(change?.gain, unit: unit) + bounds(change?.interval?.low, change?.interval?.high)
          + (isWhole ? "" : ", over \(pairs) of \(metric.bySubject.count) people"), "\(line)")
    }
    #expect(seen == Set(results.metrics.filter(\.isListed).map { "\($0.detector) \($0.metric)" }))
    #expect(report.contains("results.json has \(results.metrics.count { !$0.isListed }) other metrics."))
  }

  /// A page also has of how many people and clips each value is, and what a trivial prediction and people get.
  @Test func everyNumberOfThePagesBasisIsThatOfTheResults() throws {
    let workspace = try Self.project()
    let rows = try rows(workspace)
    for metric in try workspace.results().metrics where metric.isListed {
      let name = "\(Metric.plainName(of: metric.metric)) (\(metric.metric)) of \(metric.detector) | "
      let cells = try #require(rows.last { $0.replacing("&#39;", with: "'").hasPrefix(name) }).components(
        separatedBy: " | ")
      #expect(cells[2] == "\(metric.bySubject.values.count { $0 != nil }) of \(metric.bySubject.count)", "\(name)")
      #expect(cells[3] == "\(metric.undefinedClips) of \(metric.clips)", "\(name)")
      #expect((cells[5] == "pooled") == (metric.isPooled == true), "\(name)")
      #expect(metric.trivial.map { cells[7].contains($0.answer.rawValue) } ?? true, "\(name)")
    }
  }

  /// What changed on a slice, and the counts that changed, are in the results too.
  @Test func everyNumberOfWhatChangedIsThatOfTheResults() throws {
    let workspace = try Self.project()
    let report = try report(workspace)
    let changes = try workspace.changes()
    #expect(changes.verdict.outcome == Verdict.Outcome.maybeWorse.rawValue)
    #expect(
      changes.verdict.reason.hasPrefix(
        "exact counts of squat-states are worse by 0.333: exact on 2 instead of 3 of 3 clips, worse for 1 of 3 people"))
    #expect(report.hasPrefix("# squat: MAYBE WORSE: \(Self.finding)\n"))
    #expect(changes.counts.map(\.clip) == ["squats/cleo_1"])
    #expect(changes.counts.map { [$0.before, $0.after, $0.truth] } == [[1, 0, 1]])
    #expect(report.contains("\n- Set: \(try #require(changes.parameters.first))\n"))
    let slices = changes.slices.filter { $0.metric.gain != nil && $0.metric.gain != 0 }
    #expect(!slices.isEmpty)
    let rows = try rows(workspace)
    for slice in slices {
      let change = slice.metric
      let name = "\(Metric.plainName(of: change.metric)) (\(change.metric)) of \(change.detector)"
      let start = "\(slice.slice.value) | \(name) | \(NumberText.value(change.pairedBefore, unit: "")) | "
      let end = " | \(NumberText.signed(change.gain, unit: "")) | n/a | \(change.subjects)"
      #expect(rows.contains { $0.hasPrefix(start) && $0.hasSuffix(end) }, "\(start)\(end)")
    }
  }

  /// Two of three counts are right where all were; the other metric is the error of the counts. Gains of 0, 0 and −1, and one
  /// more of 0: t above −0.05 is (0.05 − 0.25) / 0.25 = −0.8, and t(3) has 75.9 % above it.
  static let finding =
    "exact counts on 2 instead of 3 of 3 clips, worse for 1 of 3 people, 76 % likely to be worse beyond the margin; and 1 "
    + "more metric"

  /// The same numbers in one file of HTML, in a terminal and in a comment on a pull request.
  @Test func everyFormHasTheNumbersOfTheResults() throws {
    let workspace = try Self.project()
    let rows = try rows(workspace)
    let short = try workspace.run("report", "--pr").output
    let terminal = try workspace.run("report", "--terminal").output
    for metric in try workspace.results().metrics where metric.isListed {
      let unit = metric.unit
      let interval = metric.interval.map {
        "\(NumberText.value($0.low, unit: unit)) to \(NumberText.value($0.high, unit: unit))"
      }
      let title = "\(Metric.plainName(of: metric.metric)) (\(metric.metric)) of \(metric.detector)"
      let now = NumberText.quantity(metric.value, unit: unit) + (interval.map { " (\($0))" } ?? "")
      #expect(rows.contains { $0.replacing("&#39;", with: "'").hasPrefix("\(title) | \(now)") }, "\(title)")
      // A comment has what can block the release.
      if metric.detector == "squat-states", metric.margin != nil {
        #expect(short.contains("| \(title) | \(now)"), "\(title)")
      }
      // Cells are wrapped between words.
      for number in [NumberText.value(metric.value, unit: unit)] + (interval?.components(separatedBy: " to ") ?? []) {
        #expect(terminal.contains(number), "\(title)")
      }
    }
  }

  @Test func gainsHaveTheSignOfBetter() throws {
    let report = try report(Self.project())
    // Gains of 0, 0 and −1: their standard error is 1 / 3, and t(2; 0.975) is 4.3027.
    // Fewer exact clips and a greater error are both worse. Errors of 0, 0 and 1, and of one more person by 2.5: a mean of
    // 0.875 with a standard error of 0.5907, and t(3; 0.975) is 3.1824.
    #expect(
      report.contains(
        "| exact counts (count.exact) of squat-states | 0.667 (0.208 to 0.939) | 1.000 | −0.333 (−1.768 to 1.101) | 0.05 |"
      ))
    #expect(
      report.contains(
        "| count error (count.mae) of squat-states | 0.333 reps (0.000 to 2.755) | 0.000 | −0.333 (−1.768 to 1.101) | 0.2 |"
      ))
    #expect(
      report.contains("| raters' grade error (grades.human-mae) of squat-posture | 10.0 points |"))
  }

  @Test func theReportSaysWhatChangedAndWhatItsDataAre() throws {
    let workspace = try Self.project()
    let report = try report(workspace)
    #expect(
      report.hasPrefix(
        "# squat: MAYBE WORSE: \(Self.finding)\n\nCounts right on 2 of 3 clips, 1 fewer than in the baseline (3).\n\n"
          + "Look first at cleo_1: squat-states counted 1 → 0, true 1. Why: rep 1: knee angle bottomed at 8"))
    #expect(report.contains("> **SYNTHETIC.** squats: Nobody moved."))
    #expect(report.contains("\n- Set: squat-states.bottomAngle: 90.0 → 84.0\n"))
    #expect(report.contains("\n| cleo_1 | side | 0 | 1 | 1 | counted 1 → 0, true 1, farther | rep 1: "))
    // Who changed, in the metric that decides: cleo's one clip was right and is not.
    #expect(report.contains("\n| person | before | after | gain |\n|---|---|---|---|\n| cleo | 1 | 0 | −1 |\n\n"))
    #expect(report.contains("\n- squat-states, not at its defaults: bottomAngle 84\n"))
    #expect(report.contains("no evidence about people"))
    let content = try #require(try workspace.results().datasets.first?.content)
    let data = "- squats 1, SYNTHETIC: 3 clips of 3 people. Licence: CC0-1.0. Source: placed by hand. Content: "
    #expect(report.contains("\(data)\(content)\n"))
  }

  /// A report on GitHub is read on a light or a dark ground; its facts as numbers are in the results.
  @Test func everyChartIsThereInBothThemesAndSaysItsFinding() throws {
    let workspace = try Self.project()
    let report = try report(workspace)
    let charts = RunTests.reportFiles.filter { $0.hasSuffix(".png") } + ["changes-dark.png", "changes.png"]
    let shown = report.matches(of: /(?:src|srcset)="([a-z0-9-]+\.png)"/).map { String($0.output.1) }
    #expect(shown.sorted() == charts.sorted())
    for chart in charts {
      let bytes = try workspace.bytes("reports/squat/latest/\(chart)")
      #expect(bytes.starts(with: PNGSignature.bytes))
      // Each has its counterpart, which is not the same.
      let isDark = chart.hasSuffix("-dark.png")
      let other = chart.replacing(isDark ? "-dark.png" : ".png", with: isDark ? ".png" : "-dark.png")
      #expect(try workspace.bytes("reports/squat/latest/\(other)") != bytes, "\(chart)")
    }
    #expect(
      report.contains(
        "alt=\"Exact counts better for none of 3 people, worse for 1: Exact counts of squat-states"))
    // The one that says who changed is first.
    #expect(shown.prefix(2) == ["changes-dark.png", "changes.png"])
  }

  /// Each sentence on a change has the numbers of the results: two of three subjects' shares stayed, one fell from 1 to 0.
  @Test func theReportSaysForWhomAMetricChanged() throws {
    let report = try report(Self.project())
    #expect(
      report.contains(
        "\n- exact counts (count.exact) of squat-states are worse by 0.333 (gain −0.333, 95 % −1.768 to 1.101): worse for 1 of 3 "
          + "people (cleo); the same for 2. It may be chance.\n"))
    #expect(report.contains("; none of these "))
    #expect(report.contains("\nCounts changed on 1 of 3 clips; by view: side 1.\n"))
  }

  /// Cleo's one squat is no longer counted: on the clips of one rep, hers alone, the share of exact counts fell from 1 to 0.
  /// Of the clips of two and three reps nothing changed.
  @Test func thePageSaysOnWhichClipsAMetricChanged() throws {
    let workspace = try Self.project()
    let rows = try rows(workspace)
    #expect(rows.contains("1 | exact counts (count.exact) of squat-states | 1.000 | 0.000 | −1.000 | n/a | 1"))
    #expect(rows.contains("1 | count error (count.mae) of squat-states | 0.000 | 1.000 reps | −1.000 | n/a | 1"))
    #expect(try workspace.text("r.html").contains("<summary>Changes by reps</summary>"))
    #expect(!rows.contains { $0.hasPrefix("2 to 3 | exact counts (count.exact) of squat-states | 1.000 | 1.000 |") })
  }

  @Test func everyNumberOfTheSlicesIsThatOfTheResults() throws {
    let workspace = try Self.project()
    let rows = try rows(workspace)
    let slices = try #require(try workspace.results().slices)
    // By reps alone: 1, 2 to 3; the three gating metrics on both.
    #expect(slices.count == 6)
    for slice in slices {
      let row =
        "\(slice.slice) | \(Metric.plainName(of: slice.metric)) (\(slice.metric)) of \(slice.detector) | "
        + "\(NumberText.quantity(slice.value, unit: slice.unit)) | "
        + (slice.interval.map {
          "\(NumberText.value($0.low, unit: slice.unit)) to \(NumberText.value($0.high, unit: slice.unit))"
        } ?? "n/a") + " | \(slice.definedSubjects) of \(slice.subjects) | \(slice.clips)"
      #expect(rows.contains(row), "\(row)")
    }
    // Cleo's one clip was counted 0 instead of 1.
    let cleo = slices.first { $0.slice == "1" && $0.metric == "count.mae" }
    #expect(cleo?.value == 1 && cleo?.interval == nil && cleo?.clips == 1)
  }

  /// Without grades there is nothing to draw of them.
  @Test func aSuiteOfACounterAloneHasNoGradeChart() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors = ["- name: squat-states"]
      $0.metrics = [("squat-states", "count.exact", 0.05)]
    }
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(workspace.names(in: "reports/squat/latest") == RunTests.reportFiles.filter { !$0.hasPrefix("grades") })
  }
}
