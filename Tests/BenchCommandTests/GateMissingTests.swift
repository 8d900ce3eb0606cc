import Foundation
import Testing

/// Everything that a gate needs and that may be missing: each ends with 5 and says what.
@Suite struct GateMissingTests {
  private func expectMissing(
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation, after change: (Workspace) throws -> Void
  ) throws {
    let workspace = try BaselineTests.accepted()
    try change(workspace)
    let before = try ProjectState(workspace)
    let outcome = try workspace.run("gate", "--suite", "squat")
    outcome.expectFailure(5, saying: [message], sourceLocation: sourceLocation)
    let after = try ProjectState(workspace)
    #expect(after.files == before.files && after.runs == before.runs, sourceLocation: sourceLocation)
  }

  @Test func aDatasetWhoseContentHasChanged() throws {
    try expectMissing("dataset squats: expected the content that the suite pins, sha256:") {
      try $0.replace("\nanna_1,1,1,3,2\n", with: "\nanna_1,1,1,2.9,2\n", in: "datasets/squats/reps.csv")
    }
  }

  /// A cache of a folder is no dataset: on another machine it would not be there.
  @Test func aDatasetFolderThatIsGone() throws {
    try expectMissing("dataset squats: expected a folder datasets/squats or an imported dataset, found neither") {
      try $0.remove("datasets/squats")
    }
  }

  @Test func aDatasetAndItsStoreThatAreGone() throws {
    try expectMissing("dataset squats: expected a folder datasets/squats or an imported dataset, found neither") {
      try $0.remove("datasets/squats")
      try $0.remove(".formbench")
    }
  }

  @Test func aClipThatTheRunNoLongerHas() throws {
    try expectMissing("clip squats/dave_1: expected a clip of both sides, found it is missing from this run") {
      try $0.edit(BaselineTests.file) { baseline in
        var clips = try #require(baseline["clips"] as? [String: Any])
        clips["squats/dave_1"] = ["squat-states": ["count": 4]]
        baseline["clips"] = clips
      }
    }
  }

  @Test func aClipThatTheBaselineDoesNotHave() throws {
    try expectMissing("clip squats/cleo_1: expected a clip of both sides, found it is missing from the baseline") {
      try $0.edit(BaselineTests.file) { baseline in
        var clips = try #require(baseline["clips"] as? [String: Any])
        clips["squats/cleo_1"] = nil
        baseline["clips"] = clips
      }
    }
  }

