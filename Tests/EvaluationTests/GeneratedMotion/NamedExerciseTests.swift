import Coaching
import Evaluation
import Pipeline
import PoseModel
import Simulation
import Testing

/// The counters that vote, `reps-squat` and those of the other exercises.
@Suite struct NamedExerciseTests {
  private static func setting(_ exercise: String, replacing values: [String: Double] = [:]) throws -> DetectorSetting {
    let definition = try #require(try BuiltInExercises.exercises.first { $0.name == exercise }?.counter)
    #expect(definition.profile.name == "reps-\(exercise)" && definition.profile.exercise == exercise)
    return try DetectorSetting(definition, replacing: values)
  }

  /// Four reps of perfect form, seen without an estimator's errors.
  @Test(arguments: [
    "squat", "lunge", "push-up", "deadlift", "bench-press", "pull-up", "sit-up", "jumping-jack", "front-raise",
    "shoulder-press", "biceps-curl",
  ])
  func countsToWithinOne(_ exercise: String) throws {
    let form = try #require(try ShownForm.all(of: exercise).first { $0.fault == nil })
    let setting = try Self.setting(exercise)
    for view in [TrueRecording.View.side, .oblique, .front] {
      let count = form.events(of: setting, from: view).repCount
      #expect(abs(count - 4) <= 1, "\(exercise) \(view): \(count) of 4")
    }
  }

  /// With an estimator's errors; and none before the exercise's own counter has found enough.
  @Test func repsWaitForTheLeast() throws {
    let generator = MotionGenerator(
      name: "waits", exercises: [Squat()], scenarios: [.perfectForm], seed: 5, subjects: 1, clipsPerSubject: 1)
    let clip = generator.scene(subject: 0, clip: 0).clip()
    let poses = try clip.poses(generator.manifest)
    let setting = try Self.setting("squat")
    let table = SignalTable(setting.signals, on: poses)
    let whole = Replay.events(of: setting, on: poses, table)
    #expect(abs(whole.repCount - (clip.labels.reps?.count ?? 0)) <= 1 && whole.repCount >= 3)
    let never = try Self.setting("squat", replacing: ["least": 10])
    #expect(Replay.events(of: never, on: poses, table).repCount == 0)
  }

  /// Four reps of another exercise that bends the same joints are counted without the gate only.
  @Test(arguments: [
    ("squat", "lunge", TrueRecording.View.front), ("lunge", "squat", .front),
    ("jumping-jack", "shoulder-press", .front),
  ])
  func anotherExerciseIsRefused(_ exercise: String, other: String, view: TrueRecording.View) throws {
    let form = try #require(try ShownForm.all(of: other).first { $0.fault == nil })
    #expect(form.events(of: try Self.setting(exercise), from: view).repCount == 0)
    let open = try Self.setting(exercise, replacing: ["leastOdds": -7])
    #expect(form.events(of: open, from: view).repCount >= 3)
  }

  @Test func aHeldPostureHasNone() throws {
    #expect(try BuiltInExercises.exercises.filter { $0.counter == nil }.map(\.name) == ["plank"])
  }
}
