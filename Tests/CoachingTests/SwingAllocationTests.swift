import CAllocationCounter
import Coaching
import PoseModel
import Testing

/// The swing detectors' buffers are made once: rallies do not make them allocate on a frame that says nothing.
@Suite struct SwingAllocationTests {
  @Test(arguments: SwingDetectorTests.all.indices)
  func noFrameAllocatesThatSaysNothing(_ index: Int) throws {
    guard allocations_are_counted() != 0 else {
      print("allocations are counted with the GNU C library only: not tested here")
      return
    }
    let frames = TennisStroke.frames((0..<12).map { (.forehand, 2 + 2.5 * Double($0)) }, until: 32)
    func run(_ type: (some Detector).Type) throws {
      var detector = LiveDetector(try type.init(replacing: [:]))
      var silent = 0
      var allocating = 0
      for (index, frame) in frames.enumerated() {
        let before = allocation_count()
        let isSilent = detector.update(frame).isEmpty
        let spent = allocation_count() - before
        guard isSilent, index >= frames.count / 2 else { continue }
        silent += 1
        if spent > 0 { allocating += 1 }
      }
      #expect(silent > 100)
      #expect(allocating == 0, "\(allocating) of \(silent) frames")
    }
    try run(SwingDetectorTests.all[index])
  }
}
