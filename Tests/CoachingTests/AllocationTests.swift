import CAllocationCounter
import Coaching
import PoseModel
import Testing

/// A detector that runs in a camera's callback must not allocate on every frame.
@Suite struct AllocationTests {
  @Test(arguments: DetectorTests.all.indices)
  func noFrameAllocatesThatSaysNothing(_ index: Int) throws {
    guard allocations_are_counted() != 0 else {
      print("allocations are counted with the GNU C library only: not tested here")
      return
    }
    func run(_ type: (some Detector).Type) throws {
      var detector = LiveDetector(try type.init(replacing: [:]))
      let frames = (0..<DetectorTests.poses.frameCount).map { DetectorTests.poses.frame($0) }
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
      #expect(silent > 100)
      #expect(allocating == 0, "\(allocating) of \(silent) frames")
    }
    try run(DetectorTests.all[index])
  }

  @Test func allocationsAreCounted() {
    guard allocations_are_counted() != 0 else { return }
    let before = allocation_count()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    #expect(allocation_count() > before)
    memory.deallocate()
  }
}
