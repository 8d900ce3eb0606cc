import Datasets
import PoseModel

/// Left taken for right, of the whole body, for a share of the time, in runs.
///
/// The inversion of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose Estimation, 2017, of all
/// joints at once: as of someone who is taken to face the other way.
public struct SideSwap: Perturbation {
  public static let profile = PerturbationProfile(
    name: "swap", example: "1%", axis: "left taken for right, % of the time",
    meaning: "All left and right joints change places for this share of the time, in runs of 0.2 s on average.",
    ladder: ["1%", "2%", "5%", "10%"])

  public let share: Double

  public init(_ amount: String) throws(PerturbationError) {
    share = try PerturbationAmount.share(amount, of: "the time")
  }

  public var strength: Double { share * 100 }
  public var amount: String { PerturbationAmount.plain(strength) + "%" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    var bursts = Bursts(share: share, meanLength: JointDropout.meanLength)
    for frame in 0..<poses.frameCount where bursts.isThere(at: poses.times[frame], using: &generator) {
      poses.swapSides(frame)
    }
  }
}
