import Testing

@testable import Evaluation

@Suite struct RenamedDetectorTests {
  /// A suite on squats whose detectors gate with these metrics.
  private func suite(_ metrics: KeyValuePairs<String, String>) -> Suite {
    var suite = DetectorPairTests.suite
    suite.metrics = metrics.map { .init(detector: $0.key, metric: $0.value, margin: 0.1) }
    suite.detectors = Set(metrics.map(\.key)).sorted().map { .init(name: $0, parameters: [:]) }
    return suite
  }

  private func renamed(_ before: Suite, _ now: Suite) -> [RenamedDetector] {
    RenamedDetector.all(
      from: (before, before.gated, DetectorPairTests.registry), to: (now, DetectorPairTests.registry))
  }

  private static let counter = RenamedDetector(former: "squat-states", name: "reps-any")
  private static let judge = RenamedDetector(former: "squat-posture", name: "grader")

  /// One of each kind, whatever else the suite lists of it.
  @Test func theOnlyNewOneOfItsKind() {
    let before = suite(["squat-states": "count.exact", "squat-states": "count.mae", "squat-posture": "grades.mae"])
    let counter = suite(["reps-any": "count.mae", "reps-any": "reps.f1", "squat-posture": "grades.mae"])
    #expect(renamed(before, counter) == [Self.counter])
    #expect(
      Set(renamed(before, suite(["grader": "grades.mae", "reps-any": "count.exact"]))) == [Self.counter, Self.judge])
  }

  @Test func noneWithoutAMetricOfBoth() {
    #expect(renamed(suite(["squat-states": "count.exact"]), suite(["reps-any": "count.mae"])).isEmpty)
    // Counts of a form scorer are those of another kind.
    #expect(renamed(suite(["squat-states": "count.exact"]), suite(["live-squat": "count.exact"])).isEmpty)
  }

  @Test func noneWhereSeveralCouldTakeThePlace() {
    let before = suite(["squat-posture": "grades.mae"])
    #expect(renamed(before, suite(["grader": "grades.mae", "live-squat": "grades.mae"])).isEmpty)
    #expect(
      renamed(suite(["squat-posture": "grades.mae", "live-squat": "grades.mae"]), suite(["grader": "grades.mae"]))
        .isEmpty)
  }

  @Test func noneThatStaysOrDoesNotGate() {
    var before = suite(["squat-posture": "grades.mae"])
    #expect(renamed(before, suite(["squat-posture": "grades.mae", "grader": "grades.mae"])).isEmpty)
    before.metrics[0].margin = nil
    #expect(renamed(before, suite(["grader": "grades.mae"])).isEmpty)
  }

  /// A counter of other exercises has other clips.
  @Test func noneOnOtherExercises() {
    var before = suite(["squat-states": "count.exact"])
    var now = suite(["reps-any": "count.exact"])
    (before.exercises, now.exercises) = (["squat", "lunge"], ["squat", "lunge"])
    before.detectors[0].exercises = ["squat"]
    #expect(renamed(before, now).isEmpty)
    now.detectors[0].exercises = ["squat"]
    #expect(renamed(before, now) == [Self.counter])
  }
}
