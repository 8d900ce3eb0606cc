import PoseModel
import RealModule
import Statistics

/// A slower camera: drops frames until at most this many a second remain.
///
/// Keeps the first frame after the start of each interval, as a camera does at a lower rate; a recording that is no
/// faster stays unchanged.
public struct LowerFrameRate: Perturbation {
  public static let profile = PerturbationProfile(
    name: "fps", example: "10", axis: "time between frames, ms",
    meaning: "Frames are dropped until at most this many a second remain; the others keep their times.",
    ladder: ["15", "10", "7.5", "5"])

  /// Frames a second.
  public let rate: Double

  public init(_ amount: String) throws(PerturbationError) {
    rate = try PerturbationAmount.number(
      amount, units: [("fps", 1)], in: 0.1...1000, expected: "0.1 to 1000 frames a second")
  }

  /// Milliseconds between frames. Never 0, because the undisturbed value depends on the recording.
  public var strength: Double { 1000 / rate }
  public var amount: String { PerturbationAmount.plain(rate) }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    guard let first = poses.times.first else { return }
    var kept: [Int] = []
    var next = 0
    for (frame, time) in poses.times.enumerated() {
      // Microsecond rounding must not drop frames of a recording with the same rate.
      let elapsed = time - first + Microseconds(1)
      guard elapsed >= Microseconds(frame: next, rate: rate) else { continue }
      kept.append(frame)
      next = max(next, Int(elapsed.seconds * rate)) + 1
    }
    if kept.count < poses.frameCount { poses.keep(kept) }
  }
}

/// The same movement from another view: the body turned about the vertical.
///
/// Only a recording with depth shows what another camera would see; estimated depth becomes estimated width, with all
/// its errors. Without depth, the body is turned as if all joints lay in the image plane: widths shrink by the cosine
/// of the angle. That is correct for movement in that plane, such as a squat seen from the side, but not for the width
/// of the body; movement towards the camera stays hidden. The camera is assumed far away and upright. The axis runs
/// through the hips in the middle of the clip.
public struct TurnedView: Perturbation {
  public static let profile = PerturbationProfile(
    name: "view", example: "+30°", axis: "view turned about the vertical, °",
    meaning: """
      The body is turned about the vertical by this angle; a positive angle moves the near side to the right. Without \
      depth the body is turned as if it were flat, and widths shrink by the cosine of the angle.
      """, ladder: ["15°", "30°", "45°", "60°"],
    withoutDepth: "is turned as if it were flat: widths shrink by the cosine of the angle")

  /// The largest turn of a flat body, in degrees: beyond it, the body is almost a line.
  public static let mostOfFlat = 75.0

  /// Degrees.
  public let angle: Double

  public init(_ amount: String) throws(PerturbationError) {
    angle = try PerturbationAmount.number(
      amount, units: [("°", 1), ("deg", 1)], in: -360...360, expected: "-360° to +360°")
  }

  public var strength: Double { angle }
  public var amount: String { (angle > 0 ? "+" : "") + PerturbationAmount.plain(angle) + "°" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {
    guard angle != 0 else { return }
    let frames = 0..<poses.frameCount
    guard frames.contains(where: { frame in poses.found.contains { poses.has($0, frame) } }) else { return }
    let cosine = Float(Double.cos(angle * .pi / 180))
    let sine = Float(Double.sin(angle * .pi / 180))
    guard let axis = middle(poses, .x) else { return }
    guard let depth = middle(poses, .z) else {
      guard angle.magnitude <= Self.mostOfFlat else {
        throw PerturbationError(
          expected: "depth (z) for a turn by more than \(PerturbationAmount.plain(Self.mostOfFlat))°", found: "none")
      }
      for frame in frames { poses.map({ SIMD3(axis + cosine * ($0.x - axis), $0.y, $0.z) }, frame) }
      return
    }
    for frame in frames {
      poses.map(
        { place in
          let (x, z) = (place.x - axis, place.z - depth)
          return SIMD3(axis + cosine * x - sine * z, place.y, depth + sine * x + cosine * z)
        }, frame)
    }
  }

  /// The median of the hips along a channel; without hips the neck, or else any joint.
  private func middle(_ poses: EditablePoses, _ channel: Channel) -> Float? {
    for joint in [Joint.root, .neck] + Joint.allCases {
      let known = (0..<poses.frameCount).filter { poses.has(joint, $0) }.map { poses[joint, channel, $0] }
        .filter(\.isFinite).sorted()
      if !known.isEmpty { return known[known.count / 2] }
    }
    return nil
  }
}

/// A slower path from the camera to the detector, which delays all its reports by this much.
///
/// The poses stay the same, and so do counts and grades; reports and cues come later.
public struct LateReports: Perturbation {
  public static let profile = PerturbationProfile(
    name: "latency", example: "100ms", axis: "frames late, ms",
    meaning: "Every frame reaches the detector this much later, and all its reports are delayed by the same time.",
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
    _ poses: inout EditablePoses, using generator: inout SeededGenerator
  ) throws(PerturbationError) {}
}
