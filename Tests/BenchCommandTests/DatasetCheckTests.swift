import Testing

/// What `bench dataset check` says of a dataset that has nothing wrong.
@Suite struct DatasetCheckTests {
  @Test func clipsThatAreHardToCoachOnAreNamed() throws {
    let workspace = try Workspace()
    // 30 frames at 30 a second: one second in which nobody squats.
    let short = SquatClip(name: "dora_1", subject: "dora", squats: [])
    try workspace.add(SquatClip.dataset("mine", SquatClip.three + [short]))
    let outcome = try workspace.run("dataset", "check", "mine")
    outcome.expectSuccess()
    #expect(outcome.output.contains("4 clips, nothing wrong"))
    #expect(outcome.output.contains("hard to coach on: 1 of 4"))
    #expect(outcome.output.contains("dora_1  duration 1 s, at least 2"))
  }

  @Test func clipsThatShowEnoughAreNotMentioned() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    let outcome = try workspace.run("dataset", "check", "mine")
    outcome.expectSuccess()
    #expect(!outcome.output.contains("hard to coach on"))
  }
}
