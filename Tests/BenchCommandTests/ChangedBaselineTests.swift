import Foundation
import Testing

/// What a change did to its baseline, beside the branch that it began at.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct ChangedBaselineTests {
  /// Git has no content of a link: the next change could be compared with nothing.
  @Test func aBaselineBehindALink() throws {
    let project = try GitProject()
    let kept = project.workspace.path("baselines/kept")
    try FileManager.default.moveItem(atPath: project.workspace.path(BaselineTests.file), toPath: kept)
    try FileManager.default.createSymbolicLink(
      atPath: project.workspace.path(BaselineTests.file), withDestinationPath: "kept")
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains("finding baselines/squat.json is a link, of which git keeps no content"), "\(outcome.text)")
  }

  /// The step names the base, once.
  @Test func aBaselineThatDoesNotFitIsAcceptedAgainstTheBase() throws {
    let project = try GitProject()
    try project.workspace.replace("version: 1\n", with: "version: 2\n", in: GitProject.suite)
    let outcome = try project.gate("--against", "main", "--accept-suite-change", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["missing"] as? [String] == ["the baseline used suite version 1, this run used 2"])
    try project.accept("--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A baseline that the change accepted is that of its run, to the clip; one that it left alone is the base's.
  @Test func anAcceptedBaselineIsThatOfTheRun() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 88)
    try project.gate("--against", "main").expectSuccess()
    try project.accept()
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 89)
    let parameters = try project.gate("--against", "main")
    #expect(parameters.code == 5)
    #expect(parameters.output.contains("the baseline has other parameters: squat-states.bottomAngle: 88.0 → 89.0"))
    #expect(
      parameters.output.replacing(#/\n +/#, with: " ").contains(
        "Accept the baseline again with: bench baseline accept --suite squat --against main."))
    try project.set(bottomAngle: 88)
    try project.workspace.edit(BaselineTests.file) { baseline in
      var clips = try #require(baseline["clips"] as? [String: [String: [String: Any]]])
      clips["squats/clip_3"]?["squat-states"]?["count"] = 7
      baseline["clips"] = clips
      var metrics = try #require(baseline["metrics"] as? [[String: Any]])
      metrics[0]["value"] = 0.25
      baseline["metrics"] = metrics
    }
    let edited = try project.gate("--against", "main")
    #expect(edited.code == 5)
    #expect(edited.output.contains("count.exact of squat-states is 0.250 in the baseline, 1.000 in this run"))
    #expect(edited.output.contains("predictions on squats/clip_3 differ from the baseline"))
    try project.workspace.remove(BaselineTests.file)
    let none = try project.gate("--against", "main")
    #expect(none.code == 5)
    #expect(none.output.contains("baseline of suite squat: expected the file baselines/squat.json, found no such"))
  }

  /// A later comparison reads each person's share in a pooled value, and the cases without a prediction.
  @Test(
    arguments: [
      ("without", nil, "each person's share in reps.f1 of squat-states differs between the baseline and this run"),
      (
        "unanswered", 4,
        "reps.f1 of squat-states has 4 cases without a prediction in the baseline, 0 in this run"
      ),
    ] as [(String, Int?, String)])
  func aBaselineThatWasEditedWhereItsValuesStayed(key: String, value: Int?, line: String) throws {
    let project = try GitProject()
    try project.gateFoundReps()
    func edit(_ key: String, to value: Int?) throws {
      try project.workspace.edit(BaselineTests.file) { baseline in
        var metrics = try #require(baseline["metrics"] as? [[String: Any]])
        let place = try #require(metrics.firstIndex { $0["metric"] as? String == "reps.f1" })
        metrics[place][key] = value.map { $0 as Any }
        baseline["metrics"] = metrics
      }
    }
    // Another layout of the same content.
    try edit("note", to: nil)
    try project.gate("--against", "main").expectSuccess()
    try edit(key, to: value)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("MISSING: \(line)"), "\(outcome.text)")
  }

  /// Later comparisons read where a change is worse, and for how many cases a detector predicts nothing.
  @Test(arguments: [
    ("slices", "the baseline has no values of slices"),
    ("countsUnanswered", "the baseline does not say how many labelled cases have no prediction"),
  ])
  func aBaselineThatForgetsWhatLaterGatesRead(key: String, line: String) throws {
    let project = try GitProject()
    try project.workspace.edit(BaselineTests.file) { $0[key] = nil }
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("MISSING: \(line)"), "\(outcome.text)")
    try project.accept("--against", "main")
    try project.gate("--against", "main").expectSuccess()
  }

  /// Who chose a detector's values stays known, unless they are others.
  @Test func aBaselineThatForgetsATuning() throws {
    let project = try GitProject()
    let others: [String: Any] = ["name": "others", "content": "sha256:1", "subjects": ["x", "y"]]
    let tuning: [String: Any] = [
      "detector": "squat-states", "suite": "squat", "suiteVersion": 1, "metric": "count.mae", "datasets": [others],
    ]
    try project.workspace.edit(BaselineTests.file) { $0["tunings"] = [tuning] }
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.gate("--against", "main").expectSuccess()
    try project.workspace.edit(BaselineTests.file) { $0["tunings"] = nil }
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    let words = "squat-states was tuned for count.mae on 2 people of others"
    #expect(outcome.text.contains("MISSING: the baseline forgets that \(words). Accept"), "\(outcome.text)")
    try project.accept("--against", "main")
    #expect(try project.workspace.text(BaselineTests.file).contains("\"tunings\""))
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 88)
    try project.accept("--against", "main")
    let retuned = try project.gate("--against", "main")
    retuned.expectSuccess()
    #expect(retuned.text.contains("finding \(words), and has other parameters now"), "\(retuned.text)")
  }

  /// Main changed its parameters and kept its baseline: a change back is none to the baseline.
  @Test func aBaselineThatMainDidNotRenew() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 95)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.set(bottomAngle: 90)
    let outcome = try project.gate("--against", "main", "--json")
    outcome.expectSuccess()
    let findings = try #require(try JSONText(outcome.output)["findings"] as? [String])
    #expect(findings.contains { $0.contains("(squat-states.bottomAngle: 90 → 95)") }, "\(findings)")
  }

  /// Main's suite sets a parameter no longer, and its baseline was made with it: the default is not the baseline's value.
  @Test func aBaselineWithAParameterThatMainNoLongerSets() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 95)
    try project.accept()
    let setting = "\n  parameters: { bottomAngle: 95 }"
    try project.workspace.replace(setting, with: "", in: GitProject.suite)
    try project.commit()
    try project.git("branch", "-f", "main")
    func finds() throws -> Bool {
      let outcome = try project.gate("--against", "main", "--json")
      outcome.expectSuccess()
      let findings = try #require(try JSONText(outcome.output)["findings"] as? [String])
      return findings.contains { $0.contains("(squat-states.bottomAngle: 95 → 90)") }
    }
    #expect(try finds())
    // A change of code may have changed the default.
    try project.workspace.write("// 1\n", to: "coach.swift")
    try project.git("add", "coach.swift")
    try project.git("commit", "-q", "-m", "code")
    #expect(try !finds())
    // The change back is none to the baseline.
    try project.workspace.replace("- name: squat-states", with: "- name: squat-states\(setting)", in: GitProject.suite)
    #expect(try finds())
  }

  /// Better than the base by more than the margins: stale until the change, or a later one, accepts it.
  @Test func aGainThatNobodyAcceptedIsSaid() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.set(bottomAngle: 90)
    let stale = try project.gate("--against", "main").output.replacing(#/\n +/#, with: " ")
    #expect(
      stale.contains(
        "finding  The baseline is stale: exact counts of squat-states on 12 instead of 0 of 12 clips (and 1 other "
          + "metric), better beyond its margin. Accept it, or the gain can be lost unseen: bench baseline accept"),
      "\(stale)")
    // Accepting would accept what is lost beside the gain.
    let lost = try project.gate("--against", "main", "--set", "form.squat-posture.minimumConfidence=1")
    #expect(lost.code != 0)
    #expect(!lost.output.contains("stale"))
    try project.accept()
    let renewed = try project.gate("--against", "main")
    renewed.expectSuccess()
    #expect(!renewed.output.contains("stale"))
  }
}
