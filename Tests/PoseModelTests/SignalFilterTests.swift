import PoseModel
import Testing

/// Answers to steps and ramps, worked out by hand.
@Suite struct SignalFilterTests {
  private static let interval = 0.04

  private func filtered(_ values: [Float], _ filter: some SignalFilter) -> [Float] {
    var filter = filter
    return values.enumerated().map { index, value in
      filter.update(value, at: Microseconds(frame: index, rate: 1 / Self.interval))
    }
  }

  @Test func averageOfAStep() {
    let out = filtered([0, 0, 0, 1, 1, 1, 1], MovingAverage(frames: 4))
    let expected: [Float] = [0, 0, 0, 1.0 / 4, 2.0 / 4, 3.0 / 4, 1]
    #expect(out == expected)
  }

  @Test func averageLeavesMissingFramesOut() {
    let out = filtered([2, 4, .nan, 9, 3], MovingAverage(frames: 3))
    #expect(out[1] == 3)
    #expect(out[2].isNaN)
    // The window holds 4, nothing and 9, then nothing, 9 and 3.
    #expect(out[3] == 13.0 / 2)
    #expect(out[4] == 6)
  }

  @Test func medianDropsAWildValueAndKeepsAnEdge() {
    let wild = filtered([1, 1, 1, 9, 1, 1], MedianFilter(frames: 3))
    #expect(wild == [1, 1, 1, 1, 1, 1])
    let step = filtered([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], MedianFilter(frames: 5))
    #expect(step == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
  }

  @Test func medianOfAnEvenNumberIsTheMiddleOfTwo() {
    let out = filtered([3, 1, .nan, 8], MedianFilter(frames: 3))
    #expect(out[0] == 3)
    #expect(out[1] == 2)
    #expect(out[2].isNaN)
    // 1, nothing and 8.
    #expect(out[3] == 4.5)
  }

  /// Against sorting each window afresh.
  @Test func medianIsThatOfItsWindow() {
    let values = (0..<200).map { (index: Int) -> Float in index % 7 == 3 ? .nan : Float(index * 37 % 23) }
    let out = filtered(values, MedianFilter(frames: 7))
    for index in values.indices where values[index].isFinite {
      let known = values[max(0, index - 6)...index].filter(\.isFinite).sorted()
      let median = (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
      #expect(out[index] == median, "frame \(index)")
    }
  }

  /// One step of algorithm 1 with T = 1 / (2π): α(1 Hz) = 1/2. From 0 to 8, the speed is 8 / T · 1/2 = 8π; with β = 1/(8π)
  /// the cutoff is 2 Hz, α = 2/3, and the output 16/3.
  @Test func oneEuroStep() {
    let microseconds = Microseconds(Int64((1e6 / (2 * Double.pi)).rounded()))
    var filter = OneEuroFilter(OneEuro(minimumCutoff: 1, beta: 1 / (8 * .pi), derivativeCutoff: 1))
    #expect(filter.update(0, at: .zero) == 0)
    let out = filter.update(8, at: microseconds)
    #expect(abs(out - 16.0 / 3) < 1e-4)
  }

  /// A single gap of two intervals: α(1 Hz) at T = 1/π is 2/3, wherever the frames before it stood.
  @Test func oneEuroMeasuresTheTimeThatPassed() {
    func output(after gap: Double) -> Float {
      var filter = OneEuroFilter(OneEuro(minimumCutoff: 1, beta: 0, derivativeCutoff: 1))
      _ = filter.update(0, at: .zero)
      #expect(filter.update(.nan, at: Microseconds(1)).isNaN)
      return filter.update(3, at: Microseconds(Int64((gap * 1e6).rounded())))
    }
    #expect(abs(output(after: 1 / (2 * .pi)) - 1.5) < 1e-4)
    #expect(abs(output(after: 1 / .pi) - 2) < 1e-4)
  }

  /// The lag behind a ramp of speed 0.5 a second, once the start is forgotten, is the delay that the filter states.
  @Test(
    arguments: [
      "average:2", "average:5", "average:8", "median:3", "median:9", "one-euro:1,0,1", "one-euro:2,4,1",
      "one-euro:0.5,20,3",
    ])
  func delayOnARampIsTheStatedOne(_ text: String) throws {
    let speed = 0.5
    let smoothing = try Smoothing(text)
    var poses = PoseFilter(smoothing)
    var frame = PoseFrame()
    var out = 0.0
    let last = 500
    for index in 0...last {
      frame.time = Microseconds(frame: index, rate: 1 / Self.interval)
      frame.set(.leftKnee, x: Float(speed * Double(index) * Self.interval), y: 0)
      poses.update(&frame)
      out = Double(frame[.leftKnee, .x])
    }
    let lag = Double(last) * Self.interval - out / speed
    #expect(abs(lag - smoothing.delay(interval: Self.interval, speed: speed)) < 1e-4)
  }

  @Test func delayAtRest() throws {
    #expect(try Smoothing("average:5").delay(interval: 0.04) == 0.08)
    #expect(try Smoothing("median:5").delay(interval: 0.04) == 0.08)
    let oneEuro = try Smoothing("one-euro:2,7,1").delay(interval: 0.04)
    #expect(abs(oneEuro - 1 / (4 * .pi)) < 1e-12)
  }
}
