/// A whole body's posture: what its joints' positions follow from.
public struct Posture: Hashable, Sendable {
  /// Halfway between the hips, in metres.
  var pelvis: SIMD3<Double>
  /// Where the pelvis and the trunk face, in degrees.
  var heading: Double
  /// How far the trunk leans ahead of the vertical, in degrees.
  var lean: Double
  /// How far the knees turn in from where the toes point, in degrees.
  var kneesInward: Double
  var leftFoot: Footing
  var rightFoot: Footing
  var arms: Arms
  /// How far the spine is bent from pelvis to shoulders, in degrees, which brings the two closer together.
  var rounding = 0.0
}

extension Posture {
  /// Between `a` at 0 and `b` at 1.
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    var posture = a
    posture.pelvis = a.pelvis + (b.pelvis - a.pelvis) * fraction
    posture.heading = .blend(a.heading, b.heading, fraction)
    posture.lean = .blend(a.lean, b.lean, fraction)
    posture.rounding = .blend(a.rounding, b.rounding, fraction)
    posture.kneesInward = .blend(a.kneesInward, b.kneesInward, fraction)
    posture.leftFoot = .blend(a.leftFoot, b.leftFoot, fraction)
    posture.rightFoot = .blend(a.rightFoot, b.rightFoot, fraction)
    posture.arms = .blend(a.arms, b.arms, fraction)
    return posture
  }
}
