import PoseModel

/// The share of joints, over the frames, that an estimator does not find or finds with low confidence.
public struct KeypointDropOut: Hashable, Sendable {
  var missing = 0
  var total = 0

  public init() {}

  /// - Parameters:
  ///   - joints: Those of the estimator's skeleton; any other would count as never found.
  ///   - confidence: A joint with a lower confidence counts as missing.
  public init(_ poses: PoseSequence, joints: [Joint], confidence: Float = 0) {
    total = poses.frameCount * joints.count
    for joint in joints {
      missing += (0..<poses.frameCount).count {
        poses.point(joint, $0) == nil || poses[joint, .confidence, $0] < confidence
      }
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.missing += b.missing
    sum.total += b.total
    return sum
  }

  /// 0...1; `nil` without frames or joints.
  public var value: Double? { total > 0 ? Double(missing) / Double(total) : nil }
}

extension KeypointDropOut: MetricGroup {
  public static let title = "keypoints of two estimators"

  public static let plainNames = ["keypoints.drop-out": "joints not found"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.keypointDropOut]
  }
}

extension Metric {
  public static let keypointDropOut = Metric(
    "keypoints.drop-out", "Share of joints that are missing or have low confidence.", .lowerIsBetter, range: 0...1,
    undefined: "there are no frames", source: "the definition")
}
