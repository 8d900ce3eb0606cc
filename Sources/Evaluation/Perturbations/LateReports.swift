import Datasets
import PoseModel

/// A slower way from the camera to the detector: everything that it says comes so much later.
///
/// The poses stay as they are, so counts and grades do too; what changes is how late a rep is reported and a cue is heard.
public struct LateReports: Perturbation {
  public static let profile = PerturbationProfile(
    name: "latency", example: "100ms", axis: "frames late, ms",
    meaning: "Every frame reaches the detector this much later, so that all it says comes later by the same.",
    ladder: ["50ms", "100ms", "200ms", "400ms"], onlyDelays: true)

  /// Milliseconds.
  public let milliseconds: Double

  public init(_ amount: String) throws(PerturbationError) {
    milliseconds = try PerturbationAmount.number(
      amount, units: [("ms", 1), ("s", 1000)], in: 0...60_000, expected: "0 to 60000 ms, or seconds as in 0.1s")
  }

  public var strength: Double { milliseconds }
  public var amount: String { PerturbationAmount.plain(milliseconds) + "ms" }
  public var delay: Microseconds { Microseconds(Int64((milliseconds * 1000).rounded())) }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {}
}
