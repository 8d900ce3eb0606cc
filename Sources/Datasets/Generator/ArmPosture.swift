/// How one arm is held, by the directions of its two segments, in degrees.
struct ArmPosture: Hashable, Sendable {
  /// Of the upper arm: 0 hangs down, 90 points ahead, 180 up.
  var upperArm: Double
  /// Of the upper arm, away from the body.
  var outward: Double
  /// Of the forearm, as for the upper arm.
  var forearm: Double
  /// Of the forearm, away from the body; negative across it.
  var forearmOutward: Double
  /// How far the directions turn with the leaning trunk: 0 not at all, 1 as one with it.
  var withTrunk: Double

  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    Self(
      upperArm: .blend(a.upperArm, b.upperArm, fraction), outward: .blend(a.outward, b.outward, fraction),
      forearm: .blend(a.forearm, b.forearm, fraction),
      forearmOutward: .blend(a.forearmOutward, b.forearmOutward, fraction),
      withTrunk: .blend(a.withTrunk, b.withTrunk, fraction))
  }

  static let hanging = Self(upperArm: 2, outward: 9, forearm: 14, forearmOutward: 4, withTrunk: 0.3)
  static let ahead = Self(upperArm: 84, outward: 4, forearm: 88, forearmOutward: -2, withTrunk: 0)
  static let handsOnHips = Self(upperArm: -22, outward: 38, forearm: 35, forearmOutward: -52, withTrunk: 1)
  static let handsAtChest = Self(upperArm: 28, outward: 8, forearm: 128, forearmOutward: -28, withTrunk: 0.9)
  static let overhead = Self(upperArm: 165, outward: 12, forearm: 172, forearmOutward: 2, withTrunk: 0.8)
  static let behind = Self(upperArm: -32, outward: 10, forearm: -18, forearmOutward: 6, withTrunk: 0.3)
}
