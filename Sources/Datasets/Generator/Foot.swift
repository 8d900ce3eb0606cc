/// The points of one foot, in metres.
struct Foot {
  var ankle: SIMD3<Double>
  var heel: SIMD3<Double>
  var toe: SIMD3<Double>

  /// How far ahead of the heel the ankle and the ball stand, of the foot's length.
  static let ankleAlong = 0.25
  static let ballAlong = 0.72

  /// A heel rises as the foot turns about its ball, while the toes stay flat.
  init(body: Body, footing: Footing) {
    let direction = Placement.direction(footing.yaw)
    let floor = SIMD3(footing.x, footing.y, footing.lift)
    let ball = (Self.ballAlong - Self.ankleAlong) * body.foot
    func turned(back: Double, up: Double) -> SIMD3<Double> {
      let (sine, cosine) = (footing.heelRise.sineOfDegrees, footing.heelRise.cosineOfDegrees)
      return floor + direction * (ball - back * cosine + up * sine) + SIMD3(0, 0, back * sine + up * cosine)
    }
    ankle = turned(back: ball, up: body.ankleHeight)
    heel = turned(back: ball + Self.ankleAlong * body.foot, up: 0)
    toe = floor + direction * ((1 - Self.ankleAlong) * body.foot)
  }
}
