import Coaching
import Testing

/// The swing detectors' buffers are made once: rallies do not make them allocate on a frame that says nothing.
@Suite struct SwingAllocationTests {
  @Test(arguments: SwingDetectorTests.all.indices)
  func noFrameAllocatesThatSaysNothing(_ index: Int) throws {
    let frames = TennisStroke.frames((0..<12).map { (.forehand, 2 + 2.5 * Double($0)) }, until: 32)
    func run(_ type: (some Detector).Type) throws {
      expectNoAllocation(of: try type.init(replacing: [:]), on: frames)
    }
    try run(SwingDetectorTests.all[index])
  }
}
