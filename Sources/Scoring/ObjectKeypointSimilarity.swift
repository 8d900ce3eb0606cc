import PoseModel
import RealModule

/// OKS: the similarity of two estimators' poses, with each joint weighted by how precisely people can label it.
///
/// The mean over the frames of the mean over the reference's joints of exp(−d² / (2 s² (2σ)²)): d is the distance, σ
/// the spread of people's own labels of the joint, s² the person's area. COCO uses the area of the person's outline;
/// here the bounding box of the reference's joints replaces it. A joint that the other estimator does not find counts
/// 0.
///
/// - Source: Lin et al., Microsoft COCO, and its keypoint evaluation (Ronchi and Perona, Benchmarking and Error
///   Diagnosis in Multi-Instance Pose Estimation, 2017, eq. 1), which gives σ for its 17 keypoints; other joints are
///   not compared.
public struct ObjectKeypointSimilarity: Hashable, Sendable {
  var frames = 0
  var sum = 0.0
  /// Frames in which the reference has too few joints for a box.
  public private(set) var undefined = 0

  public init() {}

  /// - Parameter joints: The joints that both estimators report; other joints would count as never found.
  public init(reference: PoseSequence, other: PoseSequence, joints: [Joint] = Joint.allCases) {
    let sigmas = Self.sigmas.filter { joints.contains($0.0) }
    let otherFrames = Dictionary(uniqueKeysWithValues: reference.framesShared(with: other).map { ($0.own, $0.other) })
    for frame in 0..<reference.frameCount {
      let places = sigmas.compactMap { joint, sigma in
        reference.point(joint, frame).map { (joint: joint, sigma: sigma, place: $0) }
      }
      let (x, y) = (places.map(\.place.x), places.map(\.place.y))
      guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max(),
        right > left, bottom > top
      else {
        undefined += 1
        continue
      }
      let area = (right - left) * (bottom - top)
      let similarities = places.map { joint, sigma, place in
        guard let found = otherFrames[frame].flatMap({ other.point(joint, $0) }) else { return 0.0 }
        let distance = place.distance(to: found)
        return Double.exp(-distance * distance / (2 * area * 4 * sigma * sigma))
      }
      frames += 1
      sum += similarities.reduce(0, +) / Double(places.count)
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var total = a
    total.frames += b.frames
    total.sum += b.sum
    total.undefined += b.undefined
    return total
  }

  /// 0...1; `nil` if no frame of the reference has a person's area.
  public var value: Double? { frames > 0 ? sum / Double(frames) : nil }

  /// COCO's σ, a share of the square root of the person's area.
  static let sigmas: [(Joint, Double)] = [
    (.nose, 0.026), (.leftEye, 0.025), (.rightEye, 0.025), (.leftEar, 0.035), (.rightEar, 0.035),
    (.leftShoulder, 0.079), (.rightShoulder, 0.079), (.leftElbow, 0.072), (.rightElbow, 0.072),
    (.leftWrist, 0.062), (.rightWrist, 0.062), (.leftHip, 0.107), (.rightHip, 0.107),
    (.leftKnee, 0.087), (.rightKnee, 0.087), (.leftAnkle, 0.089), (.rightAnkle, 0.089),
  ]
}

extension ObjectKeypointSimilarity: MetricGroup {
  public static let title = "keypoints of two estimators"

  public static let plainNames = ["keypoints.oks": "pose similarity (OKS)"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.objectKeypointSimilarity]
  }
}

extension Metric {
  public static let objectKeypointSimilarity = Metric(
    "keypoints.oks", "Mean similarity of the poses to the reference estimator's (OKS, with COCO's σ).",
    .higherIsBetter, range: 0...1,
    undefined: "the reference has no frame with two joints apart; frames without are left out and counted",
    source: "Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, 2017, eq. 1")
}
