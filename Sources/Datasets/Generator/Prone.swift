import PoseModel
import RealModule

/// Someone face down along x, head ahead, between toes and hands or elbows that stay where they are.
///
/// The body turns about the ankles; trunk and straight legs make an angle at the hips, which sag or stand up.
struct Prone {
  let body: Body
  /// Of the ankles above the floor, the foot standing on its ball.
  var ankleHeight: Double {
    -(Self.foot.z * (Foot.ballAlong - Foot.ankleAlong) * body.foot + Self.sole.z * body.ankleHeight)
  }
  static let foot = SIMD3(0.287, 0, -0.958).normalized
  static let sole = SIMD3(-0.958, 0, -0.287).normalized
  /// How far the head is bent ahead of the trunk's axis, in degrees.
  static let nod = -18.0
  /// Of a wrist above the floor whose hand is flat on it.
  static func wristHeight(_ body: Body) -> Double { 0.025 * body.stature }
  /// Where the ankles are along x, so that the body's middle is near the origin.
  var ankleAhead: Double { -0.42 * body.stature }

  /// From hip to ankle; nobody's knees are quite straight.
  var legs: Double { 0.9995 * (body.thigh + body.shank) }

  /// - Parameters:
  ///   - bend: at the hips, in degrees: positive lifts them above the line from ankles to shoulders, negative lets them sag.
  ///   - support: what the shoulders are held up by, along x and in height.
  ///   - distance: of the shoulders from it in the plane of x and height.
  func figure(bend: Double, support: SIMD2<Double>, distance: Double) -> Figure {
    let opening = 180 - bend.magnitude
    let chord = (legs * legs + body.trunk * body.trunk - 2 * legs * body.trunk * opening.cosineOfDegrees).squareRoot()
    // The shoulders lie on two circles, about the ankles and about the support.
    let way = support - SIMD2(ankleAhead, ankleHeight)
    let span = (way.x * way.x + way.y * way.y).squareRoot()
    let cosine = (chord * chord + span * span - distance * distance) / (2 * chord * span)
    let pitch = Double.atan2(y: way.y, x: way.x) + Double.acos(min(max(cosine, -1), 1))
    let atAnkle = Double.asin(min(body.trunk * opening.sineOfDegrees / chord, 1)) * (bend < 0 ? -1 : 1)
    let leg = SIMD3(Double.cos(pitch + atAnkle), 0, Double.sin(pitch + atAnkle))
    let ankle = SIMD3(ankleAhead, 0, ankleHeight)
    let hip = ankle + leg * legs
    let shoulder = ankle + SIMD3(Double.cos(pitch), 0, Double.sin(pitch)) * chord
    var figure = Figure(body, pelvis: hip, axis: shoulder - hip, front: SIMD3(0, 0, -1), nod: Self.nod)
    for side in Side.allCases {
      let out = SIMD3(0, side.sign * body.hipBreadth / 2, 0)
      figure.stand(
        side, ankle: ankle + out, kneeTo: SIMD3(0, 0, -1), foot: Self.foot, sole: Self.sole,
        toes: SIMD3(1, 0, 0))
    }
    return figure
  }

  /// How far the hips bend: up to 30 degrees up and 20 down, about 12 and 7 cm at the hips.
  static func bend(_ severities: Severities) -> Double { 30 * severities[.hipsHigh] - 20 * severities[.hipsSag] }
}
