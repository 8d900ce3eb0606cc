/// A whole body's posture: what its joints' positions follow from.
struct Posture: Hashable, Sendable {
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
}
