import PoseModel
import RealModule
import Statistics

/// The errors of a pose estimator between a person's true joints and a recording's keypoints.
///
/// The kinds are those of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, ICCV
/// 2017: jitter (near the joint), inversion (left and right swapped), miss (far from any joint; here an outlier or
/// a missing keypoint). Their fourth, a swap with another person's joint, needs a second person and does not occur.
public struct EstimatorNoise: Hashable, Sendable {
  /// The input of one frame for an estimator without errors.
  public struct Observation: Hashable, Sendable {
    /// One per keypoint of `Skeleton.coco17`: 0...1 of the image's width and height; `nil` behind the camera.
    public var points: [SIMD2<Double>?]
    /// Whether something is in front of the keypoint.
    public var hidden: [Bool]
    /// The person's stature at their distance, in image heights.
    public var stature: Double

    public init(points: [SIMD2<Double>?], hidden: [Bool], stature: Double) {
      self.points = points
      self.hidden = hidden
      self.stature = stature
    }
  }

  /// Jitter in units of the difference between two annotators.
  public var jitter = 0.3
  /// How many times larger the jitter of a hidden keypoint is.
  public var hiddenJitter = 2.2
  /// The correlation time of the slow part of the jitter, in seconds.
  public var correlationTime = 0.3
  /// The share of the jitter's variance that is new in each frame: 0...1.
  public var whiteShare = 0.25
  /// Outliers per second and keypoint.
  public var outlierRate = 0.02
  /// Drop-outs per second and keypoint, for visible and for hidden ones.
  public var dropoutRate = 0.02
  public var hiddenDropoutRate = 0.15
  /// Misses of the whole person, per second.
  public var missRate = 0.02
  /// Left-right inversions, per second.
  public var inversionRate = 0.02
  /// Mean length in seconds of a drop-out, a miss and an inversion.
  public var runLength = 0.15
  /// Mean confidence of a keypoint in full view and of a hidden one.
  public var confidence = 0.88
  public var hiddenConfidence = 0.5
  /// Whether a keypoint below the image is written at its lower edge, with the jitter and confidence of a hidden one,
  /// instead of missing: estimators that expect a whole person invent the feet that they do not see.
  public var inventsFeet = false

  public init() {}

  /// An estimator without errors, with confidence 1 for everything in the image.
  public static var none: EstimatorNoise {
    var noise = EstimatorNoise()
    noise.jitter = 0
    noise.outlierRate = 0
    noise.dropoutRate = 0
    noise.hiddenDropoutRate = 0
    noise.missRate = 0
    noise.inversionRate = 0
    noise.confidence = 1
    noise.hiddenConfidence = 1
    return noise
  }

  /// An estimator like a light model on a phone; from the side it confuses legs and arms most.
  init(view: CameraView, using generator: inout SeededGenerator) {
    jitter = generator.uniform(0.16, 0.42)
    hiddenJitter = generator.uniform(1.8, 2.8)
    correlationTime = generator.uniform(0.15, 0.5)
    whiteShare = generator.uniform(0.12, 0.35)
    outlierRate = generator.uniform(0.005, 0.03)
    dropoutRate = generator.uniform(0.005, 0.03)
    hiddenDropoutRate = generator.uniform(0.05, 0.3)
    missRate = generator.uniform(0, 0.04)
    inversionRate = generator.uniform(0.3, 1) * (view == .front ? 0.02 : view == .oblique ? 0.06 : 0.12)
    confidence = generator.uniform(0.78, 0.92)
    hiddenConfidence = generator.uniform(0.35, 0.6)
  }

  /// The distance between two COCO annotators' positions of a keypoint, as a standard deviation in units of the square
  /// root of the person's area in the image.
  ///
  /// Source: the keypoint evaluation page of COCO, cocodataset.org/#keypoints-eval, section 1.2.
  public static let annotatorDeviations: [Double] = [
    0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107, 0.087, 0.087, 0.089,
    0.089,
  ]

  /// The square root of a standing person's area in the image, in statures.
  ///
  /// A silhouette is on average 0.19 of the stature wide: 0.55 square metres at 1.7 m.
  public static let areaRoot = 0.436
}

