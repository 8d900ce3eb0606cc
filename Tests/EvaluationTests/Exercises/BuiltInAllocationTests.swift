import Coaching
import Evaluation
import PoseModel
import TestSupport
import Testing

/// The exercises that come along run in a camera's callback too, where no frame may allocate.
@Suite struct BuiltInAllocationTests {
  @Test func noFrameAllocatesThatSaysNothing() throws {
    for exercise in try BuiltInExercises.exercises {
      let definition = exercise.definition
      let shown = try #require(ShownForm.all(of: exercise.name).last).recording
      let poses = try #require(shown.poses[.oblique])
      let frames = (0..<poses.frameCount).map { poses.frame($0) }
      guard let silent = silentFrames(of: try definition.detector(ParameterValues(definition.parameters)), on: frames)
      else { return }
      #expect(silent.count > 40 && silent.allocating == 0, "\(exercise.name): \(silent)")
    }
  }

  private func silentFrames(of observer: any PoseObserver, on frames: [PoseFrame]) -> SilentFrames? {
    func run(_ base: some PoseObserver) -> SilentFrames? {
      var detector = LiveDetector(base)
      return SilentFrames(of: frames.count) { detector.update(frames[$0]).isEmpty }
    }
    return run(observer)
  }
}
