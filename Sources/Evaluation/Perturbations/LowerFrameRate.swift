import Datasets
import PoseModel

/// A slower camera: frames left out until no more than so many a second remain.
///
/// The first frame that comes once each interval begins is kept, as a camera that is asked for a lower rate hands them on;
/// a recording that is no faster stays as it is.
public struct LowerFrameRate: Perturbation {
  public static let profile = PerturbationProfile(
    name: "fps", example: "10", axis: "time between frames, ms",
    meaning: "Frames are left out until at most this many a second remain; the others keep their times.",
    ladder: ["15", "10", "7.5", "5"])

  /// Frames a second.
  public let rate: Double

  public init(_ amount: String) throws(PerturbationError) {
    rate = try PerturbationAmount.number(
      amount, units: [("fps", 1)], in: 0.1...1000, expected: "0.1 to 1000 frames a second")
  }

  /// Milliseconds from frame to frame. Never 0: what is none depends on the recording.
  public var strength: Double { 1000 / rate }
  public var amount: String { PerturbationAmount.plain(rate) }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    guard let first = poses.times.first else { return }
    var kept: [Int] = []
    var next = 0
    for (frame, time) in poses.times.enumerated() {
      // A microsecond of rounding must not cost a recording of the same rate its frames.
      let elapsed = time - first + Microseconds(1)
      guard elapsed >= Microseconds(frame: next, rate: rate) else { continue }
      kept.append(frame)
      next = max(next, Int(elapsed.seconds * rate)) + 1
    }
    if kept.count < poses.frameCount { poses.keep(kept) }
  }
}
