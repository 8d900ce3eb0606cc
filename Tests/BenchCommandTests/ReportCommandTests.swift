import Evaluation
import Foundation
import Reports
import Scoring
import Statistics
import Testing

/// Reports of runs that were kept, in each form.
@Suite struct ReportCommandTests {
  @Test func theReportOfAKeptRunIsTheSameAgain() throws {
    let workspace = try ReportTests.project()
    let before = try ProjectState.files(workspace.path("reports"))
    let outcome = try workspace.run("report")
    outcome.expectSuccess()
    #expect(
      outcome.output.contains(
        #/^Exact counts on 2 instead of 3 of 3 clips.*\.\nreport   reports\/squat\/[0-9TZ-]+\/report\.md\n$/#))
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
    let workspace = try ReportTests.project()
    let run = try #require(workspace.names(in: "reports/squat").first { $0 != "latest" })
    let moving = ["timeline-1.png", "timeline-1-dark.png", "broke.png"]
    for file in moving { #expect(workspace.exists("reports/squat/\(run)/\(file)"), "\(file)") }
    try workspace.remove("datasets/squats")
    try workspace.run("report", "--suite", "squat").expectSuccess()
    for file in moving { #expect(!workspace.exists("reports/squat/\(run)/\(file)"), "\(file)") }
    #expect(workspace.exists("reports/squat/\(run)/counts.png"))
    let text = try workspace.text("reports/squat/\(run)/report.md")
    #expect(text.contains("were changed or removed since the run: dataset squats.\n"))
    #expect(!text.contains("timeline-") && !text.contains("broke.png"))
  }

  @Test func htmlIsOneFileWithItsPicturesInBothThemesAndTheNumbersOfTheResults() throws {
    let workspace = try ReportTests.project()
    let html = try workspace.text("r.html")
    // The player's clips, its script and that of the tables, which are the only ones that the page lets run.
    #expect(html.components(separatedBy: "<script").count == 4)
    let scripts = try PageScripts(html)
    #expect(scripts.hashes.count == 2 && scripts.allowed == scripts.hashes)
    for title in ["got worse: cleo_1: counted 0, true 1, missed 1, invented 0", "typical side view: bert_1"] {
      #expect(html.contains("\"title\":\"\(title)\""), "\(title)")
    }
    // Counts and grades can be read as text; the people who changed stand in a table of their own.
    #expect(html.components(separatedBy: "<details><summary>The same as text</summary>").count == 3)
    let cells = ["0", "−1", "1", "cleo_1", ""].map { "<td>\($0)</td>" }.joined()
    #expect(html.contains("<tr><th scope=\"row\">1</th>\(cells)</tr>"))
    #expect(html.contains("\"id\":\"squats/cleo_1\"") && !html.contains("src=\"http") && !html.contains("{{"))
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
    #expect(html.contains("<a href=\"#clip=squats%2Fcleo%5F1\">cleo_1</a>"))
    // The player is in place of the timelines. Three pictures explain, on a phone and on a desktop in both themes: who
    // changed, counts and grades.
    #expect(html.matches(of: #/(src|srcset)="data:image\/png;base64,iVBOR/#).count == 12)
    #expect(html.matches(of: #/<source media="screen and \(min-width: 60rem\)[^>]* width="1200" /#).count == 6)
    #expect(html.contains("<b>MAYBE WORSE</b>: \(ReportTests.finding)</h1>"))
    let first = try #require(html.range(of: "<h2"))
    let alternative = "alt=\"Exact counts better for none of 3 people, worse for 1: Exact counts of squat-states"
    for part in ["id=\"player\"", alternative] {
      #expect(html.range(of: part).map { $0.upperBound < first.lowerBound } == true, "\(part)")
    }
  }

  /// What a screen reader and a keyboard need: a name for each column and row, a table that keeps its roles on a narrow
  /// page, and a place to scroll it from.
  @Test func tablesKeepTheirMeaning() throws {
    let workspace = try ReportTests.project()
    let html = try workspace.text("r.html")
    let tables = html.matches(of: /<div class="scroll" role="region" aria-label="[^"]+" tabindex="0"><table/).count
    #expect(tables > 4 && html.matches(of: /<table/).count == tables)
    #expect(html.matches(of: /<tr[^>]*><t[^h]/).isEmpty && html.contains("<th scope=\"col\">clip</th>"))
    #expect(!html.contains(#/(?:table|tbody|tr|td|th)[^{}\n]*\{[^}]*display: (?:block|grid)/#))
    #expect(html.contains("<tr data-wrong data-changed data-view=\"side\" data-person=\"squats/cleo\">"))
    #expect(html.matches(of: /<tr data-view="side" data-person="squats\/(anna|bert)">/).count == 2)
  }

  /// From a metric to its people, from a person to the clips, from a clip to the rep: cleo turns 28 frames after a second.
  @Test func everyMetricLeadsToTheRep() throws {
    let workspace = try ReportTests.project()
    let html = try workspace.text("r.html")
    #expect(
      html.contains("<th scope=\"row\"><a href=\"#each-person\">exact counts (count.exact) of squat-states</a></th>"))
    #expect(html.contains("<details class=\"printed\" id=\"each-person\">"))
    #expect(html.contains("<th scope=\"row\"><a href=\"#person=squats%2Fcleo\">cleo</a></th><td>1.000 → 0.000</td>"))
    #expect(html.contains("<a href=\"#clip=squats%2Fcleo%5F1\">cleo_1</a>"))
    #expect(html.contains("<a href=\"#clip=squats%2Fcleo%5F1&amp;t=1.93\">rep 1: knee angle"))
    // Bert's, of the two right clips the longer one, is in the player too, and anna's is not.
    #expect(html.contains("<th scope=\"row\"><a href=\"#clip=squats%2Fbert%5F1\">bert_1</a></th>"))
    #expect(html.contains("<th scope=\"row\">anna_1</th>"))
  }

  /// The baseline missed cleo's one squat, and now it is counted: nothing broke.
  @Test func aBetterClipIsSaidToBeOne() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("baseline", "accept", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84")
      .expectSuccess()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(!workspace.exists("reports/squat/latest/broke.png"))
    let report = try workspace.text("reports/squat/latest/report.md")
    #expect(!report.contains("broke.png") && !report.contains("Look first at"))
    #expect(report.contains("Counts right on 3 of 3 clips, 1 more than in the baseline (2)."))
    #expect(report.contains("counted 0 → 1, true 1, closer |"))
    try workspace.run("report", "--html", "--output", "r.html").expectSuccess()
    let html = try workspace.text("r.html")
    #expect(html.contains("\"title\":\"got better: cleo_1\""))
    // On the clips of one rep, hers alone, the share of exact counts rose from 0 to 1, and the error fell.
    for (metric, before, now) in [
      ("exact counts (count.exact)", "0.000", "1.000"), ("count error (count.mae)", "1.000", "0.000 reps"),
    ] {
      let cells = "<td>\(metric) of squat-states</td><td>\(before)</td><td>\(now)</td><td class=\"gain\">+1.000</td>"
      #expect(html.contains("<tr><th scope=\"row\">1</th>\(cells)"), "\(metric)")
    }
  }

  @Test func aTerminalOf80ColumnsShowsAllMetrics() throws {
    let workspace = try ReportTests.project()
    let shown = try PseudoTerminal(columns: 80).show(
      BenchExecutable.command(["report", "--terminal"]), in: workspace.project, environment: ["NO_COLOR": "1"])
    let lines = shown.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 && !$0.hasPrefix("    ") } == [])
    #expect(
      lines.first?.hasPrefix("squat: MAYBE WORSE: exact counts on 2 instead of 3 of 3 clips") == true)
    let table = lines.drop { !$0.hasPrefix("metric ") }
    for metric in try workspace.results().metrics where metric.isListed {
      // A row's first column is broken between words; the value stands on the row's first line.
      let row = table.drop { !$0.hasPrefix(Metric.plainName(of: metric.metric)) }
      #expect(row.first?.contains(NumberText.value(metric.value, unit: metric.unit)) == true, "\(metric.metric)")
      #expect(row.prefix(3).contains { $0.contains("(\(metric.metric))") }, "\(metric.metric)")
    }
  }

  @Test func thePullRequestFormIsShortAndStartsWithTheVerdict() throws {
    let outcome = try ReportTests.project().run("report", "latest", "--pr")
    outcome.expectSuccess()
    #expect(
      outcome.output.hasPrefix(
        "### squat: MAYBE WORSE: \(ReportTests.finding)\n"))
    #expect(outcome.output.utf8.count < 5000)
    #expect(outcome.output.contains("bench run --suite squat --set reps.squat-states.bottomAngle=84\n"))
    #expect(outcome.output.split(whereSeparator: \.isWhitespace).count < 650)
    let shown = try ReportTests.project().run("report", "latest", "--pr", "--animation", "https://example.org/a_b.png")
      .output
    #expect(
      shown.contains(#/\n!\[cleo_1: counted 1 before, 0 now, 1 labelled\]\(https:\/\/example\.org\/a\\?_b\.png\)\n/#),
      "\(shown)")
    #expect(!shown.contains("broke.png"))
  }

  @Test func theNumbersArePrintedAsJSON() throws {
    let workspace = try ReportTests.project()
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
    let workspace = try ReportTests.project()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    // 0.667, then 1.
    let report = try workspace.text("reports/squat/latest/report.md")
    let row =
      #/\n\| exact counts \(count\.exact\) of squat-states \| 1\.000 \([0-9. to]+\) ▁█ \| 0\.05 \|\n/#
    #expect(report.contains(row))
  }
}
