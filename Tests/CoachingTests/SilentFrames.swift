import CAllocationCounter
import Coaching
import PoseModel
import Testing

/// Expects that an observer allocates on no frame that it says nothing of, once its buffers have grown to their size.
func expectNoAllocation(
  of observer: any PoseObserver, on frames: [PoseFrame], sourceLocation: SourceLocation = #_sourceLocation
) {
  guard allocations_are_counted() != 0 else {
    print("allocations are counted with the GNU C library only: not tested here")
    return
  }
  func run<Base: PoseObserver>(_ base: Base) {
    var detector = LiveDetector(base)
    var allocating = 0
    var silent = 0
    for (index, frame) in frames.enumerated() {
      let before = allocation_count()
      let isSilent = detector.update(frame).isEmpty
      let spent = allocation_count() - before
      // Within the first frames buffers may grow to their size.
      guard isSilent, index >= frames.count / 2 else { continue }
      silent += 1
      if spent > 0 { allocating += 1 }
    }
    #expect(silent > 100, sourceLocation: sourceLocation)
    #expect(allocating == 0, "\(allocating) of \(silent) frames of \(Base.self)", sourceLocation: sourceLocation)
  }
  run(observer)
}
