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
}
