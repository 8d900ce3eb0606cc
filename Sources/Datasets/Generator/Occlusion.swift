import PoseModel

/// Which joints a person's own body hides from a camera.
///
/// Trunk, head and limbs are capsules: a joint is hidden where the line of sight to it passes through one that stands well
/// in front of it.
struct Occlusion: Sendable {
  /// A limb: a segment between two joints, with a radius in statures.
  private struct Limb: Sendable {
    var from: Joint
    var to: Joint
    var radius: Double
  }

  private static let limbs: [Limb] = [
    Limb(from: .root, to: .neck, radius: 0.068), Limb(from: .leftEar, to: .rightEar, radius: 0.045),
    Limb(from: .leftHip, to: .leftKnee, radius: 0.042), Limb(from: .rightHip, to: .rightKnee, radius: 0.042),
    Limb(from: .leftKnee, to: .leftAnkle, radius: 0.03), Limb(from: .rightKnee, to: .rightAnkle, radius: 0.03),
    Limb(from: .leftShoulder, to: .leftElbow, radius: 0.026),
    Limb(from: .rightShoulder, to: .rightElbow, radius: 0.026),
    Limb(from: .leftElbow, to: .leftWrist, radius: 0.021), Limb(from: .rightElbow, to: .rightWrist, radius: 0.021),
  ]

  /// How far in front of a joint something must be to hide it, in statures: joints lie inside the body.
  private static let margin = 0.035

  static func hides(_ joint: Joint, of joints: JointPositions, stature: Double, from camera: SIMD3<Double>) -> Bool {
    let distance = joints[joint].distance(to: camera)
    return limbs.contains { limb in
      guard limb.from != joint && limb.to != joint else { return false }
      let near = closest(from: camera, to: joints[joint], joints[limb.from], joints[limb.to])
      return near.distance < limb.radius * stature && (1 - near.fraction) * distance > margin * stature
    }
  }

  /// The least distance between segments `pq` and `ab`, and how far along `pq` it is.
  ///
  /// Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.9.
  private static func closest(
    from p: SIMD3<Double>, to q: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (fraction: Double, distance: Double) {
    let (u, v, w) = (q - p, b - a, p - a)
    let (uu, vv, uv, uw, vw) = (u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w))
    let determinant = uu * vv - uv * uv
    var s = determinant > 1e-12 ? min(max((uv * vw - uw * vv) / determinant, 0), 1) : 0
    var t = (uv * s + vw) / vv
    if t < 0 || t > 1 {
      t = min(max(t, 0), 1)
      s = min(max((uv * t - uw) / uu, 0), 1)
    }
    return (s, (p + u * s).distance(to: a + v * t))
  }
}
