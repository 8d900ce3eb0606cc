import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import PoseModel
import Testing

/// A project's own exercises on the command line.
@Suite struct ExerciseCommandTests {
  /// The example of docs/exercises.md.
  private func example() throws -> String {
    let page = try MarkdownPage("docs/exercises.md")
    return try #require(page.code("yaml").first { $0.hasPrefix("exercise: ") })
  }

  /// Heels that rise by sin² from the floor to a fifth of the shank, three times; the knees bend in the last one.
  @Test func theDocumentedExampleCounts() throws {
    let exercise = try ExerciseDefinition(yaml: InputFile(name: "calf-raise.yaml", bytes: Data(example().utf8)))
    let observer = try exercise.definition.detector(ParameterValues(exercise.definition.parameters))
    func run(_ base: some PoseObserver) -> [Event] {
      var detector = LiveDetector(base)
      return (0..<180).flatMap { index in
        var frame = PoseFrame(time: Microseconds(frame: index, rate: 30))
        let rise = Float(pow(sin(.pi * Double(index) / 60), 2)) * 0.2
        for joint in [Joint.leftToe, .leftHeel, .leftAnkle, .leftKnee, .leftHip] {
          let (x, y): (Float, Float) =
            switch joint {
            case .leftToe: (0.6, 0.9)
            case .leftHeel: (0.5, 0.9 - 0.2 * rise)
            case .leftAnkle: (0.5, 0.85)
            case .leftKnee: (index < 120 ? 0.5 : 0.56, 0.65)
            default: (0.5, 0.45)
            }
          frame.set(joint, x: x, y: y)
        }
        return detector.update(frame)
      }
    }
    let events = run(observer)
    #expect(events.count { if case .rep = $0.kind { true } else { false } } == 3)
    let faults = events.compactMap { if case .fault(let name, _) = $0.kind { name } else { nil } }
    #expect(faults == ["bent_knees"])
  }

  @Test func aFileIsADetectorOfEveryCommand() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors = ["- { name: exercise-half-squat, parameters: { bottom: 100 } }"]
      $0.metrics = [("exercise-half-squat", "count.exact", 0.05)]
    }
    try workspace.write(Self.halfSquat, to: "exercises/half-squat.yaml")
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let results = try workspace.results()
    #expect(results.detectors.first?.changed == ["bottom"])
    #expect(results.clips.allSatisfy { $0.outcomes["exercise-half-squat"]?.count != nil })
    try workspace.run("run", "--suite", "squat", "--set", "reps.exercise-half-squat.bottom=140").expectSuccess()
    let shown = try workspace.run("detector", "show", "exercise-half-squat")
    shown.expectSuccess()
    #expect(shown.output.contains("reps.exercise-half-squat.bottom "))
    let checked = try workspace.run("exercise", "check", "exercises/half-squat.yaml")
    checked.expectSuccess()
    #expect(checked.output.hasPrefix("exercises/half-squat.yaml is valid: reps.exercise-half-squat\n"))
    let listed = try workspace.run("detector", "list")
    #expect(listed.output.contains("exercise-half-squat") && !listed.output.contains("replaces"))
  }

  @Test func oneOfABuiltInNameTakesItsPlace() throws {
    let workspace = try Workspace.withSquats()
    let file = Self.halfSquat.replacing("half-squat", with: "squat")
    try workspace.write(file, to: "exercises/squat.yaml")
    let listed = try workspace.run("detector", "list")
    listed.expectSuccess()
    #expect(listed.output.contains("exercises/squat.yaml replaces the built-in exercise-squat"))
    #expect(listed.output.matches(of: /exercise-squat +reps/).count == 1)
    #expect(try workspace.run("detector", "show", "exercise-squat").output.contains("exercise-squat.bottom "))
  }

  @Test func aWrongFileIsNamedByEveryCommandThatNeedsDetectors() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(Self.halfSquat.replacing("turn:", with: "trun:"), to: "exercises/half-squat.yaml")
    for command in [
      ["run", "--suite", "squat"], ["detector", "list"], ["exercise", "check", "exercises/half-squat.yaml"],
    ] {
      try workspace.run(command).expectFailure(
        1, saying: ["exercises/half-squat.yaml:9", "found \"trun\", did you mean turn?"])
    }
    try workspace.write(Self.halfSquat, to: "exercises/other.yaml")
    try workspace.remove("exercises/half-squat.yaml")
    try workspace.run("detector", "list").expectFailure(
      1, "exercises/other.yaml: expected exercise: other, the name of the file, found exercise: half-squat")
    try workspace.run("exercise", "check", "exercises/none.yaml").expectFailure(1, saying: ["exercises/none.yaml"])
  }

  static let halfSquat = """
    exercise: half-squat
    summary: Counts half squats.
    source: the test
    joints: [hip, knee, ankle]
    signals: { knee: { angle: [hip, knee, ankle] } }
    count:
      signal: knee
      start: 150
      turn: { value: 120, name: bottom }

    """
}
