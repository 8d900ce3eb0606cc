import Evaluation
import Foundation
import Reports
import Scoring
import Statistics
import Testing

/// Reports of runs that were kept, in each form.
@Suite struct ReportCommandTests {
  /// A project with a run that lost a count against its baseline.
  private func project() throws -> Workspace {
    let workspace = try BaselineTests.accepted()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84").expectSuccess()
    return workspace
  }

  @Test func theReportOfAKeptRunIsTheSameAgain() throws {
    let workspace = try project()
    let before = try ProjectState.files(workspace.path("reports"))
    let outcome = try workspace.run("report")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^report   reports\/squat\/[0-9TZ-]+\/report\.md\n$/#))
    #expect(try ProjectState.files(workspace.path("reports")) == before)
    // Also where the folder and the baseline are gone.
    try workspace.remove("reports")
    try workspace.remove(BaselineTests.file)
    try workspace.run("report", "--suite", "squat").expectSuccess()
    let after = try ProjectState.files(workspace.path("reports"))
    for (name, bytes) in after where !bytes.isEmpty { #expect(before[name] == bytes, "\(name)") }
    #expect(after.keys.contains { $0.hasSuffix("report.md") })
  }

  /// What shows how someone moved goes with the recordings, and the report says so.
  @Test func aReportWithoutItsRecordingsSaysWhatIsLeftOut() throws {
    let workspace = try project()
    let run = try #require(workspace.names(in: "reports/squat").first { $0 != "latest" })
    #expect(workspace.exists("reports/squat/\(run)/timeline-1.png"))
    try workspace.remove("datasets/squats")
    try workspace.run("report", "--suite", "squat").expectSuccess()
    #expect(!workspace.exists("reports/squat/\(run)/timeline-1.png"))
    #expect(workspace.exists("reports/squat/\(run)/counts.png"))
    let text = try workspace.text("reports/squat/\(run)/report.md")
    #expect(text.contains("can't be replayed: dataset squats no longer has the content of the run.\n"))
    #expect(!text.contains("timeline-"))
  }

  @Test func htmlIsOneFileWithItsPicturesInBothThemesAndTheNumbersOfTheResults() throws {
    let workspace = try project()
    try workspace.run("report", "--html", "--output", "r.html").expectSuccess()
    let html = try workspace.text("r.html")
    // The player's clips and its script, which is the only one that the page lets run.
    #expect(html.components(separatedBy: "<script").count == 3 && html.contains("script-src 'sha256-"))
    #expect(html.contains("\"id\":\"squats/cleo_1\"") && !html.contains("src=\"http") && !html.contains("{{"))
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
    #expect(html.contains("<a href=\"#clip=squats%2Fcleo%5F1\">cleo_1</a>"))
    // The player is in place of the timelines.
    let charts = RunTests.reportFiles.count { $0.hasSuffix(".png") && !$0.hasPrefix("timeline") }
    #expect(html.matches(of: #/(src|srcset)="data:image\/png;base64,iVBOR/#).count == 4 * charts)
    #expect(
      html.contains(
        "<b>WORSE, NOT PROVEN</b>: count.exact of squat-states is worse by 0.333, worse for 1 of 3 people (gain −0.333, 95 % "
      ))
    for metric in try workspace.results().metrics {
      let unit = metric.value == nil ? "" : metric.unit
      let row =
        "<td class=\"number\" data-label=\"value\">\(NumberText.value(metric.value, unit: metric.unit)) \(unit)</td>\n"
        + "<td class=\"number\" data-label=\"95 % interval\">\(NumberText.interval(metric))</td>"
      let name = "<span class=\"quiet\">\(metric.metric)</span> <span class=\"quiet\">\(metric.detector)</span>"
      let part = html.components(separatedBy: name).dropFirst().first?.prefix(2000)
      #expect(part?.contains(row) == true, "\(metric.detector) \(metric.metric)")
    }
  }

  @Test func aTerminalOf80ColumnsShowsAllMetrics() throws {
    let workspace = try project()
    let shown = try PseudoTerminal(columns: 80).show(
      BenchExecutable.command(["report", "--terminal"]), in: workspace.project, environment: ["NO_COLOR": "1"])
    let lines = shown.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 && !$0.hasPrefix("    ") } == [])
    #expect(
      lines.first?.hasPrefix("squat: WORSE, NOT PROVEN: count.exact of squat-states is worse by 0.333, worse") == true)
    let table = lines.drop { !$0.hasPrefix("metric ") }
    for metric in try workspace.results().metrics where metric.isListed {
      // A row's first column is broken between words; the value stands on the row's first line.
      let row = table.drop { !$0.hasPrefix(Metric.plainName(of: metric.metric)) }
      #expect(row.first?.contains(NumberText.value(metric.value, unit: metric.unit)) == true, "\(metric.metric)")
      #expect(row.prefix(3).contains { $0.contains("(\(metric.metric))") }, "\(metric.metric)")
    }
  }

  @Test func thePullRequestFormIsShortAndStartsWithTheVerdict() throws {
    let outcome = try project().run("report", "latest", "--pr")
    outcome.expectSuccess()
    #expect(
      outcome.output.hasPrefix(
        "### squat: WORSE, NOT PROVEN: count.exact of squat-states is worse by 0.333, worse for 1 of 3 people (gain −0.333, "
      ))
    #expect(outcome.output.utf8.count < 5000)
    #expect(outcome.output.contains("bench run --suite squat --set reps.squat-states.bottomAngle=84\n"))
  }

  @Test func theNumbersArePrintedAsJSON() throws {
    let workspace = try project()
    let outcome = try workspace.run("report", "--json")
    outcome.expectSuccess()
    #expect(try outcome.output == workspace.text("reports/squat/latest/results.json"))
  }

  @Test func whatIsNotThereIsSaid() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("report").expectFailure(
      5, "run latest: expected a run in .formbench/store.sqlite, found no runs; make one with: bench run")
    #expect(try workspace.run("report", "--pr", "--html").code == 64)
    #expect(try workspace.run("report", "--output", "x").code == 64)
  }

  @Test func theTrendIsOfTheRunsBefore() throws {
    let workspace = try project()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    // 0.667, then 1.
    let report = try workspace.text("reports/squat/latest/report.md")
    let row =
      #/\n\| squat-states \| exact counts \(count\.exact\) \| 1\.000  \| [0-9. to]+ \| 1\.000 \| unchanged \| 0\.05 \| ▁█ \|\n/#
    #expect(report.contains(row))
  }
}
