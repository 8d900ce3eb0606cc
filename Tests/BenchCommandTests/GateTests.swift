import Foundation
import Testing

/// The gate's four verdicts, their exit codes, and that nothing missing ever passes.
@Suite struct GateTests {
  @Test func anUnchangedDetectorPasses() throws {
    let workspace = try BaselineTests.accepted()
    let outcome = try workspace.run("gate", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("verdict  PASS: nothing changed on any gating metric\n"))
    #expect(outcome.output.contains("\npass  unchanged: "))
  }

  @Test func aBetterDetectorPasses() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.metrics = [("squat-states", "count.exact", 0.05)]
    }
    // Nobody gets below 75°: every count was 0, and every subject's share of exact clips is now 1 for 0.
    try workspace.run("baseline", "accept", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
      .expectSuccess()
    let outcome = try workspace.run("gate", "--suite", "squat")
    outcome.expectSuccess()
    let text = outcome.output.replacing(#/\n +/#, with: " ")
    #expect(
      text.contains(
        "verdict  PASS: no gating metric lost more than its margin; the largest gain: exact counts of squat-states are better "
          + "by 1.000: exact on 12 instead of 0 of 12 clips, better for 12 of 12 people (gain +1.000"), "\(text)")
    #expect(
      text.contains(
        ", no loss beyond the margin of 0.050\nfinding  The baseline is stale: exact counts of squat-states "))
  }

  /// Nothing of it gates, and the suite does not even name a metric of it: every subject's share of exact counts falls
  /// from 1 to 0, twice as far as the half that a detector may lose.
  @Test func aDetectorThatNothingGatesIsWatched() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve) { $0.metrics = [("squat-posture", "grades.mae", 3)] }
    let same = try workspace.run("gate", "--suite", "squat")
    same.expectSuccess()
    #expect(same.output.hasPrefix("verdict  PASS: nothing changed on any gating metric\n"))
    let outcome = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(outcome.code == 2)
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "verdict  REGRESSION: squat-states collapsed: exact counts of squat-states 1.000 → 0.000, worse for 12 of 12 people, "
          + "and no metric of squat-states gates"), "\(outcome.output)")
    // The baseline has no clips of it: the step shows one that it gets wrong.
    #expect(
      outcome.text.contains(
        #/next see why, on its worst clip: bench replay clip_\d+ --suite squat --set reps\.squat-states\.bottomAngle=75/#
      ), "\(outcome.text)")
    // One of twelve lost its count: no collapse, but no "nothing changed" either.
    var clips = SquatClip.twelve
    clips[0].squats = [SquatClip.justDeepEnough, SquatClip.deep]
    let few = try BaselineTests.accepted(clips) { $0.metrics = [("squat-posture", "grades.mae", 3)] }
    let less = try few.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84")
    less.expectSuccess()
    #expect(
      less.output.replacing(#/\n +/#, with: " ").hasPrefix(
        "verdict  PASS: no gating metric changed, but exact counts of squat-states 1.000 → 0.917 changed, without gating\n"
      ))
  }

  @Test func aWorseDetectorIsARegression() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve)
    let outcome = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(outcome.code == 2)
    #expect(outcome.error == "")
    // Every subject's share of exact clips falls from 1 to 0.
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "verdict  REGRESSION: exact counts of squat-states are worse by 1.000: exact on 0 instead of 12 of 12 clips, "
          + "worse for 12 of 12 people (gain"))
    #expect(outcome.output.contains("changed  squat-states.bottomAngle: 90.0 → 75.0\n"))
    #expect(outcome.output.contains("\n↓ squats/clip_1: squat-states 2 → 0, true 2\n"))
    // The cause stands above the metrics. The deep squats go to 80.5° or 86.5°, clip_1's to 80.5°.
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        #/\nwhy      squats/clip_1: 2 reps, such as rep 1: knee angle bottomed at 8[01]°, needs < 75° \(bottomAngle\)\nnext     see why, on the clip that lost most: /#
      ))
    #expect(
      outcome.output.contains("\nregression  exact counts (count.exact of squat-states) 1.000 → 0.000, gain −1.000 "))
  }

  /// A metric of all clips together gates by each subject's share in its gain: nobody's reps are found any more.
  @Test func aMetricOfAllClipsGates() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve) {
      $0.metrics = [("squat-states", "reps.f1", 0.05)]
    }
    let outcome = try workspace.run(
      "gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75", "--json")
    #expect(outcome.code == 2)
    let metrics = try #require(try JSONText(outcome.output)["metrics"] as? [[String: Any]])
    #expect(metrics.compactMap { $0["isPooled"] as? Bool } == [true])
    #expect(metrics.compactMap { $0["outcome"] as? String } == ["regression"])
    #expect(metrics.compactMap { $0["worse"] as? Int } == [12])
  }

  /// At 84° only cleo's squat, which goes to 86.5°, is lost. Gains of 0, 0 and −1, and one more of 0: t above −0.05 is
  /// (0.05 − 0.25) / 0.25 = −0.8, and t(3) has 75.9 % above it.
  @Test(
    arguments: [
      ("0.75", 3, "it stops: the suite stops above 75 %"), ("0.76", 0, "it passes: the suite stops above 76 %"),
    ] as [(String, Int32, String)])
  func aLikelyLossIsTheSuitesToStop(limit: String, code: Int32, words: String) throws {
    let workspace = try BaselineTests.accepted { $0.stopAt = limit }
    let outcome = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84")
    #expect(outcome.code == code)
    #expect(outcome.error == "")
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "verdict  MAYBE WORSE: exact counts of squat-states are worse by 0.333: exact on 2 instead of 3 of 3 clips, "
          + "worse for 1 of 3"))
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "76 % likely to be worse by more than 0.050; 3 people are too few: a regression needs 5, a pass 10; and 1 more; "
          + "\(words)"))
    #expect(outcome.output.contains("\n↓ squats/cleo_1: squat-states 1 → 0, true 1\n"))
    #expect(!outcome.output.contains("squats/anna_1"))
  }

  /// A metric that the detector no longer gives is part of the loss: nothing is missing, and no policy lets it pass.
  @Test func aMetricThatHasLostItsValueIsWorse() throws {
    let workspace = try BaselineTests.accepted {
      ($0.metrics, $0.stopAt) = ([("squat-states", "reps.timing-error", 10)], "1")
    }
    let none = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(none.code == 3)
    #expect(none.output.contains("verdict  MAYBE WORSE: rep timing error of squat-states no longer has a value"))
    let one = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84")
    #expect(one.code == 3)
    #expect(
      one.output.replacing(#/\n +/#, with: " ").contains(
        "is no longer defined for squats/cleo, counted as the worst loss; it is on average unchanged, worse for 1 of 3")
    )
  }

  @Test func aSuiteWithoutAGatingMetricIsMissing() throws {
    let workspace = try BaselineTests.accepted { $0.metrics = [("squat-states", "count.exact", nil)] }
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("verdict  MISSING: the suite has no metric that gates"))
  }

  @Test(
    arguments: [
      ([], 0, "pass"), (["reps.squat-states.bottomAngle=75"], 2, "regression"),
      (["reps.squat-states.bottomAngle=84"], 3, "maybe-worse"),
    ] as [([String], Int32, String)])
  func theVerdictAsJSON(assignments: [String], code: Int32, verdict: String) throws {
    // One of twelve goes to 86.5° only, and is lost at 84°.
    var clips = SquatClip.twelve
    clips[0].squats = [SquatClip.justDeepEnough, SquatClip.deep]
    let workspace = try BaselineTests.accepted(clips)
    let outcome = try workspace.run(["gate", "--suite", "squat", "--json"] + assignments.flatMap { ["--set", $0] })
    #expect(outcome.code == code)
    #expect(outcome.error == "")
    let json = try JSONText(outcome.output)
    #expect(json.hasSortedKeys)
    #expect(json["verdict"] as? String == verdict)
    #expect(json["exitCode"] as? Int == Int(code) && json["stopAt"] as? Double == 0.2)
    let metrics = try #require(json["metrics"] as? [[String: Any]])
    #expect(metrics.compactMap { $0["metric"] as? String } == ["count.exact", "count.mae", "grades.mae"])
    #expect(metrics.compactMap { $0["margin"] as? Double } == [0.05, 0.2, 3])
    #expect(metrics.first?["outcome"] as? String == verdict)
    // Gains of −1 and eleven of 0, and one more of 0: t above −0.05 is 13 / 20 − 1 = −0.35; t(12) has 63.4 % above it.
    #expect(metrics.first?["probabilityOfLoss"] as? Double == (verdict == "maybe-worse" ? 0.63 : nil))
    #expect((json["changedParameters"] as? [String])?.count == assignments.count)
    let counts = verdict == "pass" ? 0 : verdict == "regression" ? 12 : 1
    #expect((json["changedCounts"] as? [String])?.count == counts)
  }

  /// Nothing was accepted yet: that is a verdict too, for machines.
  @Test func aMissingBaselineAsJSON() throws {
    let outcome = try Workspace.withSquats().run("gate", "--suite", "squat", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["verdict"] as? String == "missing" && json["exitCode"] as? Int == 5 && json["format"] as? Int == 1)
    #expect((json["reason"] as? String)?.contains("baselines/squat.json") == true)
    #expect((json["missing"] as? [String])?.count == 1 && (json["metrics"] as? [Any])?.isEmpty == true)
  }

  /// It keeps its run in the store and writes no file.
  @Test func theGateWritesNoFile() throws {
    let workspace = try BaselineTests.accepted()
    let before = try ProjectState(workspace)
    try workspace.run("gate", "--suite", "squat").expectSuccess()
    let after = try ProjectState(workspace)
    #expect(after.files == before.files && after.datasets == before.datasets)
    #expect(after.runs.count == before.runs.count + 1)
  }
}
