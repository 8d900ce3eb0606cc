import PoseModel

/// PCK: the share of joints of a reference estimator that another one finds near the same place.
///
/// Near means within a share of a length in the reference's pose. Joints and frames that the reference lacks, and
/// frames without that length, are not compared; a joint that only the other estimator lacks is not correct.
///
/// - Source: Yang and Ramanan, Articulated Human Detection with Flexible Mixtures of Parts, 2013, §8; see `PoseScale` for
///   the lengths.
public struct PercentageOfCorrectKeypoints: Hashable, Sendable {
  var correct = 0
  var compared = 0
  /// Frames of the reference without the length that defines the tolerance.
  public private(set) var framesWithoutScale = 0

  public init() {}

  /// - Parameter share: Of the scale's length; exactly this far is correct. 0.2 of the torso and 0.5 of the head are
  ///   usual.
  public init(
    reference: PoseSequence, other: PoseSequence, joints: [Joint] = Joint.allCases, within share: Double,
    of scale: PoseScale
  ) {
    let otherFrames = Dictionary(uniqueKeysWithValues: reference.framesShared(with: other).map { ($0.own, $0.other) })
    for frame in 0..<reference.frameCount {
      guard let length = scale.length(in: reference, frame: frame) else {
        framesWithoutScale += 1
        continue
      }
      for joint in joints {
        guard let place = reference.point(joint, frame) else { continue }
        compared += 1
        guard let found = otherFrames[frame].flatMap({ other.point(joint, $0) }) else { continue }
        if place.distance(to: found) <= share * length { correct += 1 }
      }
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.correct += b.correct
    sum.compared += b.compared
    sum.framesWithoutScale += b.framesWithoutScale
    return sum
  }

  /// 0...1; `nil` if no joint is compared.
  public var value: Double? { compared > 0 ? Double(correct) / Double(compared) : nil }
}

extension PercentageOfCorrectKeypoints: MetricGroup {
  public static let title = "keypoints of two estimators"

  public static let plainNames = ["keypoints.pck": "joints in place (PCK)"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.percentageOfCorrectKeypoints]
  }
}

extension Metric {
  public static let percentageOfCorrectKeypoints = Metric(
    "keypoints.pck", "Share of the reference estimator's joints that are found near the same place (PCK).",
    .higherIsBetter, range: 0...1, undefined: "the reference has no joint in a frame with a scale",
    source: "Yang and Ramanan, Articulated Human Detection with Flexible Mixtures of Parts, 2013")
}

/// The length in a pose that distances are divided by, to be independent of the person's size in the image.
public enum PoseScale: String, CaseIterable, Hashable, Sendable {
  /// From the left shoulder to the right hip.
  ///
  /// - Source: Sapp and Taskar, MODEC: Multimodal Decomposable Models for Human Pose Estimation, 2013 (torso diameter).
  case torso
  /// From the neck to the nose: the part of the head segment that common joints cover.
  ///
  /// Shorter than the head of Andriluka et al., 2D Human Pose Estimation: New Benchmark and State of the Art Analysis,
  /// 2014 (PCKh), which comes from a box around the head: the same threshold is therefore stricter.
  case head

  var ends: (Joint, Joint) { self == .torso ? (.leftShoulder, .rightHip) : (.neck, .nose) }

  /// In the image, in image heights; `nil` if an end is missing or both are in one place.
  public func length(in poses: PoseSequence, frame: Int) -> Double? {
    guard let a = poses.point(ends.0, frame), let b = poses.point(ends.1, frame) else { return nil }
    let length = a.distance(to: b)
    return length > 0 ? length : nil
  }
}

/// A place in the image, in image heights.
struct ImagePoint: Hashable, Sendable {
  var x: Double
  var y: Double

  func distance(to other: ImagePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

extension PoseSequence {
  /// The position of a joint; `nil` if it is missing.
  func point(_ joint: Joint, _ frame: Int) -> ImagePoint? {
    let point = ImagePoint(x: Double(self[joint, .x, frame]), y: Double(self[joint, .y, frame]))
    return point.x.isFinite && point.y.isFinite ? point : nil
  }

  /// Frames of both at the same time.
  func framesShared(with other: PoseSequence) -> [(own: Int, other: Int)] {
    var shared: [(own: Int, other: Int)] = []
    var (own, theirs) = (0, 0)
    while own < frameCount && theirs < other.frameCount {
      let (time, otherTime) = (times[own], other.times[theirs])
      if time == otherTime { shared.append((own, theirs)) }
      if time <= otherTime { own += 1 }
      if otherTime <= time { theirs += 1 }
    }
    return shared
  }
}
