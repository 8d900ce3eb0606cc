import Foundation
import Testing

/// What a change lost beside the branch that it began at, and what it accepted on purpose.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct AcceptedLossTests {
  @Test func aLossThatTheChangeAcceptsIsARegression() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    // Beside its own baseline nothing has changed.
    try project.gate().expectSuccess()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains(#/^against  the merge base with main \([0-9a-f]{7}\)\n/#))
    #expect(outcome.output.contains("verdict  REGRESSION: exact counts of squat-states are worse by 1.000"))
    #expect(outcome.output.contains("changed  squat-states.bottomAngle: 90.0 → 75.0\n"))
    #expect(
      outcome.output.contains("If the loss is intended: bench baseline accept --suite squat --against main --because …")
    )
    // The comment on a pull request gives the same advice.
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.contains("say why: bench baseline accept --suite squat --against main --because …"))
  }

  @Test func aLossWithAReasonIsAnAcceptedLoss() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    let accepted = try project.accept("--because", GitProject.reason)
    #expect(
      accepted.output.contains(
        "accepted exact counts of squat-states 1.000 → 0.000, a loss of 1.000: \"\(GitProject.reason)\"\n"))
    let outcome = try project.gate("--against", "main", "--junit", "j.xml", "--json")
    outcome.expectSuccess()
    let json = try JSONText(outcome.output)
    #expect(json["verdict"] as? String == "accepted-loss" && json["exitCode"] as? Int == 0)
    let metrics = try #require(json["metrics"] as? [[String: Any]])
    #expect(metrics.compactMap { $0["outcome"] as? String } == ["accepted-loss", "accepted-loss", "pass"])
    let xml = try project.workspace.text("j.xml")
    #expect(xml.contains("failures=\"0\" errors=\"0\" skipped=\"0\"") && xml.contains(GitProject.reason))
    // The comment says what the gate decided, which the baseline alone does not tell.
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.hasPrefix("### squat: ACCEPTED LOSS: ") && !comment.contains("Hold the release"), "\(comment)")
    let text = try project.gate("--against", "main")
    #expect(
      text.output.replacing(#/\n +/#, with: " ").contains(
        "verdict  ACCEPTED LOSS: exact counts of squat-states are worse by 1.000, accepted because \"\(GitProject.reason)\"; and 1 more\n"
      ))
    let shown = try project.workspace.run("baseline", "show", "--suite", "squat").output
    #expect(shown.contains("accepted count error of squat-"))
  }

  /// What was accepted is a step from one value by so much.
  @Test func aLargerLossThanWasAcceptedIsARegression() throws {
    let project = try GitProject()
    // Of two squats the one that goes to 86.5° is lost: off by one.
    try project.set(bottomAngle: 84)
    try project.accept("--because", GitProject.reason)
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("REGRESSION: count error of squat-states is worse by 2.000 reps"))
    // The second step has a reason too, whether it is told from the first or from the base.
    try project.set(bottomAngle: 84)
    try project.accept("--because", GitProject.reason, "--against", "main")
    try project.set(bottomAngle: 75)
    try project.accept("--because", "And no deep ones")
    let both = try project.gate("--against", "main")
    both.expectSuccess()
    #expect(
      both.output.contains(
        "\naccepted loss  count error (count.mae of squat-states) 0.000 → 2.000 reps, margin 0.2\n"))
    let record = try JSONText(try project.gate("--against", "main", "--json").output)
    let reasons = (record["metrics"] as? [[String: Any]])?.compactMap { $0["reason"] as? String } ?? []
    #expect(reasons[1].hasSuffix("is worse by 2.000 reps, accepted because \"\(GitProject.reason); And no deep ones\""))
  }

  /// A value below its floor is no loss that a reason lets through: the floor is the suite's to set.
  @Test func aReasonIsNoWayBelowAFloor() throws {
    let project = try GitProject(floor: 0.5)
    try project.set(bottomAngle: 75)
    try project.accept("--because", GitProject.reason)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(
      outcome.output.contains("REGRESSION: exact counts of squat-states are 0.000, worse than its floor of 0.500"))
    try project.workspace.replace(", floor: 0.5", with: "", in: GitProject.suite)
    try project.accept("--because", GitProject.reason, "--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A baseline that was accepted without a reason, and is given one later.
  @Test func aReasonThatIsGivenLater() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    let nothing = try project.accept("--because", GitProject.reason)
    #expect(nothing.output.contains("no gating metric is worse: the reason was not recorded\n"))
    #expect(try project.gate("--against", "main").code == 2)
    try project.accept("--because", GitProject.reason, "--against", "main")
    try project.gate("--against", "main").expectSuccess()
  }

  /// A loss that is accepted in the baseline is that of its run: a larger one would let a later loss through.
  @Test func aLossThatWasAcceptedAndIsSmallerNow() throws {
    let project = try GitProject()
    func acceptedLosses() throws -> Bool { try project.workspace.text(BaselineTests.file).contains("acceptedLosses") }
    try project.set(bottomAngle: 75)
    try project.accept("--because", GitProject.reason)
    try project.set(bottomAngle: 84)
    try project.accept("--against", "main")
    let larger = try project.gate("--against", "main")
    #expect(larger.code == 5)
    #expect(
      larger.text.contains(
        "MISSING: the baseline accepts a loss of 2.000 for count.mae of squat-states, this run shows 1.000. Accept the "
          + "baseline again with: bench baseline accept --suite squat --against main --because …"), "\(larger.text)")
    try project.accept("--because", GitProject.reason, "--against", "main")
    try project.gate("--against", "main").expectSuccess()
    #expect(try acceptedLosses())
    // Without a loss nothing is accepted any more.
    try project.set(bottomAngle: 90)
    try project.accept("--because", GitProject.reason, "--against", "main")
    #expect(try !acceptedLosses())
    try project.gate("--against", "main").expectSuccess()
  }

  /// What is accepted without a reason is listed, and is no way past the gate.
  @Test func aLossThatIsAcceptedWithoutAReasonIsSaid() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    for (options, ref) in [([], "origin/main"), (["--against", "main"], "main")] as [([String], String)] {
      try project.git("checkout", "-q", "main", "--", "baselines")
      let outcome = try project.workspace.run(["baseline", "accept", "--suite", "squat"] + options)
      outcome.expectSuccess()
      let text = outcome.text
      #expect(text.contains("worse exact counts of squat-states are worse by 1.000: "), "\(text)")
      #expect(text.contains("worse for 12 of 12 people"), "\(text)")
      #expect(
        text.contains(" bench gate --suite squat --against \(ref) stops this. If the loss is intended: "), "\(text)")
    }
    // What was not lost is not listed.
    try project.set(bottomAngle: 90)
    let back = try project.accept("--against", "main")
    #expect(!back.output.contains("worse"), "\(back.output)")
  }

  /// On the branch that it was merged into, an accepted loss is the past: it lets no other one through.
  @Test func anOldReasonHoldsForNothingNew() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 84)
    try project.accept("--because", GitProject.reason)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("REGRESSION: count error of squat-states is worse by 1.000 reps"))
  }

  @Test func aReasonIsOneShortLine() throws {
    let project = try GitProject()
    for reason in ["", "…", "two\nlines", String(repeating: "a", count: 301)] {
      try project.workspace.run("baseline", "accept", "--suite", "squat", "--because", reason).expectFailure(
        64, saying: ["--because: expected a reason in one line of at most 300 characters"])
    }
  }
}
