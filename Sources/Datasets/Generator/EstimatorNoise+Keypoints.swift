import PoseModel
import RealModule

extension EstimatorNoise {
  /// The keypoints that this estimator would write: frame by frame, keypoint by keypoint, x, y and confidence.
  ///
  /// A keypoint that is missing or outside the image has NaN for x and y and a confidence of 0. A person with fewer than
  /// five keypoints in the image is not found.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - aspect: the image's width divided by its height.
  public func keypoints(
    _ observations: [Observation], rate: Double, aspect: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    let count = Self.annotatorDeviations.count
    var run = Run(noise: self, keypointCount: count, interval: 1 / rate)
    var values: [Float] = []
    values.reserveCapacity(observations.count * count * 3)
    for observation in observations {
      run.advance(observation, using: &generator)
      for keypoint in 0..<count {
        guard let point = run.seen(observation, keypoint, aspect: aspect) else {
          values += [.nan, .nan, 0]
          continue
        }
        values += [
          Float(point.x), Float(point.y), Float(run.confidence(observation, keypoint, using: &generator)),
        ]
      }
    }
    return values
  }
}

/// The state of an estimator's errors from frame to frame.
private struct Run {
  /// Which keypoints an inversion takes for each other.
  enum Inversion: CaseIterable {
    case all, arms, legs

    var pairs: ClosedRange<Int> {
      switch self {
      case .all: 0...7
      case .arms: 2...4
      case .legs: 5...7
      }
    }
  }

  let noise: EstimatorNoise
  /// Seconds between frames.
  let interval: Double
  /// The jitter of each keypoint, of variance 1 in each direction: its slow part and all of it.
  var slow: [SIMD2<Double>]
  var jitter: [SIMD2<Double>]
  /// How many seconds each error has still to go.
  var dropout: [Double]
  var outlier: [Double]
  var miss = 0.0
  var inversion = 0.0
  /// Where an outlier is, relative to the keypoint, in statures.
  var stray: [SIMD2<Double>]
  var inverted = Inversion.all
  var started = false

  init(noise: EstimatorNoise, keypointCount: Int, interval: Double) {
    self.noise = noise
    self.interval = interval
    slow = Array(repeating: .zero, count: keypointCount)
    jitter = slow
    stray = slow
    dropout = Array(repeating: 0, count: keypointCount)
    outlier = dropout
  }

  mutating func advance(_ observation: EstimatorNoise.Observation, using generator: inout SeededGenerator) {
    func continues(_ left: inout Double, rate: Double, mean: Double, _ generator: inout SeededGenerator) -> Bool {
      left -= interval
      guard left <= 0 && generator.chance(rate * interval) else { return false }
      left = interval / 2 + generator.exponential(mean: mean)
      return true
    }
    _ = continues(&miss, rate: noise.missRate, mean: noise.runLength, &generator)
    if continues(&inversion, rate: noise.inversionRate, mean: noise.runLength, &generator) {
      // Legs are mistaken most often: nothing about them tells left from right.
      inverted = generator.chance(0.6) ? .legs : generator.chance(0.5) ? .arms : .all
    }
    let memory = started ? Double.exp(-interval / noise.correlationTime) : 0
    for keypoint in slow.indices {
      func deviate() -> SIMD2<Double> { SIMD2(generator.normal(), generator.normal()) }
      slow[keypoint] = slow[keypoint] * memory + deviate() * (1 - memory * memory).squareRoot()
      jitter[keypoint] =
        slow[keypoint] * (1 - noise.whiteShare).squareRoot() + deviate() * noise.whiteShare.squareRoot()
      let rate = observation.hidden[source(keypoint)] ? noise.hiddenDropoutRate : noise.dropoutRate
      _ = continues(&dropout[keypoint], rate: rate, mean: noise.runLength, &generator)
      if continues(&outlier[keypoint], rate: noise.outlierRate, mean: noise.runLength / 3, &generator) {
        let angle = generator.uniform(0, 2 * .pi)
        stray[keypoint] = SIMD2(Double.cos(angle), Double.sin(angle)) * generator.uniform(0.08, 0.35)
      }
    }
    started = true
  }

  /// Where the keypoint is written, in the image's width and height; `nil` where it is missing.
  func seen(_ observation: EstimatorNoise.Observation, _ keypoint: Int, aspect: Double) -> SIMD2<Double>? {
    func inside(_ point: SIMD2<Double>?) -> Bool {
      guard let point else { return false }
      return (0...1).contains(point.x) && (0...1).contains(point.y)
    }
    guard miss <= 0, dropout[keypoint] <= 0, observation.points.count(where: inside) >= 5,
      let point = observation.points[source(keypoint)]
    else { return nil }
    // The deviation of COCO is of the distance: each direction has half its variance.
    let deviation =
      noise.jitter * EstimatorNoise.annotatorDeviations[keypoint] / 2.0.squareRoot()
      * (observation.hidden[source(keypoint)] ? noise.hiddenJitter : 1) * EstimatorNoise.areaRoot * observation.stature
    var offset = jitter[keypoint] * deviation
    if outlier[keypoint] > 0 { offset += stray[keypoint] * observation.stature }
    let written = point + SIMD2(offset.x / aspect, offset.y)
    return inside(point) && inside(written) ? written : nil
  }

  func confidence(
    _ observation: EstimatorNoise.Observation, _ keypoint: Int, using generator: inout SeededGenerator
  ) -> Double {
    let hidden = observation.hidden[source(keypoint)]
    let mean = hidden ? noise.hiddenConfidence : noise.confidence
    guard mean < 1 else { return 1 }
    let lost = outlier[keypoint] > 0 ? 0.3 : 0.02 * jitter[keypoint].x.magnitude
    return min(max(generator.normal(mean, sd: hidden ? 0.09 : 0.04) - lost, 0.02), 0.99)
  }

  /// Which keypoint is taken for this one: keypoint 0 is the nose, then come the pairs of left and right.
  private func source(_ keypoint: Int) -> Int {
    guard inversion > 0, keypoint > 0, inverted.pairs.contains((keypoint - 1) / 2) else { return keypoint }
    return (keypoint - 1) ^ 1 + 1
  }
}
