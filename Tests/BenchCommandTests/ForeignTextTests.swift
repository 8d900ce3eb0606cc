import Datasets
import Files
import Foundation
import PoseModel
import Testing

/// Text of datasets, files and labels that a terminal, a browser or a CI runner would obey, in everything that is written.
@Suite struct ForeignTextTests {
  /// A workflow command at its beginning and later, and a turn of the direction of writing.
  private static let line = "::error title=owned::x \u{202E}txt\u{2028} ##[error]z"
  /// The same on a line of its own, which only captions may have.
  private static let hostile = "x\n\(line)\ny"

  /// A project with such text wherever a dataset may have text, and a baseline.
  private func project() throws -> Workspace {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.manifest.version = Self.hostile
    dataset.manifest.licence = Self.hostile
    dataset.manifest.source = Self.hostile
    dataset.manifest.caveat = Self.hostile
    dataset.manifest.criteria.append(Manifest.Criterion(name: Self.line, minimum: 0, maximum: 100))
    for index in dataset.clips.indices {
      dataset.clips[index].labels.grades = dataset.clips[index].labels.grades.flatMap { grade in
        ["form", Self.line].map {
          GroundTruth.Grade(rep: grade.rep, rater: Self.line + grade.rater, criterion: $0, value: grade.value)
        }
      }
      dataset.clips[index].labels.faults = [
        GroundTruth.Fault(rep: 0, rater: Self.line + "dora", name: Self.line, present: true)
      ]
      dataset.clips[index].labels.events = [
        LabelledInstant(time: Microseconds(1_000_000), label: Self.line)
      ]
      dataset.clips[index].info.subject = Self.line + dataset.clips[index].info.subject
      dataset.clips[index].info.view = Self.line
    }
    try workspace.write(SquatSuite(content: workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
    return workspace
  }

  /// Expects that nothing of a text is obeyed: as a terminal, and line by line as a runner.
  private func expectHarmless(_ text: String, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    let shown = text.unicodeScalars.first { $0 != "\n" && String($0).visible != String($0) }
    #expect(shown == nil, comment, sourceLocation: sourceLocation)
    let commands = text.split(separator: "\n").filter {
      $0.drop { $0.isWhitespace }.hasPrefix("::") || $0.contains("##[") || $0.contains("##vso[")
    }
    #expect(commands == [], comment, sourceLocation: sourceLocation)
  }

  @Test func nothingOfItIsObeyed() throws {
    let workspace = try project()
    let commands = [
      ["baseline", "accept", "--suite", "squat"], ["run", "--suite", "squat", "--all"],
      ["gate", "--suite", "squat", "--junit", "out/j.xml", "--bencher", "out/b.json"],
      ["report", "--terminal"], ["report", "--pr"], ["report", "--html", "--output", "out/r.html"],
      ["report", "--json"],
      ["dataset", "list"], ["dataset", "show", "squats"], ["dataset", "check", "squats"],
      ["dataset", "check", "squats", "--json"], ["history", "list"], ["history", "export", "--csv"],
      ["history", "export", "--json", "--by", "subject"], ["agreement", "raters", "squats", "--criterion", "form"],
      ["agreement", "raters", "squats", "--criterion", "form", "--json"], ["replay", "anna_1"],
      ["replay", "anna_1", "--json"], ["baseline", "show", "--suite", "squat"],
    ]
    for (command, outcome) in zip(commands, try workspace.runEach(commands, environment: ["COLUMNS": "40"])) {
      #expect([0, 2, 3].contains(outcome.code), "\(command): \(outcome.error)")
      expectHarmless(outcome.output, "\(command)")
      expectHarmless(outcome.error, "\(command)")
      if command.contains("--json") {
        #expect(throws: Never.self, "\(command)") {
          try JSONSerialization.jsonObject(with: Data(outcome.output.utf8), options: .fragmentsAllowed)
        }
      }
    }
    for (name, bytes) in try ProjectState.files(workspace.project)
    where ["md", "html", "json", "xml"].contains((name as NSString).pathExtension) && !name.hasPrefix("datasets/") {
      expectHarmless(String(decoding: bytes, as: UTF8.self), "\(name)")
    }
    // JSON says what the dataset says.
    let results = try workspace.text("reports/squat/latest/results.json")
    let cards = try #require(try JSONText(results)["datasets"] as? [[String: Any]])
    #expect(cards.first?["caveat"] as? String == Self.hostile)
  }

  /// Colours are the program's own only.
  @Test func aTerminalObeysNothingOfItEither() throws {
    let workspace = try project()
    // The path of an export may have any character, and the log keeps it.
    try workspace.run("dataset", "export", "squats", "--to", "a\u{1B}[31mred\u{1B}]0;title\u{7}\n::error::b")
      .expectSuccess()
    for command in [["dataset", "show", "squats"], ["dataset", "log"]] {
      let shown = try PseudoTerminal().show(BenchExecutable.command(command), in: workspace.project)
      #expect(shown.contains("\u{1B}[1m") == (command[1] != "log"), "\(command)")
      #expect(!shown.contains("\u{1B}[31mred") && !shown.contains("\u{7}") && !shown.contains("\u{202E}"), "\(command)")
      #expect(!shown.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(command)")
    }
  }

  @Test(arguments: [[String: String](), ["GITHUB_ACTIONS": "true"]])
  func namesOfFilesInErrors(environment: [String: String]) throws {
    let workspace = try Workspace.withSquats()
    let name = "a\n::error title=owned::\u{1B}[31m\u{202E}b"
    let commands = [
      ["dataset", "import", "--from", name], ["score", "--suite", "squat", "--predictions", name],
      ["gate", "--suite", name], ["exercise", "check", name], ["dataset", "show", name], ["replay", name], [name],
      ["run", "--suite", "squat", "--dataset", name, "--store", "\(name).sqlite"], ["run", "--\(name)"],
    ]
    for (command, outcome) in zip(commands, try workspace.runEach(commands, environment: environment)) {
      #expect(outcome.code != 0)
      let lines = outcome.error.split(separator: "\n").filter { !$0.hasPrefix("::error title=MISSING%3A gate a%0A") }
      expectHarmless(lines.joined(separator: "\n"), "\(command)")
      #expect(outcome.error.split(separator: "\n").count { $0.hasPrefix("::") } <= 1)
    }
  }
}
