import Foundation
import Testing

/// Colours and progress bars on a terminal, and neither of them anywhere else.
@Suite struct TerminalTests {
  static let escape = "\u{1B}"

  private func show(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let workspace = try Workspace.withSquats()
    return try PseudoTerminal().show(
      BenchExecutable.command(arguments), in: workspace.project, environment: environment)
  }

  @Test func aTerminalGetsColours() throws {
    let shown = try show(["run", "--suite", "squat"])
    #expect(shown.contains("\(Self.escape)[1msuite squat"))
    #expect(shown.contains(Self.escape + "[0m"))
    #expect(shown.contains("verdict"))
  }

  /// no-color.org: "when present and not an empty string (regardless of its value)".
  @Test(arguments: ["1", "0", "false"]) func noColorIsHonoured(value: String) throws {
    let shown = try show(["run", "--suite", "squat"], environment: ["NO_COLOR": value])
    #expect(shown.contains("\nverdict  not compared") && !shown.contains(Self.escape))
  }

  @Test func anEmptyNoColorIsNone() throws {
    #expect(try show(["run", "--suite", "squat"], environment: ["NO_COLOR": ""]).contains(Self.escape))
  }

  @Test func aDumbTerminalGetsNoColours() throws {
    #expect(try !show(["run", "--suite", "squat"], environment: ["TERM": "dumb"]).contains(Self.escape))
  }

  @Test func jsonIsPlainOnATerminalToo() throws {
    let shown = try show(["run", "--suite", "squat", "--json"])
    #expect(try JSONText(shown).hasSortedKeys)
  }

  @Test func textKeepsToTheWidthOfTheTerminal() throws {
    let workspace = try Workspace.withSquats()
    let shown = try PseudoTerminal(columns: 70).show(
      BenchExecutable.command(["run", "--suite", "squat"]), in: workspace.project, environment: ["NO_COLOR": "1"])
    let lines = shown.split(separator: "\n")
    // A table's rows, a content hash and the report's path do not break.
    let long = lines.filter { $0.count > 70 }.filter { !$0.contains("no baseline") && !$0.hasPrefix("dataset") }
    #expect(long == [])
    #expect(lines.contains { $0.hasPrefix("detector squat-states") && $0.count <= 70 })
  }

  /// A command stays on one line, so that it can be copied; a metric's key is never broken.
  @Test(arguments: [
    ["run"], ["run", "--all"], ["run", "--robustness"], ["gate"], ["gate", "--all"],
    ["compare", "--set", "reps.squat-states.bottomAngle=84"],
    ["compare", "--all", "--set", "reps.squat-states.bottomAngle=84"],
    ["sweep", "--sweep", "reps.squat-states.bottomAngle=80,84,114"],
  ])
  func everyTableFits80Columns(arguments: [String]) throws {
    let workspace = try BaselineTests.accepted()
    let outcome = try workspace.run(
      [arguments[0], "--suite", "squat"] + arguments.dropFirst(), environment: ["COLUMNS": "80"])
    outcome.expectSuccess()
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 && !$0.contains("bench ") } == [])
    if arguments.contains("--all"), arguments[0] != "gate" {
      for key in ["count.exact", "count.mae", "reps.timing-error", "grades.mae"] {
        #expect(outcome.output.contains(key), "\(key)")
      }
    }
  }

  /// Another program reads a row as a line, as `awk` does.
  @Test func aTableInAPipeHasALineForEachRow() throws {
    let workspace = try Workspace()
    let outcome = try workspace.run("detector", "list", environment: ["COLUMNS": ""])
    outcome.expectSuccess()
    // After the number of detectors.
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.dropFirst(2).prefix { !$0.isEmpty }
    #expect(table.first?.hasPrefix("detector ") == true && table.count > 20)
    #expect(table.allSatisfy { !$0.hasPrefix(" ") } && table.contains { $0.count > 80 })
  }

  @Test func aPipeGetsNeitherColoursNorProgress() throws {
    let workspace = try BaselineTests.accepted()
    for command in ["run --suite squat", "gate --suite squat", "dataset show squats", "replay anna_1", "--help"] {
      let outcome = try workspace.shell("$bench \(command) 2>../errors | cat; cat ../errors >&2")
      outcome.expectSuccess()
      #expect(!outcome.output.isEmpty)
      // Text and line feeds; no other control characters, of which a progress bar is made.
      let controls = outcome.output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
      #expect(controls.isEmpty, "\(command)")
    }
  }

  /// Work that takes far longer than a second, ended as soon as there is a bar.
  static let longWork = ["dataset", "generate", "--seed", "1", "--subjects", "10000", "--to", "made"]

  @Test func aTerminalGetsAProgressBarAfterASecond() throws {
    let workspace = try Workspace()
    let start = ContinuousClock.now
    let shown = try PseudoTerminal().show(BenchExecutable.command(Self.longWork), in: workspace.project) {
      $0.contains(" left ")
    }
    #expect(shown.contains(#/^\rgenerating [█░]{30} [0-9]+ of 30000, [0-9.]+\/s, [0-9]+ (s|min|h [0-9]+ min) left /#))
    #expect(ContinuousClock.now - start > .seconds(1))
    #expect(workspace.names(in: "made").isEmpty)
  }

  @Test func aPipeGetsNoProgressBarHoweverLongItTakes() throws {
    let workspace = try Workspace()
    let command = Self.longWork.joined(separator: " ")
    let outcome = try workspace.shell("perl -e 'alarm 2; exec @ARGV' $bench \(command) 2>&1 | cat")
    #expect(outcome.output == "")
  }
}
