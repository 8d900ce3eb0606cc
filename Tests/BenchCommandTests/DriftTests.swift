import Foundation
import Testing

/// Losses that pass one by one are held against the best baseline.
@Suite struct DriftTests {
  /// Twelve people do a squat to each depth from 80.5° to 89.5°, one every 1.5°: with each step one squat of each is lost.
  private func project() throws -> Workspace {
    let clips = (1...12).map { number in
      SquatClip(name: "clip_\(number)", subject: "subject_\(number)", squats: [30, 29, 28])
    }
    return try BaselineTests.accepted(clips) {
      $0.detectors[0] = "- name: squat-states\n  parameters: { bottomAngle: 90 }"
      $0.metrics = [("squat-states", "count.mae", 1.5)]
    }
  }

  /// The same at 85°, where each person has lost a squat that the margin allows.
  private func lowered() throws -> Workspace {
    try Workspace.shared("drift at 85") {
      let workspace = try project()
      try set(85, workspace)
      try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
      return workspace
    }
  }

  private func set(_ angle: Int, _ workspace: Workspace) throws {
    let suite = try workspace.text("datasets/suites/squat.yaml")
    try workspace.write(
      suite.replacing(#/bottomAngle: \d+/#, with: "bottomAngle: \(angle)"), to: "datasets/suites/squat.yaml")
  }

  private func gate(_ workspace: Workspace) throws -> Outcome { try workspace.run("gate", "--suite", "squat") }

  /// Of squats to 80.5°, 83.5° and 86.5° the angle 85 loses one, 82 two: one rep a step, and two since the best.
  @Test func aSumBeyondTheMarginIsARegression() throws {
    let workspace = try project()
    try set(85, workspace)
    try gate(workspace).expectSuccess()
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try workspace.text("baselines/squat.json").contains("\"best\""))
    // Nothing is lost by this change.
    let same = try gate(workspace)
    same.expectSuccess()
    #expect(!same.output.contains("finding"))
    try set(82, workspace)
    let sum = try gate(workspace)
    #expect(sum.code == 2)
    #expect(
      sum.text.contains(
        "REGRESSION: count error of squat-states 0.000 → 2.000 reps since its best baseline, in several steps, worse for 12 "
          + "of 12 people: more than the margin of 1.500 reps"))
    // A change that adds nothing is not to blame.
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let after = try gate(workspace)
    after.expectSuccess()
    #expect(after.text.contains("finding count error of squat-states 0.000 → 2.000 reps since its best baseline"))
    // Back at the best, there is nothing to keep.
    try set(90, workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try !workspace.text("baselines/squat.json").contains("\"best\""))
  }

  @Test func aLossInWritingBeginsAnew() throws {
    let workspace = try lowered()
    try set(82, workspace)
    try workspace.run("baseline", "accept", "--suite", "squat", "--because", "Deep ones only").expectSuccess()
    #expect(try !workspace.text("baselines/squat.json").contains("\"best\""))
    try gate(workspace).expectSuccess()
  }

