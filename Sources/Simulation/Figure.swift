import PoseModel
import RealModule

/// A body in any position, built from the trunk outwards: lying, hanging, sitting.
///
/// Limbs are placed by their ends (`reach`, `stand`) or by the directions of their segments (`point`). The length of a
/// segment never changes: a hand or foot beyond reach stops short.
struct Figure {
  let body: Body
  /// The directions from the pelvis to the neck, to the front of the chest, and to the body's own left, each of length
  /// 1.
  let axis: SIMD3<Double>
  let front: SIMD3<Double>
  let left: SIMD3<Double>
  private(set) var joints = JointPositions()

  /// - Parameters:
  ///   - front: The approximate direction of the chest; only its part across the axis counts.
  ///   - shoulderTurn: The turn of the shoulders to the left relative to the hips, in degrees.
  ///   - nod: The bend of the head forward from the trunk's axis, in degrees.
  init(
    _ body: Body, pelvis: SIMD3<Double>, axis: SIMD3<Double>, front: SIMD3<Double>, shoulderTurn: Double = 0,
    nod: Double = 0
  ) {
    self.body = body
    self.axis = axis.normalized
    let hipFront = front.perpendicular(to: self.axis).normalized
    let hipLeft = self.axis.cross(hipFront)
    self.front = hipFront * shoulderTurn.cosineOfDegrees + hipLeft * shoulderTurn.sineOfDegrees
    left = self.axis.cross(self.front)
    joints[.root] = pelvis
    joints[.neck] = pelvis + self.axis * body.trunk
    for side in Side.allCases {
      joints[side.hip] = pelvis + hipLeft * (side.sign * body.hipBreadth / 2)
      joints[side.shoulder] = joints[.neck] + left * (side.sign * body.shoulderBreadth / 2)
    }
    let up = self.axis * nod.cosineOfDegrees + self.front * nod.sineOfDegrees
    body.setHead(
      &joints, up: up, forward: self.front * nod.cosineOfDegrees - self.axis * nod.sineOfDegrees, left: left)
  }

  /// A direction by its parts along the body's own axes, a positive `out` leading away from the body on that side.
  func direction(_ side: Side, ahead: Double, out: Double, up: Double) -> SIMD3<Double> {
    (front * ahead + left * (side.sign * out) + axis * up).normalized
  }

  /// Places a wrist at a position, with the elbow bent towards a direction.
  mutating func reach(_ side: Side, wrist: SIMD3<Double>, elbowTo pole: SIMD3<Double>) {
    let shoulder = joints[side.shoulder]
    let joint = Self.joint(from: shoulder, to: wrist, body.upperArm, body.forearm, towards: pole)
    joints[side.elbow] = joint.middle
    joints[side.wrist] = joint.end
  }

  /// Points the two segments of an arm.
  mutating func point(_ side: Side, upperArm: SIMD3<Double>, forearm: SIMD3<Double>) {
    joints[side.elbow] = joints[side.shoulder] + upperArm.normalized * body.upperArm
    joints[side.wrist] = joints[side.elbow] + forearm.normalized * body.forearm
  }

  /// Places an ankle at a position, with directions for the bent knee, the foot and its sole.
  ///
  /// - Parameter toes: The direction of the toes beyond the ball of the foot, if it differs from the foot's.
  mutating func stand(
    _ side: Side, ankle: SIMD3<Double>, kneeTo pole: SIMD3<Double>, foot: SIMD3<Double>, sole: SIMD3<Double>,
    toes: SIMD3<Double>? = nil
  ) {
    let joint = Self.joint(from: joints[side.hip], to: ankle, body.thigh, body.shank, towards: pole)
    joints[side.knee] = joint.middle
    joints[side.ankle] = joint.end
    let along = foot.normalized
    let down = sole.perpendicular(to: along).normalized * body.ankleHeight
    joints[side.heel] = joint.end + down - along * (Foot.ankleAlong * body.foot)
    joints[side.toe] =
      joint.end + down + along * ((Foot.ballAlong - Foot.ankleAlong) * body.foot)
      + (toes ?? along) * ((1 - Foot.ballAlong) * body.foot)
  }

  /// Two segments between two points, by the law of cosines; the far end stops short if it is out of reach.
  private static func joint(
    from start: SIMD3<Double>, to end: SIMD3<Double>, _ first: Double, _ second: Double, towards pole: SIMD3<Double>
  ) -> (middle: SIMD3<Double>, end: SIMD3<Double>) {
    let way = end - start
    let axis = way.normalized
    let span = min(max(way.length, (first - second).magnitude * 1.0001), (first + second) * 0.9999)
    let along = (first * first + span * span - second * second) / (2 * span)
    let radius = max(first * first - along * along, 0).squareRoot()
    return (start + axis * along + pole.perpendicular(to: axis).normalized * radius, start + axis * span)
  }
}

extension Body {
  /// The distance between shoulder and wrist for an interior angle of the elbow, in degrees.
  func armSpan(elbow angle: Double) -> Double {
    (upperArm * upperArm + forearm * forearm - 2 * upperArm * forearm * angle.cosineOfDegrees).squareRoot()
  }
}

/// A person face down along x, head forward, supported by toes and hands or elbows that stay in place.
///
/// The body turns about the ankles; trunk and straight legs form an angle at the hips, which sag or rise.
struct Prone {
  let body: Body
  /// The height of the ankles above the floor, with the foot on its ball.
  var ankleHeight: Double {
    -(Self.foot.z * (Foot.ballAlong - Foot.ankleAlong) * body.foot + Self.sole.z * body.ankleHeight)
  }
  static let foot = SIMD3(0.287, 0, -0.958).normalized
  static let sole = SIMD3(-0.958, 0, -0.287).normalized
  /// The bend of the head forward from the trunk's axis, in degrees.
  static let nod = -18.0
  /// The height of a wrist above the floor with the hand flat on it.
  static func wristHeight(_ body: Body) -> Double { 0.025 * body.stature }
  /// The position of the ankles along x, with the body's middle near the origin.
  var ankleAhead: Double { -0.42 * body.stature }

  /// The length from hip to ankle; nobody's knees are perfectly straight.
  var legs: Double { 0.9995 * (body.thigh + body.shank) }

  /// - Parameters:
  ///   - bend: The bend at the hips, in degrees: positive lifts them above the line from ankles to shoulders, negative
  ///     lets them sag.
  ///   - support: The point that supports the shoulders, along x and in height.
  ///   - distance: The distance of the shoulders from it in the plane of x and height.
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

  /// The bend of the hips: up to 30 degrees up and 20 down, about 12 and 7 cm at the hips.
  static func bend(_ severities: Severities) -> Double { 30 * severities[.hipsHigh] - 20 * severities[.hipsSag] }
}
extension Double {
  var sineOfDegrees: Double { Double.sin(self * .pi / 180) }
  var cosineOfDegrees: Double { Double.cos(self * .pi / 180) }
  var degreesFromRadians: Double { self * 180 / .pi }

  /// The value between `a` (fraction 0) and `b` (fraction 1).
  static func blend(_ a: Double, _ b: Double, _ fraction: Double) -> Double { a + (b - a) * fraction }

  /// 0 up to `zero`, 1 from `one` on, linear between; `one` may be the lower of the two.
  func ramp(from zero: Double, to one: Double) -> Double { Swift.min(Swift.max((self - zero) / (one - zero), 0), 1) }
}
