import Datasets
import PoseModel
import RealModule

/// The same movement from elsewhere: turned about the vertical.
///
/// Only a recording with depth says what another camera would see; a picture alone does not, so that is refused. The camera
/// is taken to be far away, as for any pose without a camera's distance, and upright. The axis is where the hips are in the
/// middle of the clip. Estimated depth turns into estimated width with all its errors.
public struct TurnedView: Perturbation {
  public static let profile = PerturbationProfile(
    name: "view", example: "+30°", axis: "view turned about the vertical, °",
    meaning: """
      The body is turned about the vertical by this angle, the near side to the right for a positive one; for recordings \
      with depth only.
      """, ladder: ["15°", "30°", "45°", "60°"], needsDepth: true)

  /// Degrees.
  public let angle: Double

  public init(_ amount: String) throws(PerturbationError) {
    angle = try PerturbationAmount.number(
      amount, units: [("°", 1), ("deg", 1)], in: -360...360, expected: "-360° to +360°")
  }

  public var strength: Double { angle }
  public var amount: String { (angle > 0 ? "+" : "") + PerturbationAmount.plain(angle) + "°" }

  public func perturb(
    _ poses: inout EditablePoses, using generator: inout Datasets.SeededGenerator
  ) throws(PerturbationError) {
    guard angle != 0 else { return }
    let frames = 0..<poses.frameCount
    guard frames.contains(where: { frame in poses.found.contains { poses.has($0, frame) } }) else { return }
    guard let middle = middle(poses) else {
      throw PerturbationError(expected: "depth (z), without which no other view is known", found: "none")
    }
    let cosine = Float(Double.cos(angle * .pi / 180))
    let sine = Float(Double.sin(angle * .pi / 180))
    for frame in frames {
      poses.map(
        { place in
          let (x, z) = (place.x - middle.x, place.z - middle.z)
          return SIMD3(middle.x + cosine * x - sine * z, place.y, middle.z + sine * x + cosine * z)
        }, frame)
    }
  }

  /// Where the hips are along x and z, by their medians.
  private func middle(_ poses: EditablePoses) -> (x: Float, z: Float)? {
    let joint = [Joint.root, .neck].first { joint in
      (0..<poses.frameCount).contains { poses[joint, .z, $0].isFinite && poses.has(joint, $0) }
    }
    guard let joint else { return nil }
    func median(_ channel: Channel) -> Float? {
      let known = (0..<poses.frameCount).map { poses[joint, channel, $0] }.filter(\.isFinite).sorted()
      return known.isEmpty ? nil : known[known.count / 2]
    }
    guard let x = median(.x), let z = median(.z) else { return nil }
    return (x, z)
  }
}