  /// What was tried before the first commit passed no gate.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func aDraftHasNoBestValue() throws {
    let workspace = try project()
    try workspace.shell("git init -q").expectSuccess()
    try set(85, workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try !workspace.text("baselines/squat.json").contains("\"best\""))
    _ = try GitProject(in: workspace)
    try set(82, workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try workspace.text("baselines/squat.json").contains("\"best\""))
  }

  /// New people and clips leave the sum on the clips that were there: eleven people lose two reps, and one of two clips of
  /// the twelfth does.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func newClipsForgetNoLoss() throws {
    let workspace = try project()
    let project = try GitProject(in: workspace)
    try set(85, workspace)
    let clips = (1...12).map { number in
      SquatClip(name: "clip_\(number)", subject: "subject_\(number)", squats: [30, 29, 28])
    }
    try project.replaceDataset(
      clips + [
        SquatClip(name: "clip_1b", subject: "subject_1", squats: [SquatClip.deep]),
        SquatClip(name: "clip_13", subject: "subject_13", squats: [SquatClip.deep]),
      ])
    // Without the main branch nobody knows that the data only grew.
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let forgotten = try workspace.run("gate", "--suite", "squat", "--against", "main")
    #expect(forgotten.code == 5)
    #expect(
      forgotten.text.contains("MISSING: the baseline forgets the best value of count.mae of squat-states, 0.000."))
    try workspace.run("baseline", "accept", "--suite", "squat", "--against", "main").expectSuccess()
    try workspace.run("gate", "--suite", "squat", "--against", "main").expectSuccess()
    try project.commit()
    try project.git("branch", "-f", "main")
    try set(82, workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    // (11 · 2 + 1) / 12 reps.
    let sum = try workspace.run("gate", "--suite", "squat", "--against", "main")
    #expect(sum.code == 2)
    #expect(
      sum.text.contains(
        "REGRESSION: count error of squat-states 0.000 → 1.917 reps since its best baseline, in several steps, worse for 12 "
          + "of 12 people: "), "\(sum.text)")
  }

  /// A baseline that was removed and made anew knows no best value; main's does.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func aForgottenBestIsMissing() throws {
    let workspace = try lowered()
    let project = try GitProject(in: workspace)
    try workspace.remove("baselines/squat.json")
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let outcome = try workspace.run("gate", "--suite", "squat", "--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains("MISSING: the baseline forgets the best value of count.mae of squat-states, 0.000."))
    try workspace.run("baseline", "accept", "--suite", "squat", "--against", "main").expectSuccess()
    try project.workspace.run("gate", "--suite", "squat", "--against", "main").expectSuccess()
    // A best value that is worse than main's is forgotten too.
    try workspace.edit(BaselineTests.file) { baseline in
      var best = try #require(baseline["best"] as? [[String: Any]])
      best[0]["values"] = [Double](repeating: 1, count: 12)
      baseline["best"] = best
    }
    let edited = try workspace.run("gate", "--suite", "squat", "--against", "main")
    #expect(edited.code == 5)
    #expect(edited.text.contains("MISSING: the baseline forgets the best value of count.mae of squat-states, 0.000."))
  }

  /// With other clips or a reason the sum begins anew, and not without a word.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func aSumThatBeginsAnewIsAFinding() throws {
    let workspace = try lowered()
    let project = try GitProject(in: workspace)
    try set(82, workspace)
    try project.accept("--because", "Deep ones only", "--against", "main")
    let accepted = try project.gate("--against", "main")
    accepted.expectSuccess()
    #expect(
      accepted.text.contains(
        "finding count error of squat-states 0.000 → 2.000 reps since its best baseline, in several steps, worse for 12 of "
          + "12 people: forgotten, as the last one is accepted because \"Deep ones only\""), "\(accepted.text)")
    try set(85, workspace)
    try project.replaceDataset(
      (1...11).map { SquatClip(name: "clip_\($0)", subject: "subject_\($0)", squats: [30, 29, 28]) })
    try workspace.remove(BaselineTests.file)
    try project.accept()
    let fewer = try project.gate("--against", "main", "--accept-suite-change")
    fewer.expectSuccess()
    #expect(
      fewer.text.contains(
        "finding Earlier small losses are forgotten, as clips or labels are others: count error of squat-states had "
          + "been better"), "\(fewer.text)")
  }
}

/// A suite whose gate is asked again and again while people are recorded.
@Suite struct LooksTests {
  private func project(_ people: Int, in known: Workspace? = nil) throws -> Workspace {
    let workspace = try known ?? Workspace()
    let clips = (1...people).map { number in
      SquatClip(name: "clip_\(number)", subject: "subject_\(number)", squats: [SquatClip.deep])
    }
    try? workspace.remove("datasets/squats")
    let suite = SquatSuite(content: try workspace.add(SquatClip.dataset("squats", clips)))
    try workspace.write(suite.yaml + "looks: any\n", to: "datasets/suites/squat.yaml")
    return workspace
  }

  @Test func theBaselineKeepsWhoWasLookedAt() throws {
    let workspace = try project(6)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try workspace.run("gate", "--suite", "squat").text.contains("looks look 1, at 6 people"))
    // A loss for everybody is no regression yet.
    let early = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(early.code == 3 && early.text.contains("6 people are too few: a regression needs 8, a pass 10"))
    _ = try project(10, in: workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let gate = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(gate.code == 2)
    #expect(gate.text.contains("looks look 2, at 10 people after 6"))
    // Somebody is left out after they were seen.
    _ = try project(9, in: workspace)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let chosen = try workspace.run("gate", "--suite", "squat")
    #expect(chosen.code == 5)
    #expect(chosen.text.contains("MISSING: squats/subject_10 took part in an earlier look and is gone."))
  }

  @Test func anUnknownNumberOfLooksIsAnError() throws {
    let workspace = try project(6)
    try workspace.replace("looks: any", with: "looks: many", in: "datasets/suites/squat.yaml")
    let outcome = try workspace.run("run", "--suite", "squat")
    #expect(outcome.code == 1 && outcome.error.contains("expected one or any for looks, found \"many\""))
  }
}
