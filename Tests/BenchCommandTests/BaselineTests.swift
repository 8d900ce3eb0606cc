import Foundation
import Testing

/// Accepting, showing and comparing baselines, and baselines that cannot be used.
@Suite struct BaselineTests {
  static let file = "baselines/squat.json"

  /// A project whose baseline is of the counter as it is.
  static func accepted(
    _ clips: [SquatClip] = SquatClip.three, suite change: (inout SquatSuite) -> Void = { _ in }
  ) throws -> Workspace {
    try Workspace.withSquats(clips, after: [["baseline", "accept", "--suite", "squat"]], suite: change)
  }

  @Test func acceptWritesWhatGitCanCompare() throws {
    let workspace = try Self.accepted()
    let first = try workspace.text(Self.file)
    #expect(try JSONText(first).hasSortedKeys)
    // A metric a line, and a clip a line.
    #expect(
      first.contains(
        "\n    {\"detector\": \"squat-states\", \"gates\": true, \"margin\": 0.05, \"metric\": \"count.exact\", \"value\": 1, "
      ))
    #expect(first.contains(#/\n    "squats/anna_1": \{.*"squat-states": \{"cases": .*, "count": \d.*\}\},\n/#))
    let again = try workspace.run("baseline", "accept", "--suite", "squat")
    again.expectSuccess()
    #expect(again.output == "Baseline unchanged: baselines/squat.json\n")
    #expect(try workspace.text(Self.file) == first)
    // Nothing beside it, such as a half-written file.
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path("baselines")) == ["squat.json"])
  }

  @Test func acceptSaysWhereItWrote() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("baseline", "accept", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Baseline accepted: exact counts 1.000 of squat-states; 3 clips, "))
  }

  @Test func showTellsDatasetsParametersAndValues() throws {
    let workspace = try Self.accepted()
    let outcome = try workspace.run("baseline", "show", "--suite", "squat")
    outcome.expectSuccess()
    #expect(
      outcome.output.hasPrefix(
        "Baseline of suite squat: exact counts 1.000 of squat-states; 3 clips, 6 metrics\nfile     baselines/squat.json\n"
          + "suite    squat version 1\ndataset  squats sha256:"))
    #expect(outcome.output.contains("detector squat-states bottomAngle=90 cooldown=0.5"))
    #expect(outcome.output.contains(#/\nsquat-states +count\.exact +1\.000 +3 of 3 people\n/#))
  }

  @Test func diffTellsParametersAndCountsThatChangedAndEndsWithZero() throws {
    let workspace = try Self.accepted(SquatClip.twelve)
    let outcome = try workspace.run(
      "baseline", "diff", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    outcome.expectSuccess()
    #expect(outcome.output.contains("changed  squat-states.bottomAngle: 90.0 → 75.0\n"))
    #expect(outcome.output.contains("\n↓ squats/clip_2: squat-states 2 → 0, true 2\n"))
    #expect(outcome.output.contains("REGRESSION"))
  }

  @Test func aBaselineIsOfTheSuitesOwnDatasets() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("baseline", "accept", "--suite", "squat", "--dataset", "squats").expectFailure(
      64, "a baseline needs the suite's own datasets: leave out --dataset")
    #expect(!workspace.exists(Self.file))
  }

  @Test func anAbsentBaselineHoldsAReleaseButNotALook() throws {
    let workspace = try Workspace.withSquats()
    let message =
      "baseline of suite squat: expected the file baselines/squat.json, found no such file; make one with: "
      + "bench baseline accept --suite squat"
    try workspace.run("gate", "--suite", "squat").expectFailure(5, message)
    try workspace.run("baseline", "diff", "--suite", "squat").expectFailure(5, message)
    try workspace.run("baseline", "show", "--suite", "squat").expectFailure(5, message)
    let run = try workspace.run("run", "--suite", "squat")
    run.expectSuccess()
    #expect(
      run.output.contains("verdict  not compared: baseline of suite squat: expected the file baselines/squat.json"))
  }

  @Test func aBaselineOfAnotherFormatVersion() throws {
    let workspace = try Self.accepted()
    try workspace.edit(Self.file) { $0["format"] = 3 }
    let before = try workspace.bytes(Self.file)
    let message = "baselines/squat.json: expected format 2, found format 3, of another version of bench"
    try workspace.run("gate", "--suite", "squat").expectFailure(5, message)
    try workspace.run("baseline", "show", "--suite", "squat").expectFailure(5, message)
    #expect(try workspace.bytes(Self.file) == before)
  }

  /// An unreadable baseline is an error even where an absent one is not: somebody means to be held against it.
  @Test(arguments: [
    ("<<<<<<< ours\n", "a baseline, found text that is not valid JSON"),
    ("{\"format\" : 1}", "a baseline, found the file without "),
    ("", "a baseline, found text that is not valid JSON"), ("[]", "a baseline, found "),
    ("{\"format\" : \"one\"}", "a baseline, found format that is not of type Int"),
  ])
  func anUnreadableBaselineIsNotAnAbsentOne(text: String, words: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(text, to: Self.file)
    let commands = [["gate"], ["baseline", "show"], ["baseline", "diff"], ["run"]]
    for outcome in try workspace.runEach(commands.map { $0 + ["--suite", "squat"] }) {
      outcome.expectFailure(1, saying: ["baselines/squat.json:", " expected \(words)"])
    }
    #expect(try workspace.text(Self.file) == text)
    #expect(workspace.names(in: "reports/squat").isEmpty)
  }

  @Test func aTruncatedBaseline() throws {
    let workspace = try Self.accepted()
    try workspace.write(workspace.bytes(Self.file).dropLast(100), to: Self.file)
    try workspace.run("gate", "--suite", "squat").expectFailure(
      1, saying: ["baselines/squat.json:", " expected a baseline, found text that is not valid JSON"])
  }

  @Test func aBaselineOfAnotherSuite() throws {
    let workspace = try Self.accepted()
    try workspace.edit(Self.file) { $0["suite"] = "lunge" }
    try workspace.run("gate", "--suite", "squat").expectFailure(
      1, "baselines/squat.json: expected a baseline of suite squat, found one of suite lunge")
  }

  @Test func aBaselineOfAnotherSuiteVersion() throws {
    let workspace = try Self.accepted()
    try workspace.replace("version: 1\n", with: "version: 2\n", in: "datasets/suites/squat.yaml")
    try workspace.run("gate", "--suite", "squat").expectFailure(
      5,
      "the baseline used suite version 1, this run used 2; accept a new baseline with: "
        + "bench baseline accept --suite squat"
    )
    let run = try workspace.run("run", "--suite", "squat")
    run.expectSuccess()
    #expect(run.output.contains("verdict  not compared: the baseline used suite version 1, this run used 2"))
  }

  @Test func aBaselineThatCannotBeWritten() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: "baselines")
    try workspace.run("baseline", "accept", "--suite", "squat").expectFailure(
      1, saying: ["baselines/squat.json: expected a writable destination, found "])
    #expect(try workspace.text("baselines") == "")
  }
}
