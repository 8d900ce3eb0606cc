import PoseModel
import RealModule
import Statistics

/// From standing down to hands or forearms and toes, as people do for a plank: over bent knees until the hands are on
/// the floor, then one foot after the other back.
struct GettingDown: Sendable {
  let subject: Subject
  /// The end posture: face down along x, the feet behind.
  let support: JointPositions

  private var body: Body { subject.body }

  /// The standing spot for getting down this way: the hands come down in front of the feet.
  static func spot(of body: Body, before support: JointPositions) -> Placement {
    Placement(x: support[.neck].x - 0.3 * body.stature)
  }

  /// The share of the time until the hands are on the floor.
  private static let crouching = 0.45
  /// The trunk's angle above horizontal when hands and feet are on the floor, in degrees.
  private static let crouched = -20.0

  /// - Parameters:
  ///   - fraction: 0 standing, 1 in the support.
  ///   - time: The time in the clip, in seconds.
  func joints(at fraction: Double, time: Double) -> JointPositions {
    let stood = subject.stood(at: Self.spot(of: body, before: support), time: time)
    let standing = body.joints(of: stood)
    let down = MinimumJerk.position(fraction / Self.crouching)
    let back = (fraction - Self.crouching) / (1 - Self.crouching)
    let sinking = MinimumJerk.position(back / 0.7)
    let way = support[.neck] - support[.root]
    let level = Double.atan2(y: way.z, x: way.x).degreesFromRadians
    let angle = Double.blend(.blend(90 - stood.lean, Self.crouched, down), level, sinking)
    let axis = SIMD3(angle.cosineOfDegrees, 0, angle.sineOfDegrees)
    let neck = blend(blend(standing[.neck], crouchedNeck, down), support[.neck], sinking)
    var figure = Figure(
      body, pelvis: neck - axis * body.trunk, axis: axis,
      front: SIMD3(angle.sineOfDegrees, 0, -angle.cosineOfDegrees),
      nod: .blend(-0.55 * stood.lean, Prone.nod, fraction))
    for side in Side.allCases {
      // Measured from shoulder to wrist, which keeps every hand in reach on the way down; a hand on the floor stays.
      let hanging = standing[side.wrist] - standing[side.shoulder]
      let palm = crouchedWrist(side)
      let shoulder = SIMD3(0, side.sign * body.shoulderBreadth / 2, 0)
      let falling = neck + shoulder + blend(hanging, palm - crouchedNeck - shoulder, down)
      let bend = blend(
        standing[side.elbow] - standing[side.shoulder], support[side.elbow] - support[side.shoulder], fraction)
      figure.reach(side, wrist: back <= 0 ? falling : blend(palm, support[side.wrist], sinking), elbowTo: bend)
      step(side, &figure, from: standing, back: back, sinking: sinking)
    }
    return figure.joints
  }

  /// The left foot goes back first; the other knee turns out of the way of the descending hips.
  private func step(
    _ side: Side, _ figure: inout Figure, from standing: JointPositions, back: Double, sinking: Double
  ) {
    let moved = MinimumJerk.position(side == .left ? back / 0.65 : (back - 0.4) / 0.6)
    var ankle = blend(standing[side.ankle], support[side.ankle], moved)
    ankle.z += 0.03 * body.stature * MinimumJerk.bump(moved)
    let knee = SIMD3(1 - moved, side.sign * 1.5 * sinking * (1 - moved), -moved * moved * moved)
    let foot = (standing[side.toe] - standing[side.heel]).normalized
    figure.stand(
      side, ankle: ankle, kneeTo: knee, foot: blend(foot, Prone.foot, moved),
      sole: blend(SIMD3(0, 0, -1), Prone.sole, moved), toes: blend(foot, SIMD3(1, 0, 0), moved).normalized)
  }

  /// The neck above the hands on nearly straight arms.
  private var crouchedNeck: SIMD3<Double> {
    SIMD3(
      support[.neck].x, 0, max(support[.neck].z, Prone.wristHeight(body) + 0.97 * (body.upperArm + body.forearm)))
  }

  /// The landing point of a hand: its final position if it supports the body, otherwise under the shoulder.
  private func crouchedWrist(_ side: Side) -> SIMD3<Double> {
    let isOnHands = support[side.elbow].z > 0.1 * body.stature
    return isOnHands
      ? support[side.wrist] : SIMD3(support[.neck].x, support[side.shoulder].y, Prone.wristHeight(body))
  }

  private func blend(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ fraction: Double) -> SIMD3<Double> {
    a + (b - a) * fraction
  }
}

