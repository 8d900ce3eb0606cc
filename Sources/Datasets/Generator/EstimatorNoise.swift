import PoseModel

/// How a pose estimator errs: what stands between a person's true joints and a recording's keypoints.
///
/// The kinds are those of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, ICCV
/// 2017: jitter (near the joint), inversion (left taken for right), miss (far from any joint; here an outlier or nothing
/// at all). Their fourth, a swap with another person's joint, needs a second person and does not occur.
public struct EstimatorNoise: Hashable, Sendable {
  /// What one frame would show to an estimator that does not err.
  public struct Observation: Hashable, Sendable {
    /// A keypoint of `Skeleton.coco17` each: 0...1 of the image's width and height; `nil` behind the camera.
    public var points: [SIMD2<Double>?]
    /// Whether something stands in front of the keypoint.
    public var hidden: [Bool]
    /// Of the person at their distance, in image heights.
    public var stature: Double

    public init(points: [SIMD2<Double>?], hidden: [Bool], stature: Double) {
      self.points = points
      self.hidden = hidden
      self.stature = stature
    }
  }

  /// Jitter in units of what two annotators differ by.
  public var jitter = 0.3
  /// How many times larger the jitter of a hidden keypoint is.
  public var hiddenJitter = 2.2
  /// Over how many seconds the slow part of the jitter forgets itself.
  public var correlationTime = 0.3
  /// The part of the jitter's variance that is new in each frame: 0...1.
  public var whiteShare = 0.25
  /// Outliers a second and keypoint.
  public var outlierRate = 0.02
  /// Drop-outs a second and keypoint, where it can be seen and where it is hidden.
  public var dropoutRate = 0.02
  public var hiddenDropoutRate = 0.15
  /// How often a second nobody is found.
  public var missRate = 0.02
  /// How often a second left is taken for right.
  public var inversionRate = 0.02
  /// Mean length in seconds of a drop-out, a miss and an inversion.
  public var runLength = 0.15
  /// Mean confidence of a keypoint in full view and of a hidden one.
  public var confidence = 0.88
  public var hiddenConfidence = 0.5

  public init() {}

  /// An estimator without errors, whose confidence is 1 for whatever the image shows.
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

  /// An estimator as good as some light model on some telephone; from the side legs and arms are told apart worst.
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

  /// How far two annotators of COCO put a keypoint apart, as a standard deviation in units of the square root of the
  /// person's area in the image.
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
