import Evaluation
import Foundation
import Reports
import Scoring
import Statistics
import Testing

/// The report of a run says what `results.json` holds, and where its data come from.
@Suite struct ReportTests {
  /// A project with a baseline, a changed detector, and its report.
  private func report(_ workspace: Workspace) throws -> String {
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84").expectSuccess()
    return try workspace.text("reports/squat/latest/report.md")
  }

  /// A number of a table: `−0.333`; nil for `n/a`.
  private func number(_ text: Substring) -> Double? {
    Double(text.replacingOccurrences(of: "−", with: "-"))
  }

  @Test func everyNumberOfTheMetricTablesIsThatOfTheResults() throws {
    let workspace = try BaselineTests.accepted()
    let report = try report(workspace)
    let results = try workspace.results()
    let baseline = try Baseline(file: workspace.path(BaselineTests.file), suite: "squat")
    let changes = try workspace.changes().metrics
    var (seen, based): (Set<String>, Set<String>) = ([], [])
    for line in report.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces)[...] }
      guard cells.count == 8 || cells.count == 9, let key = cells[1].split(separator: "(").last?.dropLast(),
        let metric = results.metric(String(cells[0]), String(key))
      else { continue }
      if cells.count == 9 {
        // Subjects with a value, clips without one, unanswered cases, the kind of value, the interval's method, the trivial
        // answer and the human ceiling.
        based.insert("\(cells[0]) \(key)")
        #expect(cells[2] == "\(metric.bySubject.values.count { $0 != nil }) of \(metric.bySubject.count)", "\(line)")
        #expect(cells[3] == "\(metric.undefinedClips) of \(metric.clips)", "\(line)")
        #expect(cells[4] == (metric.unanswered.map { "\($0)" } ?? ""), "\(line)")
        #expect((cells[5] == "pooled") == (metric.isPooled == true), "\(line)")
        #expect(cells[6] == (metric.interval?.method ?? "n/a"), "\(line)")
        #expect(metric.trivial.map { cells[7].contains($0.answer.rawValue) } ?? cells[7].isEmpty, "\(line)")
        #expect(cells[7].hasPrefix("worse than") == metric.isWorseThanTrivial, "\(line)")
        #expect(cells[8].isEmpty == (metric.humanCeiling == nil), "\(line)")
        continue
      }
      seen.insert("\(cells[0]) \(key)")
      // Value and unit, interval, baseline, gain, margin, trend.
      let decimals = metric.unit == "ms" || metric.unit == "points" ? 1 : 3
      let half = 0.5 * pow(10, -Double(decimals)) + 1e-9
      func expect(_ shown: Substring, _ value: Double?) {
        let found = number(shown)
        #expect((found == nil) == (value == nil), "\(line)")
        if let found, let value { #expect(abs(found - value) <= half, "\(line)") }
        if found == nil { #expect(shown == "n/a", "\(line)") }
      }
      let value = cells[2].split(separator: " ", maxSplits: 1)
      expect(value[0], metric.value)
      #expect((value.count > 1 ? String(value[1]) : "") == (metric.value == nil ? "" : metric.unit), "\(line)")
      let bounds = cells[3].components(separatedBy: " to ")
      expect(bounds[0][...], metric.interval?.low)
      expect((bounds.last ?? "")[...], metric.interval?.high)
      expect(cells[4], baseline.metric(metric.detector, metric.metric)?.value)
      let change = changes.first { $0.detector == metric.detector && $0.metric == metric.metric }
      let gain = cells[5].components(separatedBy: " (")
      if gain[0] == "unchanged" {
        // Nor is there a gain where nobody has a value.
        #expect(change?.gain == (metric.value == nil ? nil : 0), "\(line)")
        #expect(change?.gains.values.allSatisfy { $0 == 0 } == true, "\(line)")
      } else {
        expect(gain[0][...], change?.gain)
        if gain.count > 1 {
          let parts = gain[1].components(separatedBy: ")")
          // Where some have a value on one side only, how many the gain is of.
          let pairs = change?.gains.count ?? 0
          let isWhole = pairs == metric.definedSubjects && change?.oneSided == 0
          #expect(parts[1] == (isWhole ? "" : ", of \(pairs) of \(metric.bySubject.count) subjects"), "\(line)")
          let bounds = parts[0].components(separatedBy: " to ")
          expect(bounds[0][...], change?.low)
          expect((bounds.last ?? "")[...], change?.high)
        }
      }
      #expect(cells[6] == (metric.margin.map { $0 == 3 ? "3" : "\($0)" } ?? ""), "\(line)")
      #expect(cells[7] == "", "\(line)")
    }
    #expect(seen == based)
    #expect(seen == Set(results.metrics.map { "\($0.detector) \($0.metric)" }))
  }

  /// What changed on a slice, and the counts that changed, are in the results too.
  @Test func everyNumberOfWhatChangedIsThatOfTheResults() throws {
    let workspace = try BaselineTests.accepted()
    let report = try report(workspace)
    let changes = try workspace.changes()
    #expect(changes.verdict.outcome == Verdict.Outcome.worseNotProven.rawValue)
    #expect(report.hasPrefix("# squat: WORSE, NOT PROVEN: \(changes.verdict.reason)\n"))
    #expect(changes.counts.map(\.clip) == ["squats/cleo_1"])
    #expect(changes.counts.map { [$0.before, $0.after, $0.truth] } == [[1, 0, 1]])
    #expect(report.contains("\n- Set: \(try #require(changes.parameters.first))\n"))
    let slices = changes.slices.filter { $0.metric.gain != nil && $0.metric.gain != 0 }
    #expect(!slices.isEmpty)
    for slice in slices {
      let change = slice.metric
      let before = NumberText.value(change.pairedBefore, unit: "")
      let start = "\n| \(slice.slice.value) | \(change.detector) | \(change.metric) | \(before) | "
      let end = " | \(NumberText.signed(change.gain, unit: "")) | n/a | n/a | \(change.subjects) | \(change.clips) |\n"
      let row = report.range(of: start).map { report[$0.upperBound...].prefix(80) }
      #expect(row?.contains(end) == true, "\(start)\(end)")
    }
  }

  /// The same numbers in one file of HTML, in a terminal and in a comment on a pull request.
  @Test func everyFormHasTheNumbersOfTheResults() throws {
    let workspace = try BaselineTests.accepted()
    _ = try report(workspace)
    try workspace.run("report", "--html", "--output", "r.html").expectSuccess()
    let html = try workspace.text("r.html")
    let short = try workspace.run("report", "--pr").output
    let terminal = try workspace.run("report", "--terminal").output
    let baseline = try Baseline(file: workspace.path(BaselineTests.file), suite: "squat")
    for metric in try workspace.results().metrics where metric.isListed {
      let unit = metric.unit
      let value = NumberText.value(metric.value, unit: unit)
      let interval = metric.interval.map {
        "\(NumberText.value($0.low, unit: unit)) to \(NumberText.value($0.high, unit: unit))"
      }
      let before = NumberText.value(baseline.metric(metric.detector, metric.metric)?.value, unit: unit)
      let title = "\(metric.metric) of \(metric.detector)"
      // From the metric's name to its baseline is one row.
      let start = html.range(
        of: "<span class=\"quiet\">\(metric.metric)</span> <span class=\"quiet\">\(metric.detector)</span>"
      )
      let shown = try #require(start.map { html[$0.upperBound...].prefix(900) }, "\(title)")
      #expect(
        shown.contains(
          """
          data-label="value">\(value) \(unit)</td>
          <td class="number" data-label="95 % interval">\(interval ?? "n/a")</td>
          <td class="number" data-label="baseline">\(before)</td>
          """), "\(title)")
      let row =
        "| \(metric.detector) | \(Metric.plainName(of: metric.metric)) (\(metric.metric)) | \(value) \(unit) | \(interval ?? "n/a") | \(before) |"
      #expect(short.contains(row), "\(title)")
      // Cells are wrapped between words.
      for number in [value] + (interval?.components(separatedBy: " to ") ?? []) {
        #expect(terminal.contains(number), "\(title)")
      }
    }
  }

  @Test func gainsHaveTheSignOfBetter() throws {
    let report = try report(BaselineTests.accepted())
    // Gains of 0, 0 and −1: their standard error is 1 / 3, and t(2; 0.975) is 4.3027.
    // Fewer exact clips and a greater error are both worse.
    #expect(
      report.contains(
        "| squat-states | exact counts (count.exact) | 0.667  | 0.208 to 0.939 | 1.000 | −0.333 (−1.768 to 1.101) | 0.05 |"
      ))
    #expect(
      report.contains(
        "| squat-states | count error (count.mae) | 0.333 reps | 0.000 to 1.768 | 0.000 | −0.333 (−1.768 to 1.101) | 0.2 |"
      ))
    #expect(
      report.contains(
        "| squat-posture | raters' grade error (grades.human-mae) | 10.0 points | 10.0 to 10.0 | 10.0 | unchanged |"))
  }

  @Test func theReportSaysWhatChangedAndWhatItsDataAre() throws {
    let workspace = try BaselineTests.accepted()
    let report = try report(workspace)
    #expect(
      report.hasPrefix(
        "# squat: WORSE, NOT PROVEN: count.exact of squat-states is worse by 0.333, worse for 1 of 3 people (gain −0.333, "
      ))
    #expect(report.contains("> **SYNTHETIC.** squats: Nobody moved."))
    #expect(report.contains("\n- Set: squat-states.bottomAngle: 90.0 → 84.0\n"))
    #expect(report.contains("\n- cleo_1 (side): squat-states counted 1 → 0, true 1, farther\n"))
    #expect(report.contains("\n- **squat-states**, not at its defaults: bottomAngle 84. "))
    #expect(report.contains("\n| squat-states | bottomAngle | 84 (not the default) |\n"))
    #expect(report.contains("no evidence about people"))
    let content = try #require(try workspace.results().datasets.first?.content)
    let data = "- **squats** 1, SYNTHETIC: 3 clips of 3 subjects. Licence: CC0-1.0. Source: placed by hand. Content: `"
    #expect(report.contains("\(data)\(content)`."))
  }

  @Test func everyChartIsThereAndHasItsFactsAsText() throws {
    let workspace = try BaselineTests.accepted()
    let report = try report(workspace)
    let charts = RunTests.reportFiles.filter { $0.hasSuffix(".png") }
    let shown = report.matches(of: /\]\(([a-z0-9-]+\.png)\)/).map { String($0.output.1) }
    #expect(shown.sorted() == charts)
    for chart in charts {
      #expect(try workspace.bytes("reports/squat/latest/\(chart)").starts(with: PNGSignature.bytes))
    }
    #expect(report.contains("### cleo_1: counted 0, true 1, 1 rep missed or invented\n"))
    #expect(report.matches(of: /<summary>The same as text<\/summary>/).count == charts.count)
  }

  /// Each sentence on a change has the numbers of the results: two of three subjects' shares stayed, one fell from 1 to 0.
  @Test func theReportSaysForWhomAMetricChanged() throws {
    let report = try report(BaselineTests.accepted())
    #expect(
      report.contains(
        "\n- **exact counts** (count.exact) of squat-states is worse by 0.333 (gain −0.333, 95 % −1.768 to 1.101): worse for 1 of 3 "
          + "subjects (cleo); the same for 2. It may be chance.\n"))
    #expect(report.contains("; the 95 % interval of the gain excludes 0 for none of these "))
    #expect(report.contains("\nCounts changed on 1 of 3 clips; by view: side 1.\n"))
  }

  /// Cleo's one squat is no longer counted: on the clips of one rep, hers alone, the share of exact counts fell from 1 to 0.
  /// Of the clips of two and three reps nothing changed.
  @Test func theReportSaysOnWhichClipsAMetricChanged() throws {
    let report = try report(BaselineTests.accepted())
    let rows = report.split(separator: "\n").filter { $0.hasPrefix("| 1 | squat-states | ") }
    #expect(rows.contains("| 1 | squat-states | count.exact | 1.000 | 0.000 | −1.000 | n/a | n/a | 1 | 1 |"))
    #expect(rows.contains("| 1 | squat-states | count.mae | 0.000 | 1.000 reps | −1.000 | n/a | n/a | 1 | 1 |"))
    #expect(report.contains("<summary>Changes by reps</summary>"))
    #expect(!report.contains("| 2 to 3 | squat-states | count.exact | 1.000 | 1.000 |"))
  }

  @Test func everyNumberOfTheSlicesIsThatOfTheResults() throws {
    let workspace = try BaselineTests.accepted()
    let report = try report(workspace)
    let slices = try #require(try workspace.results().slices)
    // By reps alone: 1, 2 to 3; the three gating metrics on both.
    #expect(slices.count == 6)
    for slice in slices {
      let value = NumberText.quantity(slice.value, unit: slice.unit)
      let row =
        "| \(slice.slice) | \(slice.detector) | \(slice.metric) | \(value) | "
        + (slice.interval.map {
          "\(NumberText.value($0.low, unit: slice.unit)) to \(NumberText.value($0.high, unit: slice.unit))"
        } ?? "n/a") + " | \(slice.definedSubjects) of \(slice.subjects) | \(slice.clips) |"
      #expect(report.contains("\n\(row)\n"), "\(row)")
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
    #expect(workspace.names(in: "reports/squat/latest") == RunTests.reportFiles.filter { $0 != "grades.png" })
  }
}
