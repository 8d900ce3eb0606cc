import Foundation
import Testing

/// What `bench dataset check` says, and with which exit code.
@Suite struct DatasetCheckTests {
  @Test func clipsThatAreHardToCoachOnAreNoted() throws {
    let workspace = try Workspace()
    // 30 frames at 30 a second: one second in which nobody squats.
    let short = SquatClip(name: "dora_1", subject: "dora", squats: [])
    try workspace.add(SquatClip.dataset("mine", SquatClip.three + [short]))
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "fitness", "--strict")
    outcome.expectSuccess()
    #expect(outcome.output.contains("datasets/mine: 4 clips of 4 subjects, nothing wrong, 1 note\n"))
    #expect(outcome.output.contains("note  fitness  hard to coach on: 1 of 4 clips\n"))
    #expect(outcome.output.contains("  dora_1: duration 1 s, at least 2\n"))
  }

  /// The three are the same skeleton that moves by the same rule, so that two with a squat in common are one recording.
  @Test func theSameMovementUnderTwoNamesIsFound() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    let outcome = try workspace.run("dataset", "check", "datasets/mine", "--strict")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("warning  near-duplicates  the same recording under two subjects or in two splits"))
    #expect(outcome.output.contains("remedy: leave one of the two out, or give both the same subject and split"))
    #expect(!outcome.output.contains("threshold: "))
    try workspace.run("dataset", "check", "datasets/mine").expectSuccess()
    let explained = try workspace.run("dataset", "check", "datasets/mine", "--explain")
    #expect(explained.output.contains("threshold: over at least half of the shorter clip"))
  }

  @Test func anImportedDatasetIsCheckedToo() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.run("dataset", "import", "--from", "incoming/mine").expectSuccess()
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "frame-rate", "--json")
    outcome.expectSuccess()
    let record = try JSONText(outcome.output).object
    #expect(record["dataset"] as? String == "mine")
    #expect(record["clips"] as? Int == 3)
    #expect((record["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func tooFewSubjectsForASuiteAreAProblem() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("dataset", "check", "squats", "--only", "subjects")
    outcome.expectSuccess()
    #expect(outcome.output.contains("suite squat: 3 subjects, and with fewer than 10 no change passes"))
  }

  @Test func anUnknownCheckIsWrongUsage() throws {
    let workspace = try Workspace()
    try workspace.run("dataset", "check", "mine", "--only", "side-swap").expectFailure(
      64, saying: ["--only takes one of rep-times, ", "did you mean side-swaps?"])
  }
}
