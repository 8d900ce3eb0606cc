import Datasets
import PoseModel

/// Joints that the estimator loses: each by itself, for a share of the time, in bursts.
public struct JointDropout: Perturbation {
  public static let profile = PerturbationProfile(
    name: "dropout", example: "20%", axis: "joints missing, % of the time",
    meaning: """
      Every joint by itself is missing for this share of the time, in bursts of 0.2 s on average, as when a limb passes \
      before it.
      """, ladder: ["5%", "10%", "20%", "40%"])

  /// Of a burst, in seconds: some frames of any camera.
  static let meanLength = 0.2

  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the joints")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    for joint in poses.found {
      var bursts = Bursts(share: share, meanLength: Self.meanLength)
      for frame in 0..<poses.frameCount where bursts.isThere(at: poses.times[frame], using: &generator) {
        poses.lose(joint, frame)
      }
    }
  }
}
