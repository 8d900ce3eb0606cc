import PoseModel

/// PCK: the share of joints of a reference estimator that another one finds near the same place.
///
/// Near is within a share of a length in the reference's pose. A joint that the reference lacks is not compared, nor is a
/// frame that it lacks or that has no such length; one that only the other lacks is not correct.
///
/// - Source: Yang and Ramanan, Articulated Human Detection with Flexible Mixtures of Parts, 2013, §8; see `PoseScale` for
///   the lengths.
public struct PercentageOfCorrectKeypoints: Hashable, Sendable {
  var correct = 0
  var compared = 0
  /// Frames of the reference without the length that distances are measured by.
  public private(set) var framesWithoutScale = 0

  public init() {}

  /// - Parameter share: of the scale's length; exactly this far is correct. 0.2 of the torso and 0.5 of the head are
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

  /// 0...1; `nil` where no joint is compared.
  public var value: Double? { compared > 0 ? Double(correct) / Double(compared) : nil }
}

extension Metric {
  public static let percentageOfCorrectKeypoints = Metric(
    "keypoints.pck", "Share of the reference estimator's joints that are found near the same place (PCK).",
    .higherIsBetter, range: 0...1, undefined: "the reference has no joint in a frame with a scale",
    source: "Yang and Ramanan, Articulated Human Detection with Flexible Mixtures of Parts, 2013")
}
