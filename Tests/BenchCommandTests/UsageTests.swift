import ArgumentParser
import Foundation
import Testing

@testable import BenchCommand

/// Help, version and commands that mean nothing.
@Suite struct UsageTests {
  static let commands = paths(of: BenchCommand.self, [])

  /// A command and its subcommands, by their arguments.
  private static func paths(of command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    [path] + command.configuration.subcommands.flatMap { paths(of: $0, path + [$0._commandName]) }
  }

  /// What the program prints and ends with instead of a command, without a process for each.
  private static func said(_ arguments: [String]) throws -> (text: String, code: Int32) {
    // Help is a command of its own, which ends with its text as an error.
    let error = try #require(throws: (any Error).self) {
      var command = try BenchCommand.parseAsRoot(arguments)
      try command.run()
    }
    return (BenchCommand.fullMessage(for: error), BenchCommand.exitCode(for: error).rawValue)
  }

  @Test(arguments: commands) func helpHasAnExampleOfTheCommandItself(command: [String]) throws {
    let help = try Self.said(command + ["--help"])
    #expect(help.code == 0)
    let example = try #require(help.text.range(of: "Example"))
    let name = (["bench"] + command).joined(separator: " ")
    #expect(help.text[example.upperBound...].contains(name))
  }

  @Test(arguments: commands) func anOptionThatThereIsNot(command: [String]) throws {
    let refusal = try Self.said(command + ["--no-such-option"])
    #expect(refusal.code == 64)
    #expect(refusal.text.contains("Error: ") && refusal.text.contains("Usage: bench"))
  }

  @Test func helpReadsNothingAndWritesNothing() throws {
    let workspace = try Workspace()
    let commands = [[], ["dataset"], ["run"], ["dataset", "import"]].map { $0 + ["--help"] }
    for outcome in try workspace.runEach(commands) {
      outcome.expectSuccess()
      #expect(outcome.output.contains("Example"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.project) == ["datasets"])
  }

  @Test func theVersion() throws {
    let outcome = try Workspace().run("--version")
    outcome.expectSuccess()
    #expect(outcome.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test func anUnknownCommand() throws {
    try Workspace().run("runn").expectFailure(
      64, saying: ["Unknown command \"runn\", did you mean run?", "Usage: bench"])
    try Workspace().run("rnu", "--suite", "squat").expectFailure(64, saying: ["\"rnu\", did you mean run?"])
    try Workspace().run("dataset", "lst").expectFailure(
      64, saying: ["\"lst\", did you mean list?", "Usage: bench dataset"])
  }

  @Test func aNegativeNumberAfterAnOption() throws {
    try Workspace().run("power", "--suite", "squat", "--metric", "count.mae", "--loss", "-1").expectFailure(
      64, saying: ["--loss takes a number above 0, found -1.0"])
  }

  @Test func aFamilyOfMetrics() throws {
    try Workspace().run("metric", "show", "cues").expectFailure(
      5, saying: ["metric cues: expected a metric (see: bench metric list), found the family of cues."])
  }

  @Test func anOptionThatIsMissingOrUnknown() throws {
    try Workspace().run("run").expectFailure(64, saying: ["--suite"])
    try Workspace().run("run", "--suite", "squat", "--jbos", "2").expectFailure(64, saying: ["--jbos"])
  }

  @Test(arguments: ["0", "-1", "two"]) func jobsThatAreNoNumberFromOne(jobs: String) throws {
    try Workspace.withSquats().run("run", "--suite", "squat", "--jobs=\(jobs)").expectFailure(
      64, saying: ["--jobs", jobs])
  }

  @Test(arguments: [
    (
      "reps.squat-states.bottomAngel=80",
      [
        "reps.squat-states.bottomAngel=80: expected one of reps.squat-states's parameters standingAngle, bottomAngle",
        "found \"bottomAngel\", did you mean bottomAngle?",
      ]
    ),
    (
      "reps.squat-states.bottomAngle=9",
      ["reps.squat-states.bottomAngle=9: bottomAngle takes 20.0 to 170.0 degrees, found 9.0"]
    ),
    ("reps.squat-states.bottomAngle=low", ["expected a number, found low"]),
    ("reps.squat-states.bottomAngle=nan", ["expected a number, found nan"]),
    ("reps.squat-states.usesDepth=2", ["expected on or off, found 2"]),
    (
      "reps.squat-state.bottomAngle=80",
      ["reps.squat-states, form.squat-posture", "did you mean reps.squat-states?"]
    ),
    ("bottomAngle=80", ["expected <kind>.<detector>.<parameter>=<value>", "found bottomAngle=80"]),
    ("reps.squat-states.bottomAngle", ["expected <kind>.<detector>.<parameter>=<value>"]),
    // Each is fine alone, but a squat that ends above 150° cannot stay below it.
    ("reps.squat-states.bottomAngle=150", ["bottomAngle + hysteresis (155.0°) must be less than"]),
  ])
  func aParameterThatCannotBeSet(assignment: String, words: [String]) throws {
    let workspace = try BaselineTests.accepted()
    let commands = ["run", "gate"].map { [$0, "--suite", "squat", "--set", assignment] }
    for outcome in try workspace.runEach(commands) { outcome.expectFailure(64, saying: words) }
    #expect(!workspace.exists("reports"))
  }

  @Test func aFormatThatNobodyReads() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "import", "repcount-pos", "--from", "datasets/squats").expectFailure(
      64,
      saying: ["expected one of the formats folder, repcount-pose, ", "\"repcount-pos\", did you mean repcount-pose?"])
  }

  @Test(arguments: ["../mine", ".hidden", "a b"]) func aDatasetNameThatIsNoFileName(name: String) throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("dataset", "import", "folder", "--from", "datasets/squats", "--name=\(name)")
    outcome.expectFailure(64, saying: ["--name", "letters, digits"])
    #expect(try workspace.store().datasets().isEmpty)
  }

  @Test func anUnknownDetectorOnTheCommandLine() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("replay", "anna_1", "--detector", "squat-state").expectFailure(
      5, saying: ["detector squat-state: expected one that bench detector list names", "did you mean squat-states?"])
    try workspace.run("detector", "show", "squat-stats").expectFailure(
      5, saying: ["detector squat-stats: expected ", "did you mean squat-states?"])
  }

  @Test func anUnknownDatasetOnTheCommandLine() throws {
    let workspace = try Workspace.withSquats()
    for command in [["run", "--suite", "squat", "--dataset"], ["dataset", "show"], ["dataset", "remove"]] {
      let outcome = try workspace.run(command + ["squat"])
      outcome.expectFailure(5, saying: ["dataset squat: expected "])
    }
    try workspace.run("dataset", "show", "squast").expectFailure(5, saying: ["did you mean squats?"])
  }

  @Test func oneDatasetTwiceOnTheCommandLine() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("run", "--suite", "squat", "--dataset", "squats", "--dataset", "squats")
    outcome.expectFailure(64, saying: ["squats"])
  }
}
