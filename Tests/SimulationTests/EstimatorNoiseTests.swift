import Datasets
import Simulation
import Statistics
import Testing

struct EstimatorNoiseTests {
  /// Seventeen keypoints that stand still, left and right ones 0.2 of the width apart.
  private let still = EstimatorNoise.Observation(
    points: (0..<17).map { (index: Int) -> SIMD2<Double> in
      SIMD2(index % 2 == 1 ? 0.6 : 0.4, 0.1 + 0.05 * Double(index))
    },
    hidden: Array(repeating: false, count: 17), stature: 0.7)

  private func run(
    _ noise: EstimatorNoise, _ observation: EstimatorNoise.Observation? = nil, frames: Int, rate: Double = 30
  ) -> [[SIMD3<Float>]] {
    var generator = SeededGenerator(seed: 11)
    let values = noise.keypoints(
      Array(repeating: observation ?? still, count: frames), rate: rate, aspect: 0.5, using: &generator)
    return (0..<frames).map { frame in
      (0..<17).map { keypoint in
        let start = (frame * 17 + keypoint) * 3
        return SIMD3(values[start], values[start + 1], values[start + 2])
      }
    }
  }

  private func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot()
  }

  @Test func withoutErrorsTheTruthIsWritten() {
    for frame in run(.none, frames: 3) {
      for (written, point) in zip(frame, still.points) {
        #expect(written == SIMD3(Float(point?.x ?? .nan), Float(point?.y ?? .nan), 1))
      }
    }
  }

  /// Hips jitter 0.107 / 0.026 times as much as the nose. With the slow part forgotten within a frame, the deviation of
  /// 20,000 frames is known to half a per cent.
  @Test func jitterGoesByTheAnnotatorsDeviations() {
    var noise = EstimatorNoise.none
    noise.jitter = 0.3
    noise.correlationTime = 1e-6
    let frames = run(noise, frames: 20_000)
    let nose = deviation(frames.map { Double($0[0].y) })
    let hip = deviation(frames.map { Double($0[11].y) })
    #expect(abs(hip / nose - 0.107 / 0.026) < 0.1)
    // 0.3 of the annotators' distance, of which each direction has 1 / sqrt(2), in image heights.
    #expect(abs(hip / (0.3 * 0.107 / 2.0.squareRoot() * 0.436 * 0.7) - 1) < 0.03)
    // The image is half as wide as it is high.
    #expect(abs(deviation(frames.map { Double($0[11].x) }) / hip - 2) < 0.06)
  }

  /// Of an autoregressive part of 3/4 of the variance with a memory of exp(-1/30 / 0.3) a frame and a new part of 1/4, the
  /// correlation of neighbouring frames is 3/4 exp(-1/9) = 0.671.
  @Test func jitterForgetsItselfSlowly() {
    var noise = EstimatorNoise.none
    noise.jitter = 0.3
    noise.correlationTime = 0.3
    noise.whiteShare = 0.25
    let y = run(noise, frames: 20_000).map { Double($0[13].y) }
    let mean = y.reduce(0, +) / Double(y.count)
    let products = zip(y, y.dropFirst()).map { ($0 - mean) * ($1 - mean) }
    let correlation = products.reduce(0, +) / Double(products.count) / (deviation(y) * deviation(y))
    #expect(abs(correlation - 0.671) < 0.03)
  }

  @Test func inversionTakesLeftForRight() {
    var noise = EstimatorNoise.none
    noise.inversionRate = 3
    noise.runLength = 0.3
    let left = Float(still.points[15]?.x ?? .nan)
    let right = Float(still.points[16]?.x ?? .nan)
    var inverted = 0
    for frame in run(noise, frames: 600) {
      let pair = (frame[15], frame[16])
      #expect((pair.0.x == left && pair.1.x == right) || (pair.0.x == right && pair.1.x == left))
      // Whatever leg is taken for the other is so as a whole, and with its height.
      let isInverted = pair.0.x == right
      #expect((frame[13].x == right) == isInverted && (frame[11].x == right) == isInverted)
      #expect(pair.0.y == Float(still.points[isInverted ? 16 : 15]?.y ?? .nan))
      #expect(frame[0].x == Float(still.points[0]?.x ?? .nan))
      inverted += isInverted ? 1 : 0
    }
    #expect(inverted > 60 && inverted < 500)
  }

  @Test func hiddenKeypointsAreWorse() {
    var noise = EstimatorNoise()
    noise.correlationTime = 1e-6
    noise.inversionRate = 0
    noise.missRate = 0
    noise.outlierRate = 0
    var observation = still
    observation.hidden[13] = true
    let frames = run(noise, observation, frames: 6000)
    func seen(_ keypoint: Int) -> [SIMD3<Float>] { frames.map { $0[keypoint] }.filter { !$0.x.isNaN } }
    func confidence(_ keypoint: Int) -> Float { seen(keypoint).map(\.z).reduce(0, +) / Float(seen(keypoint).count) }
    #expect(confidence(13) < confidence(14) - 0.2)
    #expect(abs(deviation(seen(13).map { Double($0.y) }) / deviation(seen(14).map { Double($0.y) }) - 2.2) < 0.15)
    #expect(seen(13).count < seen(14).count)
    for keypoint in 0..<17 {
      for value in frames.map({ $0[keypoint] }) {
        // Both coordinates are missing together, and nothing is known of what is missing.
        #expect(value.x.isNaN == value.y.isNaN && (value.x.isNaN == (value.z == 0)))
        #expect(value.z >= 0 && value.z <= 1)
      }
    }
  }

  /// A drop-out starts 0.5 times a second while none is on and lasts 0.2 s: about 0.2 / (2 + 0.2) of the time is lost.
  @Test func dropOutsLoseTheirShareOfTheFrames() {
    var noise = EstimatorNoise.none
    noise.dropoutRate = 0.5
    noise.runLength = 0.2
    let frames = run(noise, frames: 9000)
    let missing = frames.map { $0.count { $0.x.isNaN } }.reduce(0, +)
    #expect(abs(Double(missing) / (9000 * 17) - 0.2 / 2.2) < 0.02)
    #expect(frames.contains { frame in frame.contains { $0.x.isNaN } && frame.contains { !$0.x.isNaN } })
  }

  @Test func whoeverIsMissedIsMissedWhole() {
    var noise = EstimatorNoise.none
    noise.missRate = 1
    let frames = run(noise, frames: 900)
    #expect(frames.allSatisfy { frame in Set(frame.map(\.x.isNaN)).count == 1 })
    #expect(Set(frames.map { $0[0].x.isNaN }) == [true, false])
  }

  @Test func outliersAreFarOffAndRare() {
    var noise = EstimatorNoise.none
    noise.outlierRate = 0.2
    let frames = run(noise, frames: 3000)
    let strays = frames.flatMap { frame in
      zip(frame, still.points).compactMap { written, point -> Double? in
        guard let point, !written.x.isNaN else { return nil }
        let (dx, dy) = ((Double(written.x) - point.x) * 0.5, Double(written.y) - point.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        return distance > 1e-6 ? distance / 0.7 : nil
      }
    }
    #expect(!strays.isEmpty && strays.count < 3000 * 17 / 20)
    #expect(strays.allSatisfy { $0 > 0.0799 && $0 < 0.3501 })
  }

  /// An ankle 0.2 of the image's height below it, whose deviation at hidden jitter is 0.3 * 2.2 * 0.089 / sqrt(2) * 0.436
  /// * 0.7 = 0.0127 of the height: half of a normal deviate has the mean sqrt(2 / pi) = 0.798 of that, 0.0101.
  @Test func feetBelowTheImageAreInventedAtItsEdge() {
    var observation = still
    observation.points[15] = SIMD2(0.6, 1.2)
    observation.points[16] = SIMD2(1.01, 0.9)
    var noise = EstimatorNoise.none
    #expect(run(noise, observation, frames: 1)[0][15].x.isNaN)
    noise.inventsFeet = true
    let frame = run(noise, observation, frames: 1)[0]
    #expect(frame[15] == SIMD3(0.6, 1, 1))
    // Nothing is invented beside the image.
    #expect(frame[16].x.isNaN)
    noise.jitter = 0.3
    noise.hiddenConfidence = 0.5
    noise.correlationTime = 1e-6
    let ankles = run(noise, observation, frames: 20_000).map { $0[15] }
    #expect(ankles.allSatisfy { $0.y <= 1 })
    let above = ankles.map { 1 - Double($0.y) }.reduce(0, +) / 20_000
    #expect(abs(above / 0.0101 - 1) < 0.03)
    #expect(abs(ankles.map { Double($0.z) }.reduce(0, +) / 20_000 - 0.5) < 0.05)
  }

  @Test func whatTheImageDoesNotShowIsMissing() {
    var observation = still
    observation.points[9] = SIMD2(1.01, 0.5)
    observation.points[10] = nil
    let frame = run(.none, observation, frames: 1)[0]
    #expect(frame[9].x.isNaN && frame[9].z == 0 && frame[10].x.isNaN)
    #expect(!frame[8].x.isNaN)
    // Nobody is found by four keypoints.
    for keypoint in 4..<17 { observation.points[keypoint] = nil }
    #expect(run(.none, observation, frames: 1)[0].allSatisfy { $0.x.isNaN })
  }
}
