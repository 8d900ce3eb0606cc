import Coaching
import PoseModel
import Testing

@Suite struct FrameMeasurementTests {
  /// What is measured in one go on a frame is, to the last bit, what each signal measures by itself, whatever is missing.
  @Test(arguments: [false, true])
  func oneGoMeasuresWhatEachSignalDoes(_ isWhole: Bool) throws {
    let classifier = try PoseClassifier(replacing: [:])
    let signals = classifier.signals
    let measurement = classifier.measurement
    var generator = Congruence(state: 7)
    var known = 0
    for _ in 0..<500 {
      var frame = PoseFrame()
      for joint in Joint.allCases {
        let (x, y) = (generator.next(), generator.next())
        frame.set(joint, x: x, y: y, confidence: isWhole ? 1 : generator.next() + 0.2)
      }
      var together = [Float](repeating: 0, count: signals.count)
      frame.withPoses { poses in together.withUnsafeMutableBufferPointer { measurement.measure(poses, into: $0) } }
      for (index, signal) in signals.enumerated() {
        var alone: [Float] = [0]
        frame.withPoses { poses in alone.withUnsafeMutableBufferPointer { signal.measure(poses, into: $0) } }
        let isSame = together[index].bitPattern == alone[0].bitPattern || together[index].isNaN && alone[0].isNaN
        #expect(isSame, "\(signal.name): \(together[index]) and \(alone[0])")
        if alone[0].isFinite { known += 1 }
      }
    }
    // With a joint in nine missing, most is still known.
    #expect(known == 500 * signals.count || !isWhole && known > 250 * signals.count)
  }

  /// Numbers of 0..<1 from a linear congruential generator.
  private struct Congruence {
    var state: UInt32

    mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / 16_777_216
    }
  }
}
