import Coaching
import Evaluation
import Pipeline
import PoseModel
import Testing

/// What a counter that knows no exercise counts in four reps of perfect form, seen without an estimator's errors.
@Suite struct AnyExerciseClaimTests {
  static let detectors = ["reps-any"]

  /// It can't know at which end a rep begins: four reps have three turns between them at the other.
  @Test(arguments: [
    "squat", "lunge", "push-up", "deadlift", "bench-press", "pull-up", "sit-up", "jumping-jack", "front-raise",
    "shoulder-press", "biceps-curl",
  ])
  func countsToWithinOne(_ exercise: String) throws {
    let form = try #require(try ShownForm.all(of: exercise).first { $0.fault == nil })
    let setting = try DetectorSetting(try DetectorRegistry.builtIn.detector(named: Self.detectors[0]))
    for view in [TrueRecording.View.side, .oblique, .front] {
      let count = form.events(of: setting, from: view).repCount
      #expect(abs(count - 4) <= 1, "\(exercise) \(view): \(count) of 4")
    }
  }
}
