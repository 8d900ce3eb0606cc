import PoseModel

/// The values of the shared parameters of all swing detectors, ready for use.
struct SwingSettings: Hashable, Sendable {
  var frameStride: Int
  var maximumRate: Double
  /// Processed frames that are kept.
  var capacity: Int
  var velocityWindow: Int
  var fastestWrist: Float
  /// `nil` if the detector must infer it.
  var hand: Hand?
  /// Metres; `nil` if not given.
  var bodyHeight: Double?
  var minimumPeakSpeed: Float
  var boundarySpeed: Float
  var classifierSpan: Microseconds
  /// How many points a simplified path has.
  var pathPoints: ClosedRange<Int>
  var classifier: SwingClassifier.Thresholds
  var review: SwingReview.Thresholds
  var visibility: Visibility

  /// - Throws: `ParameterError.contradiction` for a window without a middle, a boundary speed above the peak speed, or
  ///   more fewest than most path points.
  init(_ values: ParameterValues) throws(ParameterError) {
    typealias P = SwingParameters
    frameStride = Int(values[P.frameStride])
    maximumRate = values[P.maximumRate]
    capacity = Int(values[P.capacity])
    velocityWindow = Int(values[P.velocityWindow])
    guard velocityWindow % 2 == 1, Double(velocityWindow) == values[P.velocityWindow] else {
      throw .contradiction(
        "velocityWindow must be an odd number of frames, to have a middle, found \(values[P.velocityWindow])")
    }
    for parameter in [P.frameStride, P.capacity, P.fewestPathPoints, P.mostPathPoints] {
      guard values[parameter] == values[parameter].rounded() else {
        throw .contradiction(
          "\(parameter.name) must be a whole number of \(parameter.unit.rawValue), found \(values[parameter])")
      }
    }
    guard values[P.fewestPathPoints] <= values[P.mostPathPoints] else {
      throw .contradiction(
        "fewestPathPoints (\(values[P.fewestPathPoints])) must be at most mostPathPoints "
          + "(\(values[P.mostPathPoints]))")
    }
    pathPoints = Int(values[P.fewestPathPoints])...Int(values[P.mostPathPoints])
    guard values[P.boundarySpeed] < values[P.minimumPeakSpeed] else {
      throw .contradiction(
        "boundarySpeed (\(values[P.boundarySpeed])) must be less than minimumPeakSpeed "
          + "(\(values[P.minimumPeakSpeed])) body heights/s")
    }
    fastestWrist = Float(values[P.fastestWrist])
    hand =
      switch values[P.handedness] {
      case 1: .right
      case -1: .left
      case 0: nil
      default:
        throw .contradiction("handedness takes -1 (left), 0 (inferred) or 1 (right), found \(values[P.handedness])")
      }
    bodyHeight = values[P.bodyHeight] > 0 ? values[P.bodyHeight] : nil
    minimumPeakSpeed = Float(values[P.minimumPeakSpeed])
    boundarySpeed = Float(values[P.boundarySpeed])
    classifierSpan = Microseconds(seconds: values[P.classifierSpan]) ?? .zero
    classifier = SwingClassifier.Thresholds(values)
    review = try SwingReview.Thresholds(values)
    visibility = P.visibilityThresholds.visibility(values)
  }
}

extension CountingRule {
  /// The counting rule of a stroke, by the wrist's speed as in `SwingTrace`.
  ///
  /// - Parameter ends: Whether the wrist must also become slow again.
  init(_ settings: SwingSettings, ends: Bool) {
    let boundary = SwingParameters.boundarySpeed
    let slow = Step(.end, isAbove: false, Double(settings.boundarySpeed), by: boundary.name)
    self.init(
      signal: "wrist speed", unit: boundary.unit.rawValue,
      steps: [
        Step(.begin, isAbove: true, Double(settings.boundarySpeed), by: boundary.name),
        Step(
          .turn, isAbove: true, Double(settings.minimumPeakSpeed), by: SwingParameters.minimumPeakSpeed.name),
      ] + (ends ? [slow] : []))
  }
}

/// The parameters that all swing detectors share.
///
/// The tennis architecture names its steps and gives numbers of frames only; every speed, distance and angle is left
/// open. They come from the literature if it has them and are otherwise marked as chosen here; none was fitted to
/// recordings.
enum SwingParameters {
  private static let document = "tennis architecture"
  private static let open = "left open by the tennis architecture; "

