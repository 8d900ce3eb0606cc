import Coaching
import PoseModel
import TestSupport
import Testing

/// Expects that an observer allocates on no frame that it says nothing of, once its buffers have grown to their size.
func expectNoAllocation(
  of observer: any PoseObserver, on frames: [PoseFrame], sourceLocation: SourceLocation = #_sourceLocation
) {
  func run<Base: PoseObserver>(_ base: Base) {
    var detector = LiveDetector(base)
    guard let silent = SilentFrames(of: frames.count, { detector.update(frames[$0]).isEmpty }) else { return }
    #expect(silent.count > 100, sourceLocation: sourceLocation)
    #expect(silent.allocating == 0, "\(silent) of \(Base.self)", sourceLocation: sourceLocation)
  }
  run(observer)
}
