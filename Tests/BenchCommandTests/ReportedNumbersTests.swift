import Foundation
import Testing

/// Every number in a report's text is one of `results.json`, in each of its forms.
@Suite struct ReportedNumbersTests {
  /// A project with a report on a detector that lost a count against its baseline.
  private func project() throws -> Workspace {
    let run = ["run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84"]
    return try Workspace.withSquats(after: [["baseline", "accept", "--suite", "squat"], run]) { suite in
      suite.metrics += ["count.off-by-one", "count.nmae", "reps.precision", "reps.recall", "reps.f1"].map {
        ("squat-states", $0, nil)
      }
    }
  }

  private func checked(_ workspace: Workspace) throws -> (numbers: ReportedNumbers, report: String) {
    let folder = "reports/squat/latest"
    return (
      try ReportedNumbers(workspace.bytes("\(folder)/results.json")), try workspace.text("\(folder)/report.md")
    )
  }

  @Test func everyNumberOfTheReportIsOneOfItsResults() throws {
    let (numbers, report) = try checked(project())
    let (wrong, all) = numbers.unexplained(in: report)
    let lines = report.components(separatedBy: "\n")
    #expect(wrong.map { "\($0.text) in: \(lines[$0.line])" } == [])
    #expect(all.count > 100)
  }

  /// A number whose last digit is another is found, wherever it stands. The n-th number of all lines is changed at once,
  /// for each n: lines are held against the results one by one.
  @Test func aNumberThatWasChangedIsFound() throws {
    let (numbers, report) = try checked(project())
    let lines = report.components(separatedBy: "\n")
    let byLine = Dictionary(grouping: numbers.unexplained(in: report).all, by: \.line)
    var (missed, changed): ([String], Int) = ([], 0)
    for position in 0..<(byLine.values.map(\.count).max() ?? 0) {
      var other = lines
      for (line, shown) in byLine where position < shown.count {
        var characters = Array(lines[line])
        let last = shown[position].offset + shown[position].text.count - 1
        let digit = try #require(characters[last].wholeNumberValue)
        characters[last] = Character("\((digit + 5) % 10)")
        other[line] = String(characters)
        changed += 1
      }
      let found = Set(numbers.unexplained(in: other.joined(separator: "\n")).wrong.map(\.line))
      missed += byLine.filter { position < $0.value.count && !found.contains($0.key) }.map { lines[$0.key] }
    }
    #expect(changed > 100)
    #expect(missed == [])
  }

  /// All forms are made of one model: what a terminal and a comment show, the Markdown does. A page has more rows, of the
  /// same results; its player shows clips frame by frame.
  @Test func theOtherFormsHaveNoOtherNumbers() throws {
    let workspace = try project()
    let (numbers, report) = try checked(workspace)
    let known = Set(words(report))
    try workspace.run("report", "--html", "--output", "r.html").expectSuccess()
    let html = try workspace.text("r.html").replacing(#/(?s)<style>.*?<\/style>/#, with: "")
      .replacing(#/(?s)<section id="player".*?<\/section>/#, with: "")
      .replacing(#/(?s)<script.*?<\/script>/#, with: "")
      .replacing(#/(?s)<[^>]*>/#, with: " ")
    for text in [
      html, try workspace.run("report", "--pr").output, try workspace.run("report", "--terminal").output,
    ] {
      let shown = words(text)
      #expect(shown.count > 50)
      #expect(Set(shown).subtracting(known).filter { !numbers.holds($0) } == [])
    }
  }

  private func words(_ text: String) -> [String] {
    text.components(separatedBy: "\n").enumerated().flatMap { index, line in
      ReportedNumbers.numbers(in: line.trimmingCharacters(in: .whitespaces), at: index).map(\.text)
    }
  }
}