  static let frameStride = Parameter(
    "frameStride", 1, in: 1...30, .frames, "Processes only every n-th frame.",
    source: "\(document): 3 for a live camera (preset live), 1 for a file")
  static let maximumRate = Parameter(
    "maximumRate", 15, in: 0...240, .perSecond, "Highest rate of processed frames; 0 processes every frame.",
    source: "\(document): Extract frames at 15 fps")
  static let capacity = Parameter(
    "capacity", 90, in: 31...900, .frames, "Number of processed frames kept, the longest possible swing.",
    source: "\(document): Keep maximum 90 frames in buffer (3 seconds)")
  static let velocityWindow = Parameter(
    "velocityWindow", 5, in: 3...31, .frames, "Frames over which a wrist's speed is averaged, an odd number.",
    source: "\(document): velocityWindowSize")
  static let fastestWrist = Parameter(
    "fastestWrist", 10, in: 1...100, .bodyHeightsPerSecond,
    "Wrist speed above which a step is an estimator error and left out.",
    source: open + "17 m/s at 1.75 m, half of an elite racket's 33 m/s (Landlinger et al. 2010)")
  static let handedness = Parameter(
    "handedness", 0, in: -1...1, .ratio, "The hand that holds the racket: 1 right, -1 left, 0 inferred.",
    source: open + "an app knows its player")
  static let bodyHeight = Parameter(
    "bodyHeight", 0, in: 0...2.6, .metres,
    "The player's height; 0 if unknown, which leaves speeds in body heights a second.",
    source: open + "its speeds are in m/s, which keypoints alone do not give")
  static let minimumPeakSpeed = Parameter(
    "minimumPeakSpeed", 1.4, in: 0.1...20, .bodyHeightsPerSecond, "The least peak speed of a wrist in a swing.",
    source: open
      + "2.5 m/s at 1.75 m: the speed of good players' shoulders in a forehand, which the wrist exceeds "
      + "(Landlinger et al. 2010)")
  static let boundarySpeed = Parameter(
    "boundarySpeed", 0.7, in: 0.05...10, .bodyHeightsPerSecond,
    "Wrist speed above which a swing begins and below which it ends.",
    source: open + "half of minimumPeakSpeed")
  static let classifierSpan = Parameter(
    "classifierSpan", 0.133, in: 0.03...1, .seconds,
    "How long before and after the peak the classifier's other two frames are.",
    source: open
      + "two frames at 15 fps; trunk and hip turn fastest 0.06 to 0.09 s before contact (Landlinger et al. 2010)")
  static let fewestPathPoints = Parameter(
    "fewestPathPoints", 10, in: 2...100, .points,
    "Fewest points of a path, if the wrist was seen that often.",
    source: "\(document): Return simplified path (10-15 points)")
  static let mostPathPoints = Parameter(
    "mostPathPoints", 15, in: 2...100, .points, "Most points of a path.",
    source: "\(document): Return simplified path (10-15 points)")

  /// Joints above 0.3, in the picture: the document reads Apple Vision's 2D joints and their confidence.
  static let visibilityThresholds = VisibilityThresholds(
    minimumConfidence: Parameter(
      "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
      source: open + "0.3, as the squat form analyser, which reads the same joints"),
    usesDepth: .toggle(
      "usesDepth", false, "Measures turns and lean in 3D instead of in the image if the recording has depth.",
      source: "off: the \(document) sees 2D poses"))

  static let shared =
    [
      frameStride, maximumRate, capacity, velocityWindow, fastestWrist, handedness, bodyHeight, minimumPeakSpeed,
      boundarySpeed, classifierSpan, fewestPathPoints, mostPathPoints,
    ] + SwingClassifier.Thresholds.parameters + SwingReview.Thresholds.parameters + visibilityThresholds.all

  /// A live camera: every third frame, ten a second.
  static let live = Preset(
    "live", "Every third frame, as the tennis architecture processes a live camera at 30 frames a second.",
    [frameStride.name: 3, maximumRate.name: 0])
}

/// The hand that holds the racket.
public enum Hand: String, Hashable, Codable, Sendable {
  /// The player's own.
  case left, right

  /// The side of the body that it hangs on, as a sign: the person's own right is +1.
  var sign: Float { self == .right ? 1 : -1 }
}