  /// The others are compared, and the run is kept.
  @Test func aMetricThatTheBaselineDoesNotHave() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.edit(BaselineTests.file) { baseline in
      let metrics = try #require(baseline["metrics"] as? [[String: Any]])
      baseline["metrics"] = metrics.filter { $0["metric"] as? String != "count.exact" }
    }
    let before = try ProjectState(workspace)
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(outcome.error == "")
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").hasPrefix(
        "verdict  MISSING: baseline of suite squat: expected metric count.exact of squat-states, found none. "
          + "Accept a new baseline with: bench baseline accept --suite squat\n"))
    #expect(outcome.output.contains("\npass  unchanged: count error, grade error\n"))
    let after = try ProjectState(workspace)
    #expect(after.files == before.files && after.runs.count == before.runs.count + 1)
  }

  /// A metric of all clips together may gate: no clip has labels for this one.
  @Test func aMetricOfAllClipsThatHasNoValue() throws {
    let workspace = try BaselineTests.accepted {
      $0.detectors = ["- name: pose-class"]
      $0.metrics = [("pose-class", "classes.mcc", 0.05)]
    }
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(
      outcome.output.hasPrefix("verdict  MISSING: label correlation (MCC) of pose-class has no value for anybody\n"))
  }

  @Test func aMetricThatTheRunNoLongerHas() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.edit(BaselineTests.file) { baseline in
      let metrics = try #require(baseline["metrics"] as? [[String: Any]])
      var other = try #require(metrics.first)
      other["metric"] = "count.median"
      baseline["metrics"] = metrics + [other]
    }
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("verdict  MISSING: count.median of squat-states no longer gates"))
  }

  /// A suite that gates less than its baseline is held to the baseline: what it says less is missing, after what is worse.
  @Test(arguments: [
    (", margin: 0.05", ", margin: 5", "margin of count.exact of squat-states is wider: 5 now, 0.05 in the baseline"),
    (", margin: 0.05, floor: 0.5", ", margin: 0.05", "floor of count.exact of squat-states is looser: none now, 0.5"),
    (", margin: 0.05, floor: 0.5", ", margin: 0.05, floor: 0.4", "of squat-states is looser: 0.4 now, 0.5 in"),
    (", margin: 0.05", "", "count.exact of squat-states no longer gates; in the baseline it does"),
  ])
  func aSuiteThatGatesLessThanItsBaseline(before: String, after: String, line: String) throws {
    let suite = "datasets/suites/squat.yaml"
    let workspace = try Workspace.shared("accepted with count.exact\(before)") {
      let workspace = try Workspace.withSquats(SquatClip.twelve)
      try workspace.replace("count.exact, margin: 0.05", with: "count.exact\(before)", in: suite)
      try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
      try workspace.run("gate", "--suite", "squat").expectSuccess()
      return workspace
    }
    try workspace.replace("count.exact\(before)", with: "count.exact\(after)", in: suite)
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  "))
    #expect(outcome.output.replacing(#/\n +/#, with: " ").contains(line), "\(outcome.output)")
    let worse = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75")
    #expect(worse.code == 2)
    #expect(worse.output.contains("verdict  REGRESSION: exact counts of squat-states are "))
    #expect(worse.output.contains("missing  "))
    // A narrower margin is the suite's to set.
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.replace("count.exact\(after)", with: "count.exact, margin: 0.01, floor: 0.6", in: suite)
    try workspace.run("gate", "--suite", "squat").expectSuccess()
  }

  /// Two lines for one metric, as a careless merge leaves them: which one holds is nobody's guess.
  @Test func aMetricThatTheBaselineHasTwice() throws {
    try expectMissing("baseline of suite squat: expected each metric once, found count.exact of squat-states twice") {
      try $0.edit(BaselineTests.file) { baseline in
        let metrics = try #require(baseline["metrics"] as? [Any])
        baseline["metrics"] = metrics + metrics.prefix(1)
      }
    }
  }

  /// Values go by their places in the list of subjects.
  @Test func aSubjectThatTheBaselineHasTwice() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.edit(BaselineTests.file) { $0["subjects"] = ["squats/anna", "squats/anna", "squats/cleo"] }
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("squats/anna is listed twice"))
  }

  /// What the suite does not gate on is no ground to hold a release, on either side.
  @Test func aMetricThatDoesNotGateIsNotMissed() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.edit(BaselineTests.file) { baseline in
      var metrics = try #require(baseline["metrics"] as? [[String: Any]])
      let place = try #require(metrics.firstIndex { $0["metric"] as? String == "count.bias" })
      metrics[place]["metric"] = "count.median"
      baseline["metrics"] = metrics
    }
    try workspace.run("gate", "--suite", "squat").expectSuccess()
  }

  @Test func aSubjectThatTheBaselineDoesNotHave() throws {
    try expectMissing("count.exact of squat-states: expected the same people as in the baseline") {
      try $0.edit(BaselineTests.file) { baseline in
        var metrics = try #require(baseline["metrics"] as? [[String: Any]])
        let place = try #require(metrics.firstIndex { $0["metric"] as? String == "count.exact" })
        #expect(baseline["subjects"] as? [String] == ["squats/anna", "squats/bert", "squats/cleo"])
        let values = try #require(metrics[place]["values"] as? [Any])
        metrics[place]["of"] = [0, 1]
        metrics[place]["values"] = Array(values.prefix(2))
        baseline["metrics"] = metrics
      }
    }
  }

  @Test func aDetectorThatTheBaselineDoesNotHave() throws {
    try expectMissing(
      "the baseline used detectors squat-states, this run used squat-states, squat-posture; accept a new baseline "
        + "with: bench baseline accept --suite squat"
    ) {
      try $0.edit(BaselineTests.file) { baseline in
        let detectors = try #require(baseline["detectors"] as? [[String: Any]])
        baseline["detectors"] = detectors.filter { $0["name"] as? String != "squat-posture" }
      }
    }
  }

  @Test func anotherToleranceOrCamera() throws {
    try expectMissing(
      "the baseline used matching end within 0.5 s, this run used end within 0.25 s"
    ) {
      try $0.replace("tolerance_s: 0.5", with: "tolerance_s: 0.25", in: "datasets/suites/squat.yaml")
    }
    try expectMissing("the baseline used camera 30.0 fps and 20.0 ms, this run used 60.0 fps and 20.0 ms") {
      try $0.replace("fps: 30", with: "fps: 60", in: "datasets/suites/squat.yaml")
    }
  }

  @Test func anotherDataset() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.add(SquatClip.dataset("others", SquatClip.three))
    try workspace.run("gate", "--suite", "squat", "--dataset", "others").expectFailure(
      5, "the baseline used datasets squats, this run used others")
  }

  @Test func aClipWithoutPoses() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace(",poses/cleo_1.npy,", with: ",,", in: "datasets/squats/clips.csv")
    try workspace.run("run", "--suite", "squat", "--dataset", "squats").expectFailure(
      5,
      "dataset squats: expected poses to replay for clip cleo_1, found labels only; score predictions on it with "
        + "bench score")
  }
}
