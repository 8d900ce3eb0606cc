import PoseModel

/// Where one foot is.
struct Footing: Hashable, Sendable {
  /// Below the ankle's centre when the foot is flat, in metres.
  var x: Double
  var y: Double
  /// Where the toes point, as a heading in degrees.
  var yaw: Double
  /// Of the whole foot above the floor, in metres.
  var lift = 0.0
  /// How far the foot has turned up about its ball, in degrees.
  var heelRise = 0.0
}

extension Side {
  /// 1 to the left, -1 to the right.
  var sign: Double { self == .left ? 1 : -1 }
  var elbow: Joint { self == .left ? .leftElbow : .rightElbow }
  var wrist: Joint { self == .left ? .leftWrist : .rightWrist }
  var heel: Joint { self == .left ? .leftHeel : .rightHeel }
  var toe: Joint { self == .left ? .leftToe : .rightToe }
}

extension Footing {
  /// Between `a` at 0 and `b` at 1.
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    Footing(
      x: .blend(a.x, b.x, fraction), y: .blend(a.y, b.y, fraction), yaw: .blend(a.yaw, b.yaw, fraction),
      lift: .blend(a.lift, b.lift, fraction), heelRise: .blend(a.heelRise, b.heelRise, fraction))
  }
}
