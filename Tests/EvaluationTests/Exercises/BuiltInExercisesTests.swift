import Coaching
import Evaluation
import Foundation
import Simulation
import Testing

/// What holds for every exercise that comes along.
@Suite struct BuiltInExercisesTests {
  @Test func theyAreThoseOfTheFolder() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Evaluation/Exercises/BuiltIn").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(try BuiltInExercises.exercises.map { $0.name + ".yaml" } == files)
    #expect(
      try Set(BuiltInExercises.exercises.map(\.name)) == [
        "squat", "push-up", "lunge", "plank", "deadlift", "bench-press", "pull-up", "sit-up", "jumping-jack",
        "front-raise", "shoulder-press", "biceps-curl",
      ])
  }

  @Test func everyNumberIsAParameterWithRangeAndSource() throws {
    for exercise in try BuiltInExercises.exercises {
      let parameters = exercise.parameters
      #expect(Set(parameters.map(\.name)).count == parameters.count, "\(exercise.name)")
      for parameter in parameters {
        #expect(parameter.range.contains(parameter.defaultValue), "\(exercise.name): \(parameter.name)")
        #expect(!parameter.source.isEmpty && !parameter.summary.isEmpty, "\(exercise.name): \(parameter.name)")
      }
    }
  }

  /// The labels of the faults that recordings and generated clips have.
  @Test func theyFindFaultsByTheNamesOfLabels() throws {
    let labels: [String: Set<String>] = [
      "push-up": ["shallow", "hips_sag", "hips_high", "no_lockout"],
      "lunge": ["shallow", "knee_forward", "forward_lean"],
      "plank": ["hips_high", "hips_sag"], "deadlift": ["rounded_back", "bar_drift", "hips_first", "no_lockout"],
      "bench-press": ["shallow", "no_lockout", "uneven", "elbow_flare"],
      "pull-up": ["shallow", "no_lockout", "swinging"], "sit-up": ["shallow"],
      "jumping-jack": ["arms_low", "feet_narrow"], "front-raise": ["shallow", "swinging"],
      "shoulder-press": ["shallow", "no_lockout", "leaning_back"],
      "biceps-curl": ["shallow", "leaning_back", "elbow_forward"],
      "squat": ["shallow", "forward_lean", "knee_forward", "knee_valgus"],
    ]
    for exercise in try BuiltInExercises.exercises {
      #expect(Set(exercise.faults.map(\.name)) == labels[exercise.name], "\(exercise.name)")
    }
  }
}