extension EstimatorNoise {
  /// The keypoints that this estimator would write: frame by frame, keypoint by keypoint, x, y and confidence.
  ///
  /// A keypoint that is missing or outside the image has NaN for x and y and a confidence of 0, unless it is invented
  /// (`inventsFeet`). A person with fewer than five keypoints in the image is not found.
  ///
  /// - Parameters:
  ///   - rate: Frames a second.
  ///   - aspect: The image's width divided by its height.
  public func keypoints(
    _ observations: [Observation], rate: Double, aspect: Double, using generator: inout SeededGenerator
  ) -> [Float] {
    let count = Self.annotatorDeviations.count
    var run = Run(noise: self, keypointCount: count, interval: 1 / rate)
    var values: [Float] = []
    values.reserveCapacity(observations.count * count * 3)
    for observation in observations {
      let observation = inventsFeet ? observation.withInventedFeet : observation
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

extension EstimatorNoise.Observation {
  /// Every keypoint below the image moved up to its lower edge and marked as hidden.
  fileprivate var withInventedFeet: Self {
    var observation = self
    for (keypoint, point) in points.enumerated() {
      guard let point, point.y > 1 else { continue }
      observation.points[keypoint] = SIMD2(point.x, 1)
      observation.hidden[keypoint] = true
    }
    return observation
  }
}

/// The state of an estimator's errors from frame to frame.
private struct Run {
  /// The keypoints that an inversion swaps.
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
  /// The remaining seconds of each error.
  var dropout: [Double]
  var outlier: [Double]
  var miss = 0.0
  var inversion = 0.0
  /// The position of an outlier relative to the keypoint, in statures.
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
      // Legs are confused most often: nothing about them distinguishes left from right.
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

  /// The written position of the keypoint, in the image's width and height; `nil` if missing.
  func seen(_ observation: EstimatorNoise.Observation, _ keypoint: Int, aspect: Double) -> SIMD2<Double>? {
    func inside(_ point: SIMD2<Double>?) -> Bool {
      guard let point else { return false }
      return (0...1).contains(point.x) && (0...1).contains(point.y)
    }
    guard miss <= 0, dropout[keypoint] <= 0, observation.points.count(where: inside) >= 5,
      let point = observation.points[source(keypoint)]
    else { return nil }
    // COCO's deviation is of the distance: each direction has half its variance.
    let deviation =
      noise.jitter * EstimatorNoise.annotatorDeviations[keypoint] / 2.0.squareRoot()
      * (observation.hidden[source(keypoint)] ? noise.hiddenJitter : 1) * EstimatorNoise.areaRoot * observation.stature
    var offset = jitter[keypoint] * deviation
    if outlier[keypoint] > 0 { offset += stray[keypoint] * observation.stature }
    var written = point + SIMD2(offset.x / aspect, offset.y)
    // Half of the jitter at the lower edge would leave the image.
    if noise.inventsFeet && written.y > 1 { written.y = 2 - written.y }
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

  /// The keypoint that replaces this one: keypoint 0 is the nose, followed by the pairs of left and right.
  private func source(_ keypoint: Int) -> Int {
    guard inversion > 0, keypoint > 0, inverted.pairs.contains((keypoint - 1) / 2) else { return keypoint }
    return (keypoint - 1) ^ 1 + 1
  }
}

/// The joints that a person's own body hides from a camera.
///
/// Trunk, head and limbs are capsules: a joint is hidden if the line of sight to it passes through one that is well in
/// front of it.
struct Occlusion: Sendable {
  /// A limb: a segment between two joints, with a radius in statures.
  private struct Limb: Sendable {
    var from: Joint
    var to: Joint
    var radius: Double
  }

  private static let limbs: [Limb] = [
    Limb(from: .root, to: .neck, radius: 0.068), Limb(from: .leftEar, to: .rightEar, radius: 0.045),
    Limb(from: .leftHip, to: .leftKnee, radius: 0.042), Limb(from: .rightHip, to: .rightKnee, radius: 0.042),
    Limb(from: .leftKnee, to: .leftAnkle, radius: 0.03), Limb(from: .rightKnee, to: .rightAnkle, radius: 0.03),
    Limb(from: .leftShoulder, to: .leftElbow, radius: 0.026),
    Limb(from: .rightShoulder, to: .rightElbow, radius: 0.026),
    Limb(from: .leftElbow, to: .leftWrist, radius: 0.021), Limb(from: .rightElbow, to: .rightWrist, radius: 0.021),
  ]

  /// How far in front of a joint an object must be to hide it, in statures: joints lie inside the body.
  private static let margin = 0.035

  static func hides(_ joint: Joint, of joints: JointPositions, stature: Double, from camera: SIMD3<Double>) -> Bool {
    let distance = joints[joint].distance(to: camera)
    return limbs.contains { limb in
      guard limb.from != joint && limb.to != joint else { return false }
      let near = closest(from: camera, to: joints[joint], joints[limb.from], joints[limb.to])
      return near.distance < limb.radius * stature && (1 - near.fraction) * distance > margin * stature
    }
  }

  /// The least distance between segments `pq` and `ab`, and how far along `pq` it is.
  ///
  /// Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.9.
  private static func closest(
    from p: SIMD3<Double>, to q: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (fraction: Double, distance: Double) {
    let (u, v, w) = (q - p, b - a, p - a)
    let (uu, vv, uv, uw, vw) = (u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w))
    let determinant = uu * vv - uv * uv
    var s = determinant > 1e-12 ? min(max((uv * vw - uw * vv) / determinant, 0), 1) : 0
    var t = (uv * s + vw) / vv
    if t < 0 || t > 1 {
      t = min(max(t, 0), 1)
      s = min(max((uv * t - uw) / uu, 0), 1)
    }
    return (s, (p + u * s).distance(to: a + v * t))
  }
}
