import CAllocationCounter
import Coaching
import Evaluation
import PoseModel
import Testing

/// The exercises that come along run in a camera's callback too, where no frame may allocate.
@Suite struct BuiltInAllocationTests {
  @Test func noFrameAllocatesThatSaysNothing() throws {
    guard allocations_are_counted() != 0 else {
      return print("allocations are counted with the GNU C library only: not tested here")
    }
    for exercise in try BuiltInExercises.exercises {
      let definition = exercise.definition
      let shown = try #require(ShownForm.all(of: exercise.name).last).recording
      let poses = try #require(shown.poses[.oblique])
      let frames = (0..<poses.frameCount).map { poses.frame($0) }
      let found = allocations(of: try definition.detector(ParameterValues(definition.parameters)), on: frames)
      #expect(found.silent > 40 && found.allocating == 0, "\(exercise.name): \(found)")
    }
  }

  /// Of the later half of the frames, before which buffers may grow to their size: how many say nothing, and how many of
  /// these allocate.
  private func allocations(of observer: any PoseObserver, on frames: [PoseFrame]) -> (silent: Int, allocating: Int) {
    func run(_ base: some PoseObserver) -> (silent: Int, allocating: Int) {
      var detector = LiveDetector(base)
      var (silent, allocating) = (0, 0)
      for (index, frame) in frames.enumerated() {
        let before = allocation_count()
        let isSilent = detector.update(frame).isEmpty
        let spent = allocation_count() - before
        guard isSilent, index >= frames.count / 2 else { continue }
        silent += 1
        if spent > 0 { allocating += 1 }
      }
      return (silent, allocating)
    }
    return run(observer)
  }
}
