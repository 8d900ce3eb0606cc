import Datasets
import PoseModel

/// Joints that something stands in front of for the whole clip.
public struct HiddenJoints: Perturbation {
  public static let profile = PerturbationProfile(
    name: "occlude", example: "left_knee", axis: "joints of the left leg out of sight, from the foot up",
    meaning: """
      The named joints are never seen, as behind a bench; several are joined by +, and a name without a side is both: \
      left_knee+ankle.
      """,
    ladder: [
      "left_ankle", "left_ankle+left_knee", "left_ankle+left_knee+left_hip",
    ])

  /// In the order in which they were named.
  public let joints: [Joint]

  public init(_ amount: String) throws(PerturbationError) {
    var joints: [Joint] = []
    for name in amount.split(separator: "+", omittingEmptySubsequences: false) {
      let named = ["", "left_", "right_"].compactMap { Joint(name: $0 + String(name)) }
      guard !named.isEmpty else {
        let names = Joint.allCases.map(\.name)
        throw PerturbationError(
          expected: "joints joined by +, of \(names.joined(separator: ", "))",
          found: NearNames.question(String(name), in: names))
      }
      joints += named.filter { !joints.contains($0) }
    }
    self.joints = joints
  }

  public var strength: Double { Double(joints.count) }
  public var amount: String { joints.map(\.name).joined(separator: "+") }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    for joint in joints {
      for frame in 0..<poses.frameCount { poses.lose(joint, frame) }
    }
  }
}
