import PoseModel

/// How a tennis player is turned and holds the arms, as ten angles in degrees.
///
/// Turns are towards the hitting side. An arm's segment points to an azimuth from straight ahead of the shoulders outwards
/// on its own side, and to an elevation above the horizontal, beyond 90 over the top and down behind.
struct StrokePosture: Hashable, Sendable {
  struct Arm: Hashable, Sendable {
    /// x the azimuth, y the elevation.
    var upperArm: SIMD2<Double>
    var forearm: SIMD2<Double>
  }

  var hips: Double
  /// Of the shoulders against the hips.
  var shoulders: Double
  var lean: Double
  /// How far the knees are bent.
  var knees: Double
  var hitting: Arm
  var other: Arm

  static let ready = Self(
    hips: 0, shoulders: 0, lean: 14, knees: 30,
    hitting: Arm(upperArm: SIMD2(15, -62), forearm: SIMD2(-25, 5)),
    other: Arm(upperArm: SIMD2(15, -62), forearm: SIMD2(-35, 5)))

  static func keys(of stroke: Swing.Stroke) -> (back: Self, contact: Self, end: Self) {
    switch stroke {
    case .forehand:
      let free = Arm(upperArm: SIMD2(10, -20), forearm: SIMD2(-20, 0))
      return (
        Self(
          hips: 45, shoulders: 35, lean: 12, knees: 38,
          hitting: Arm(upperArm: SIMD2(62, -30), forearm: SIMD2(95, 0)), other: free),
        Self(
          hips: 12, shoulders: 5, lean: 12, knees: 28,
          hitting: Arm(upperArm: SIMD2(38, -38), forearm: SIMD2(22, -8)),
          other: Arm(upperArm: SIMD2(45, -30), forearm: SIMD2(10, 10))),
        Self(
          hips: -15, shoulders: -35, lean: 8, knees: 22,
          hitting: Arm(upperArm: SIMD2(-25, 0), forearm: SIMD2(-80, 30)),
          other: Arm(upperArm: SIMD2(50, -50), forearm: SIMD2(0, 0)))
      )
    case .backhand:
      return (
        Self(
          hips: -55, shoulders: -35, lean: 14, knees: 36,
          hitting: Arm(upperArm: SIMD2(-30, -38), forearm: SIMD2(-78, -12)),
          other: Arm(upperArm: SIMD2(45, -45), forearm: SIMD2(20, 0))),
        Self(
          hips: -38, shoulders: -12, lean: 12, knees: 28,
          hitting: Arm(upperArm: SIMD2(22, -28), forearm: SIMD2(18, -10)),
          other: Arm(upperArm: SIMD2(60, -50), forearm: SIMD2(50, -30))),
        Self(
          hips: -18, shoulders: 8, lean: 8, knees: 20,
          hitting: Arm(upperArm: SIMD2(72, 15), forearm: SIMD2(85, 45)),
          other: Arm(upperArm: SIMD2(75, -50), forearm: SIMD2(80, -40)))
      )
    case .serve:
      return (
        Self(
          hips: 62, shoulders: 22, lean: -8, knees: 45,
          hitting: Arm(upperArm: SIMD2(88, 8), forearm: SIMD2(15, 150)),
          other: Arm(upperArm: SIMD2(15, 68), forearm: SIMD2(10, 80))),
        Self(
          hips: 18, shoulders: 2, lean: 10, knees: 12,
          hitting: Arm(upperArm: SIMD2(45, 60), forearm: SIMD2(12, 86)),
          other: Arm(upperArm: SIMD2(20, -20), forearm: SIMD2(-30, 20))),
        Self(
          hips: -12, shoulders: -28, lean: 30, knees: 25,
          hitting: Arm(upperArm: SIMD2(-5, 0), forearm: SIMD2(-25, -25)),
          other: Arm(upperArm: SIMD2(30, -55), forearm: SIMD2(-40, 0)))
      )
    }
  }

  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self { combined([(a, 1 - fraction), (b, fraction)]) }

  /// Along the parabola through three postures, `contact` halfway.
  static func through(_ back: Self, _ contact: Self, _ end: Self, _ u: Double) -> Self {
    combined([(back, (1 - u) * (1 - 2 * u)), (contact, 4 * u * (1 - u)), (end, u * (2 * u - 1))])
  }

  private static func combined(_ parts: [(Self, Double)]) -> Self {
    func sum(_ value: (Self) -> Double) -> Double { parts.reduce(0) { $0 + value($1.0) * $1.1 } }
    func sum(_ value: (Self) -> SIMD2<Double>) -> SIMD2<Double> { parts.reduce(.zero) { $0 + value($1.0) * $1.1 } }
    return Self(
      hips: sum { $0.hips }, shoulders: sum { $0.shoulders }, lean: sum { $0.lean }, knees: sum { $0.knees },
      hitting: Arm(upperArm: sum { $0.hitting.upperArm }, forearm: sum { $0.hitting.forearm }),
      other: Arm(upperArm: sum { $0.other.upperArm }, forearm: sum { $0.other.forearm }))
  }
}
