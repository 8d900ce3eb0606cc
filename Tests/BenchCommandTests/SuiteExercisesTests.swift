import Evaluation
import Testing

/// A suite of several exercises: each detector is replayed on the clips of its own.
@Suite struct SuiteExercisesTests {
  /// The three squats, and the same recordings as three lunges.
  private func workspace(detectors: [String]) throws -> Workspace {
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    let lunges = dataset.clips.map { clip in
      var lunge = clip
      lunge.info.name += "_lunge"
      lunge.info.exercise = "lunge"
      return lunge
    }
    dataset.clips += lunges
    let workspace = try Workspace()
    var suite = SquatSuite(content: try workspace.add(dataset))
    suite.exercise = "squat, lunge"
    suite.detectors = detectors
    suite.metrics = [("squat-states", "count.exact", 0.05), ("exercise-lunge", "count.exact", nil)]
    try workspace.write(suite.yaml, to: "datasets/suites/squat.yaml")
    return workspace
  }

  @Test func aDetectorIsReplayedOnItsOwnExercise() throws {
    let workspace = try workspace(detectors: ["- name: squat-states", "- name: exercise-lunge", "- name: reps-any"])
    let outcome = try workspace.run("run", "--suite", "squat")
    outcome.expectSuccess()
    let results = try workspace.results()
    #expect(results.metric("squat-states", "count.exact")?.clips == 3)
    #expect(results.metric("squat-states", "count.exact")?.value == 1)
    #expect(results.metric("exercise-lunge", "count.exact")?.clips == 3)
    #expect(results.metric("reps-any", "count.exact")?.clips == 6)
    for clip in results.clips {
      let isLunge = clip.exercise == "lunge"
      #expect(Set(clip.outcomes.keys) == ["reps-any", isLunge ? "exercise-lunge" : "squat-states"])
    }
    #expect(results.measured["squat-states"]?.blocks == results.measured["exercise-lunge"]?.blocks)
    let slices = (results.slices ?? []).filter { $0.dimension == .exercise && $0.slice == "lunge" }
    #expect(slices.allSatisfy { $0.detector != "squat-states" })
    try workspace.run(
      "sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=80,90", "--metric", "count.exact"
    ).expectSuccess()
  }

  @Test func aSuiteMaySayWhichClipsADetectorTakes() throws {
    let workspace = try workspace(detectors: [
      "- { name: squat-states, exercises: [squat, lunge] }", "- name: exercise-lunge",
    ])
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let metric = try #require(try workspace.results().metric("squat-states", "count.exact"))
    #expect(metric.clips == 6)
    #expect(metric.value == 1)
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run("gate", "--suite", "squat").expectSuccess()
  }

  @Test func exercisesThatTheSuiteDoesNotHave() throws {
    let curl = try workspace(detectors: ["- { name: squat-states, exercises: [lung] }", "- name: exercise-lunge"])
    try curl.run("run", "--suite", "squat").expectFailure(
      1,
      saying: [
        "datasets/suites/squat.yaml:7: expected at least one of the suite's exercises squat, lunge for "
          + "detectors[1].exercises, found \"lung\", did you mean lunge?"
      ])
    let none = try workspace(detectors: ["- { name: squat-states, exercises: [] }", "- name: exercise-lunge"])
    try none.run("run", "--suite", "squat").expectFailure(1, saying: ["for detectors[1].exercises, found none"])
  }
}