/// Walking up and getting down on the floor for an exercise, or getting up and walking away.
struct FloorPassage: Hashable, Sendable {
  let gait: Gait
  /// Seconds of standing, and of getting down or up.
  let standing: Double
  let bending: Double

  /// - Parameter support: The posture on the floor at its end or beginning.
  init(
    _ kind: FloorPath.Kind, of subject: Subject, to support: JointPositions, before camera: Camera,
    using generator: inout SeededGenerator
  ) {
    gait = Gait(
      kind, of: subject.body, standing: subject.stance, at: GettingDown.spot(of: subject.body, before: support),
      before: camera, using: &generator)
    standing = generator.uniform(0.4, 1)
    bending = generator.uniform(2.2, 3)
  }

  var duration: Double { gait.duration + standing + bending }

  /// - Parameters:
  ///   - local: Seconds from the beginning of the passage.
  ///   - time: The time in the clip, in seconds.
  func joints(at local: Double, of subject: Subject, support: JointPositions, time: Double) -> JointPositions {
    let isArriving = gait.path.kind == .arriving
    let walked = isArriving ? local : local - bending - standing
    if isArriving ? walked < gait.duration : walked > 0 {
      let stood = subject.stood(at: gait.path.placement(at: walked), time: time)
      return subject.body.joints(
        of: gait.posture(stood, at: walked, body: subject.body))
    }
    let down = isArriving ? (local - gait.duration - standing) / bending : 1 - local / bending
    return GettingDown(subject: subject, support: support).joints(at: min(max(down, 0), 1), time: time)
  }
}

/// The path across the floor to or from the spot of the squats, on that spot, or from one spot to another.
struct FloorPath: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case arriving, leaving, staying
    /// From standing on the spot to standing elsewhere: a turn, then a walk straight ahead, if there is any speed.
    case crossing
  }

  var kind: Kind
  /// The position of the person during the squats; the start of a crossing.
  var spot: Placement
  /// The walking direction, in degrees; within 180 of the spot's, for a crossing 210.
  var travel: Double
  /// Metres a second.
  var speed: Double
  /// Seconds at full speed, seconds for slowing down (or speeding up), and seconds for turning.
  var cruise: Double
  var slowing: Double
  var turn: Double

  /// A crossing both speeds up and slows down.
  var duration: Double { cruise + (kind == .crossing ? 2 : 1) * slowing + turn }

  /// Before the beginning, an arriving person is already walking and a leaving one is still there.
  func placement(at time: Double) -> Placement {
    switch kind {
    case .staying: return spot
    case .arriving:
      return moved(-remaining(time), turned: 1 - MinimumJerk.position((time - cruise - slowing) / max(turn, 1e-9)))
    case .leaving:
      return moved(remaining(duration - time), turned: MinimumJerk.position(time / max(turn, 1e-9)))
    case .crossing:
      return moved(crossed(time - turn), turned: MinimumJerk.position(time / max(turn, 1e-9)))
    }
  }

  /// Metres a second.
  func speed(at time: Double) -> Double {
    switch kind {
    case .staying: 0
    case .arriving: speed * (1 - MinimumJerk.position((time - cruise) / slowing))
    case .leaving: speed * (1 - MinimumJerk.position((duration - time - cruise) / slowing))
    case .crossing:
      speed
        * min(
          MinimumJerk.position((time - turn) / max(slowing, 1e-9)),
          MinimumJerk.position((duration - time) / max(slowing, 1e-9)))
    }
  }

  /// The distance from the spot, on the time axis of arriving.
  private func remaining(_ time: Double) -> Double {
    if time < cruise { return speed * (cruise - time + slowing / 2) }
    return speed * slowing * (0.5 - MinimumJerk.slowing((time - cruise) / slowing))
  }

  /// The distance walked this long after the turn of a crossing.
  private func crossed(_ time: Double) -> Double {
    let change = max(slowing, 1e-9)
    let start = min(max(time / change, 0), 1)
    let speedingUp = slowing * (start - MinimumJerk.slowing(start))
    let slowingDown = slowing * MinimumJerk.slowing((time - slowing - cruise) / change)
    return speed * (speedingUp + min(max(time - slowing, 0), cruise) + slowingDown)
  }

  private func moved(_ distance: Double, turned: Double) -> Placement {
    let direction = Placement.direction(travel)
    return Placement(
      x: spot.x + direction.x * distance, y: spot.y + direction.y * distance,
      heading: .blend(spot.heading, travel, turned))
  }
}
