import Datasets
import PoseModel

/// Joints that tremble: normal deviates on every joint, axis and frame, independent of each other.
///
/// The standard deviation is a share of the trunk's length, neck to root in the picture, by the clip's median: errors of
/// keypoints are usually measured by the torso (Sapp and Taskar, MODEC, 2013), since a person twice as far away is as large
/// in the picture as the errors on them. White noise is the worst case for whatever looks at changes from frame to frame:
/// real errors last.
public struct JointNoise: Perturbation {
  public static let profile = PerturbationProfile(
    name: "noise", example: "2%", axis: "noise, % of the trunk's length",
    meaning: """
      Normal noise on every joint and axis, new in every frame; the amount is its standard deviation as a share of the \
      trunk's length in the picture (neck to root, median of the clip).
      """, ladder: ["1%", "2%", "5%", "10%"])

  /// Of the trunk's length, 0...1.
  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the trunk's length")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    guard share > 0, (0..<poses.frameCount).contains(where: { frame in poses.found.contains { poses.has($0, frame) } })
    else { return }
    guard let trunk = trunk(poses) else {
      throw PerturbationError(expected: "a trunk to measure noise by", found: "no frame with shoulders and hips")
    }
    let deviation = share * Double(trunk)
    for joint in poses.found {
      for frame in 0..<poses.frameCount {
        // Drawn for joints that are missing too, so that one that is found more often changes no other's noise.
        let step = SIMD3(
          Float(generator.normal(sd: deviation)), Float(generator.normal(sd: deviation)),
          Float(generator.normal(sd: deviation)))
        if poses.has(joint, frame) { poses.move(joint, by: step, frame) }
      }
    }
  }

  /// In image heights.
  private func trunk(_ poses: EditablePoses) -> Float? {
    let lengths = (0..<poses.frameCount).compactMap { frame -> Float? in
      let x = poses[.neck, .x, frame] - poses[.root, .x, frame]
      let y = poses[.neck, .y, frame] - poses[.root, .y, frame]
      let length = (x * x + y * y).squareRoot()
      return length > 0 ? length : nil
    }.sorted()
    return lengths.isEmpty ? nil : lengths[lengths.count / 2]
  }
}
