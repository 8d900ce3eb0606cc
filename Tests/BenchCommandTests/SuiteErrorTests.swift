import Foundation
import PoseModel
import Testing

/// Suites that cannot be run: absent, misspelt or contradictory.
@Suite struct SuiteErrorTests {
  /// Runs and gates a suite with one thing wrong; nothing is written.
  private func expectRefusal(
    _ code: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    suite change: (inout SquatSuite) -> Void
  ) throws {
    let workspace = try Workspace.withSquats(suite: change)
    try workspace.write("{}", to: "baselines/squat.json")
    let before = try ProjectState(workspace)
    let outcome = try workspace.run("run", "--suite", "squat")
    outcome.expectFailure(code, message, sourceLocation: sourceLocation)
    let state = try ProjectState(workspace)
    #expect(state.files == before.files, sourceLocation: sourceLocation)
    #expect(state.runs == before.runs, sourceLocation: sourceLocation)
  }

  @Test func anAbsentSuiteListsThoseThatThereAre() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(workspace.text("datasets/suites/squat.yaml"), to: "datasets/suites/lunge.yaml")
    for outcome in try workspace.runEach(["run", "gate"].map { [$0, "--suite", "squatt"] }) {
      outcome.expectFailure(
        5,
        saying: ["suite squatt: expected the file datasets/suites/squatt.yaml", "lunge, squat", "did you mean squat?"])
    }
  }

  @Test func aFolderWithoutSuites() throws {
    try Workspace().run("run", "--suite", "squat").expectFailure(
      5, saying: ["suite squat: expected the file datasets/suites/squat.yaml, found no suites there"])
  }

  @Test func aSuiteThatIsNamedOtherThanItsFile() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace("suite: squat\n", with: "suite: lunge\n", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, "datasets/suites/squat.yaml: expected suite: squat, the name of the file, found suite: lunge")
  }

  /// A new suite is written key by key: one error names all that it lacks, in its parts too.
  @Test func everyMissingKeyAtOnce() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      """
      # A start.
      suite: squat
      datasets:
      - content: sha256:0
      detectors: [{ name: squat-states }]
      camera: { fps: 30 }
      metrics:
      - { detector: squat-states }

      """, to: "datasets/suites/squat.yaml")
    for outcome in try workspace.runEach(["run", "gate"].map { [$0, "--suite", "squat"] }) {
      outcome.expectFailure(
        1,
        """
        datasets/suites/squat.yaml:2: expected all required keys, found 6 missing:
          line 2: version, for example  version: 1
          line 2: exercises, for example  exercises: [squat]
          line 2: matching, for example  matching: { instant: end, tolerance_s: 0.5 }
          line 4: datasets[1].name, for example  name: my-squats
          line 6: camera.estimator_ms, for example  estimator_ms: 30
          line 8: metrics[1].metric, for example  metric: count.exact
        """)
    }
  }

  @Test func oneMissingKey() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace("matching: { instant: end, tolerance_s: 0.5 }\n", with: "", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      1,
      """
      datasets/suites/squat.yaml:1: expected all required keys, found 1 missing:
        line 1: matching, for example  matching: { instant: end, tolerance_s: 0.5 }
      """)
  }

  @Test func anUnknownKeyInTheSuite() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace("\nmetrics:", with: "\nmetrisc:", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, saying: ["datasets/suites/squat.yaml:12: expected only the keys ", "\"metrisc\", did you mean metrics?"])
  }

  @Test func anUnknownKeyInsideTheSuite() throws {
    try expectRefusal(
      1,
      "datasets/suites/squat.yaml:8: expected only the keys detectors[1].parameters.standingAngle, "
        + "detectors[1].parameters.bottomAngle, detectors[1].parameters.hysteresis, detectors[1].parameters.cooldown, "
        + "detectors[1].parameters.minimumConfidence, detectors[1].parameters.usesDepth, "
        + "detectors[1].parameters.processingInterval, "
        + "found \"bottomAngel\", did you mean bottomAngle?"
    ) { $0.detectors = ["- name: squat-states", "  parameters: { bottomAngel: 90 }"] }
  }

  @Test func aParameterOutOfRangeInTheSuite() throws {
    try expectRefusal(
      1,
      "datasets/suites/squat.yaml:8: expected 20.0 to 170.0 degrees for detectors[1].parameters.bottomAngle, found \"9\""
    ) { $0.detectors = ["- name: squat-states", "  parameters: { bottomAngle: 9 }"] }
  }

  @Test func parametersOfTheSuiteThatContradictEachOther() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors[0] = "- { name: squat-states, parameters: { bottomAngle: 155 } }"
    }
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, saying: ["datasets/suites/squat.yaml", "bottomAngle + hysteresis (160.0°) must be less than"])
  }

  @Test func anUnknownDetectorInTheSuite() throws {
    let workspace = try Workspace.withSquats { $0.detectors[0] = "- name: squat-state" }
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, saying: ["datasets/suites/squat.yaml:7", "squat-posture, squat-states", "did you mean squat-states?"])
  }

  @Test func anUnknownMetricInTheSuite() throws {
    let workspace = try Workspace.withSquats { $0.metrics[0].metric = "count.exakt" }
    try workspace.run("run", "--suite", "squat").expectFailure(
      1,
      saying: [
        "datasets/suites/squat.yaml:13: expected one of count.exact, ", "for metrics[1].metric",
        "found \"count.exakt\", did you mean count.exact?",
      ])
  }

  @Test func aMetricOfADetectorThatTheSuiteDoesNotHave() throws {
    try expectRefusal(
      1,
      "datasets/suites/squat.yaml:12: expected one of this suite's detectors squat-states for metrics[1].detector, "
        + "found \"squat-posture\""
    ) {
      $0.detectors = ["- name: squat-states"]
      $0.metrics = [("squat-posture", "grades.mae", 3)]
    }
  }

  @Test func aSuiteWithoutMetrics() throws {
    let workspace = try Workspace.withSquats { $0.metrics = [] }
    try workspace.replace("\nmetrics:\n", with: "\nmetrics: []\n", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      1, "datasets/suites/squat.yaml:12: expected at least one metric for metrics, found a list")
  }

  @Test func aNegativeMargin() throws {
    try expectRefusal(
      1, "datasets/suites/squat.yaml:13: expected a number of 0 or more for metrics[1].margin, found \"-0.5\""
    ) { $0.metrics = [("squat-states", "count.exact", -0.5)] }
  }

  @Test func oneDatasetTwice() throws {
    let workspace = try Workspace.withSquats()
    let pin = try #require(try workspace.text("datasets/suites/squat.yaml").firstMatch(of: /- name: squats\n.*\n/))
    try workspace.replace("datasets:\n", with: "datasets:\n\(pin.output)", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(1, saying: ["datasets/suites/squat.yaml:"])
    #expect(!workspace.exists("reports"))
  }

  @Test func oneDetectorTwice() throws {
    let workspace = try Workspace.withSquats { $0.detectors.append("- name: squat-states") }
    try workspace.run("run", "--suite", "squat").expectFailure(1, saying: ["datasets/suites/squat.yaml:"])
    #expect(!workspace.exists("reports"))
  }

  @Test func aSuiteWhoseExerciseNoClipHas() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace("exercises: [squat]", with: "exercises: [lunge]", in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      5, "dataset squats: expected clips of lunge, found none, but 3 of squat")
  }

  /// Nobody squats in a walk: there is nothing to count right.
  @Test func aDatasetOfNegativesAlone() throws {
    var walks = SquatClip.dataset("walks", SquatClip.three)
    for index in walks.clips.indices {
      walks.clips[index].info.exercise = "walking"
      walks.clips[index].labels = GroundTruth()
    }
    let workspace = try Workspace.withSquats()
    try workspace.add(walks)
    let suite = try workspace.text("datasets/suites/squat.yaml")
    try workspace.write(suite + "negatives: others\n", to: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat", "--dataset", "walks").expectFailure(
      5,
      "detector squat-states: expected clips of squat in walks, found none; add a dataset that has them: "
        + "--dataset squats")
  }
}
