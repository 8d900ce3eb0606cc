import PoseModel
import RealModule
import Statistics

/// The recorded person: a body, its stance, and traits that differ from person to person in any exercise.
public struct Subject: Sendable {
  /// Counted from 0.
  public let index: Int
  public let body: Body
  var stance: Stance
  /// The legs of the standing person.
  let standing: LegPosture

  /// The subject with this number; women and men alternate.
  init(index: Int, using generator: inout SeededGenerator) {
    self.index = index
    body = Body(of: index % 2 == 0 ? .female : .male, using: &generator)
    stance = Stance(
      halfWidth: body.stature * generator.normal(0.095, sd: 0.012, limit: 1.6),
      toeOut: generator.normal(17, sd: 4, limit: 1.8))
    var standing = LegPosture(flexion: generator.uniform(4, 8), shank: 0)
    standing.shank =
      body.balanced(
        lean: generator.uniform(1, 5), standing, arms: Arms(.hanging), stance: stance, at: Placement(), sway: 0
      ).shank
    self.standing = standing
  }

  /// A subject with the published proportions and the usual stance.
  public init(stature: Double) {
    index = 0
    body = Body(stature: stature)
    stance = Stance(halfWidth: 0.095 * stature, toeOut: 17)
    var standing = LegPosture(flexion: 6, shank: 0)
    standing.shank =
      body.balanced(lean: 3, standing, arms: Arms(.hanging), stance: stance, at: Placement(), sway: 0).shank
    self.standing = standing
  }
}

extension Subject {
  /// Standing at the origin, as still as possible: the centre of mass moves by some millimetres.
  ///
  /// - Parameters:
  ///   - leaningBack: How far the trunk leans back from its balanced position, in degrees.
  ///   - kneesBent: How much more than usual the knees bend, in degrees.
  func stood(
    _ arms: Arms = Arms(.hanging), at place: Placement = Placement(), leaningBack: Double = 0,
    kneesBent: Double = 0, time: Double
  ) -> Posture {
    let sway = 0.003 * Double.sin(2 * .pi * 0.27 * time)
    let posture = body.balanced(standing, arms: arms, stance: stance, at: place, sway: sway)
    guard leaningBack != 0 || kneesBent != 0 else { return posture }
    var legs = standing
    legs.flexion += kneesBent
    return body.balanced(
      lean: posture.lean - leaningBack, legs, arms: arms, stance: stance, at: place, sway: sway
    ).posture
  }
}

/// The position of the feet: their distance and how far they are turned out.
public struct Stance: Hashable, Sendable {
  /// The distance from the middle to an ankle's centre, in metres.
  var halfWidth: Double
  /// How far the feet point outwards, in degrees.
  var toeOut: Double

  func footing(_ side: Side, at place: Placement) -> Footing {
    let ankle = place.point(forward: 0, left: side.sign * halfWidth, up: 0)
    return Footing(x: ankle.x, y: ankle.y, yaw: place.heading + side.sign * toeOut)
  }
}

/// The position of one foot.
struct Footing: Hashable, Sendable {
  /// The point below the ankle's centre when the foot is flat, in metres.
  var x: Double
  var y: Double
  /// The direction of the toes, as a heading in degrees.
  var yaw: Double
  /// The height of the whole foot above the floor, in metres.
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
  /// The footing between `a` (fraction 0) and `b` (fraction 1).
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    Footing(
      x: .blend(a.x, b.x, fraction), y: .blend(a.y, b.y, fraction), yaw: .blend(a.yaw, b.yaw, fraction),
      lift: .blend(a.lift, b.lift, fraction), heelRise: .blend(a.heelRise, b.heelRise, fraction))
  }
}

/// A spot on the floor and the direction that a person on it faces.
struct Placement: Hashable, Sendable {
  /// Metres along the floor.
  var x = 0.0
  var y = 0.0
  /// Degrees, counted from the x axis towards the y axis, which is counterclockwise seen from above.
  var heading = 0.0

  var forward: SIMD3<Double> { Self.direction(heading) }
  /// The direction to the person's own left.
  var left: SIMD3<Double> { Self.direction(heading + 90) }

  /// The point this far in front, to the left and up.
  func point(forward ahead: Double, left sideways: Double, up height: Double) -> SIMD3<Double> {
    SIMD3(x, y, height) + forward * ahead + left * sideways
  }

  static func direction(_ heading: Double) -> SIMD3<Double> {
    SIMD3(heading.cosineOfDegrees, heading.sineOfDegrees, 0)
  }
}
