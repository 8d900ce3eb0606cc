import Foundation
import Testing

/// What a change did to its suite, beside the branch that it began at.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct ChangedSuiteTests {
  /// What a suite says less is named, does not hide a loss, and is let through only on purpose.
  @Test(arguments: [
    (
      "- { detector: squat-states, metric: count.exact, margin: 0.05, floor: 0.5 }\n", "",
      "count.exact of squat-states no longer gates; at main"
    ),
    (
      "count.exact, margin: 0.05", "count.exact, margin: 5",
      "the margin of count.exact of squat-states is wider: 5 now, 0.05"
    ),
    ("floor: 0.5", "floor: 0.4", "the floor of count.exact of squat-states is looser: 0.4 now, 0.5 at main"),
    (", floor: 0.5", "", "the floor of count.exact of squat-states is looser: none now, 0.5 at main"),
    ("stop_at: 0.2", "stop_at: 1", "stop_at is higher: 1 now, 0.2 at main"),
    ("tolerance_s: 0.5", "tolerance_s: 2", "other matching: end within 2.0 s, end within 0.5 s at main"),
    ("camera: ", "smoothing: median:5\ncamera: ", "other smoothing: median:5, none at main"),
  ])
  func aSuiteThatGatesLess(before: String, after: String, line: String) throws {
    let project = try GitProject(floor: 0.5)
    try project.workspace.replace(before, with: after, in: GitProject.suite)
    try project.accept()
    try project.gate().expectSuccess()
    let missing = try project.gate("--against", "main")
    #expect(missing.code == 5)
    #expect(missing.output.replacing(#/\n +/#, with: " ").contains("missing  \(line)"), "\(missing.output)")
    #expect(missing.output.contains("Accept a change of the suite on purpose with --accept-suite-change."))
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(accepted.output.replacing(#/\n +/#, with: " ").contains("accepted \(line)"))
    // Together with a loss the loss comes first.
    try project.set(bottomAngle: 75)
    try project.accept()
    let worse = try project.gate("--against", "main")
    #expect(worse.code == 2)
    #expect(worse.output.contains("verdict  REGRESSION: exact counts of squat-states are "))
    #expect(worse.output.replacing(#/\n +/#, with: " ").contains("missing  \(line)"))
  }

  @Test func aDetectorThatIsGone() throws {
    let project = try GitProject()
    try project.workspace.replace("- name: squat-posture\n", with: "", in: GitProject.suite)
    try project.workspace.replace(
      "- { detector: squat-posture, metric: grades.mae, margin: 3.0 }\n", with: "", in: GitProject.suite)
    try project.workspace.replace(
      "- { detector: squat-posture, metric: grades.human-mae }\n", with: "", in: GitProject.suite)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  detector squat-posture is no longer in the suite; at main ("))
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(
      accepted.text.contains(
        #/ finding Nothing stops a loss of squat-posture any more in grade error \([0-9.]+\), which gated at main \(/#),
      "\(accepted.text)")
  }

  /// Grades on another criterion are others, also under the detector's old name.
  @Test func aDetectorThatGradesOnAnotherCriterion() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "count.exact", 0.05)]
    }
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
    func declare(_ criterion: String) throws {
      let text = "detector: our-app\npredictions: file\nkind: form\ncounts: on\ncriterion: \(criterion)\n"
      try workspace.write(text, to: "detectors/our-app.yaml")
    }
    try declare("form")
    try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    let project = try GitProject(in: workspace)
    try project.git("add", "detectors")
    try project.git("commit", "-q", "-m", "detectors")
    try project.git("branch", "-f", "main")
    try declare("depth")
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains("MISSING: our-app grades on another criterion: depth, form at main ("), "\(outcome.text)")
  }

  /// A counter that was in the suite takes another one's place: its own values do not say what that was.
  @Test func aDetectorWhoseMetricOnlyAnotherOneHas() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: squat-states", "- name: reps-any", "- name: squat-posture"]
      $0.metrics = [("squat-states", "count.exact", 0.05), ("reps-any", "count.exact", 0.05)]
    }
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let project = try GitProject(in: workspace)
    for line in ["squat-states", "squat-posture"] {
      try workspace.replace("- name: \(line)\n", with: "", in: GitProject.suite)
    }
    try workspace.replace(
      "- { detector: squat-states, metric: count.exact, margin: 0.05 }\n", with: "", in: GitProject.suite)
    try project.accept()
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(
      accepted.text.contains(
        #/ finding Nothing stops a loss of squat-states any more in exact counts \(1\.000; [01]\.[0-9]{3} now of reps-any\), /#
      ), "\(accepted.text)")
    #expect(
      accepted.text.contains(
        "finding squat-posture is no longer in the suite: nothing shows whether it collapses"), "\(accepted.text)")
  }

  /// Main's suite has a fault: the change's own baseline is all there is, and says nothing of a loss.
  @Test func aSuiteThatNobodyCanReadIsAFinding() throws {
    let project = try GitProject()
    let suite = try project.workspace.text(GitProject.suite)
    try project.workspace.write(suite.replacing("matching: ", with: "matchin: "), to: GitProject.suite)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.workspace.write(suite, to: GitProject.suite)
    try project.set(bottomAngle: 75)
    try project.accept()
    #expect(try project.gate("--against", "main").code == 5)
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(accepted.text.contains(#/ finding Nothing is compared with main \([0-9a-f]{7}\): /#), "\(accepted.text)")
    #expect(accepted.text.contains("The change's own baseline hides every loss since then"), "\(accepted.text)")
  }

  /// A metric that gates from now on and is in no baseline is not compared, and does not pass.
  @Test func aNewMetricNeedsABaseline() throws {
    let project = try GitProject()
    try project.workspace.replace(
      "metrics:\n", with: "metrics:\n- { detector: squat-states, metric: count.off-by-one, margin: 0.1 }\n",
      in: GitProject.suite)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "expected metric count.off-by-one of squat-states, found none"))
    try project.accept()
    try project.gate("--against", "main").expectSuccess()
  }

  @Test func aSuiteThatIsNewHasItsOwnBaseline() throws {
    let project = try GitProject()
    let text = try project.workspace.text(GitProject.suite)
    try project.workspace.write(
      text.replacing("suite: squat\n", with: "suite: deep\n"), to: "datasets/suites/deep.yaml")
    try project.workspace.run("baseline", "accept", "--suite", "deep").expectSuccess()
    let new = try project.workspace.run("gate", "--suite", "deep", "--against", "main")
    new.expectSuccess()
    #expect(new.output.contains(#/\n +The suite is new: main \(.{7}\) has none of that name\./#))
    // A new name for an old suite is no way round it.
    try project.workspace.remove(GitProject.suite)
    let renamed = try project.workspace.run("gate", "--suite", "deep", "--against", "main")
    #expect(renamed.code == 5)
    #expect(renamed.output.contains("missing  suite squat is gone; it is at main ("))
    try project.workspace.run("gate", "--suite", "deep", "--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// The gates of the suites that stay name one that is gone.
  @Test func anotherSuiteThatIsGone() throws {
    let project = try GitProject()
    let text = try project.workspace.text(GitProject.suite)
    try project.workspace.write(
      text.replacing("suite: squat\n", with: "suite: deep\n"), to: "datasets/suites/deep.yaml")
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.workspace.remove("datasets/suites/deep.yaml")
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(#/finding suite deep is gone; it is at main \(.{7}\): nothing gates by it any more/#),
      "\(outcome.text)")
  }

  /// Nor does a suite that stays gate as before if its margin is wider; its own gate may not run.
  @Test func anotherSuiteThatGatesLess() throws {
    let project = try GitProject()
    let deep = "datasets/suites/deep.yaml"
    let text = try project.workspace.text(GitProject.suite).replacing("suite: squat\n", with: "suite: deep\n")
    try project.workspace.write(text, to: deep)
    try project.commit()
    try project.git("branch", "-f", "main")
    // A narrower margin gates more.
    try project.workspace.write(text.replacing("margin: 0.05 }", with: "margin: 0.01 }"), to: deep)
    #expect(try !project.gate("--against", "main").text.contains("finding"))
    try project.workspace.write(text.replacing("margin: 0.05 }", with: "margin: 0.5 }"), to: deep)
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(
        #/finding suite deep gates less: the margin of count\.exact of squat-states is wider: 0\.5 now, 0\.05 at main \(.{7}\)\. Only its own gate/#
      ), "\(outcome.text)")
  }

  /// Of a submodule git keeps the commit alone, whose clips the next change is not compared with.
  @Test func aDatasetThatBecomesASubmodule() throws {
    let project = try GitProject()
    try project.git("rm", "-q", "-r", "--cached", "datasets/squats")
    let commit = String(repeating: "1", count: 40)
    try project.git("update-index", "--add", "--cacheinfo", "160000,\(commit),datasets/squats")
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains("finding dataset squats is a submodule, of which git keeps only the commit here"),
      "\(outcome.text)")
  }

  /// Predictions of a detector that no suite declares are compared with those that the base's baseline was accepted on.
  @Test func predictionsOfADetectorThatIsNotInTheSuite() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve)
    func write(reps: Int) throws {
      let rows = SquatClip.twelve.flatMap { clip in
        clip.reps.prefix(reps).map { "\(clip.name),\($0.start.seconds),\($0.end.seconds)\n" }
      }
      try workspace.write("clip,start_s,end_s\n" + rows.joined(), to: "p.csv")
    }
    try write(reps: 2)
    try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    let project = try GitProject(in: workspace)
    let same = try project.gate("--predictions", "p.csv", "--against", "main")
    same.expectSuccess()
    #expect(same.output.hasPrefix("against  the merge base with main ("))
    try write(reps: 1)
    let worse = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(worse.code == 2)
    #expect(worse.output.contains("exact counts of predictions are worse by 1.000"))
    // The step names the files.
    try project.accept("--predictions", "p.csv")
    try write(reps: 2)
    let renewed = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(renewed.code == 5)
    #expect(
      renewed.output.replacing(#/\n +/#, with: " ").contains(
        "with: bench baseline accept --suite squat --predictions p.csv --against main"))
  }
}
