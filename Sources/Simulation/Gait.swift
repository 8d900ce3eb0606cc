import PoseModel
import RealModule
import Statistics

/// Steps along a path: walking in, turning, marching in place, walking out.
///
/// Each step swings one foot while the other stays in place.
struct Gait: Hashable, Sendable {
  var path: FloorPath
  var stance: Stance
  /// Half the distance between the ankles' tracks when walking, in metres.
  var trackHalfWidth: Double
  /// The lift of a swinging foot, in metres.
  var lift: Double
  /// The shift of the pelvis over the standing leg, in metres.
  var shift: Double
  var steps: Int
  let duration: Double

  /// - Parameter period: The approximate duration of a step, in seconds.
  init(path: FloorPath, stance: Stance, trackHalfWidth: Double, lift: Double, shift: Double, period: Double) {
    self.path = path
    self.stance = stance
    self.trackHalfWidth = trackHalfWidth
    self.lift = lift
    self.shift = shift
    // An arriving person has a step and a half more to bring the feet together.
    duration = path.duration + (path.kind == .leaving ? 0 : 1.5 * period)
    steps = max(Int((duration / period).rounded()), 2)
  }

  private var period: Double { duration / Double(steps) }

  /// The swinging foot, and its progress through the step.
  private func step(at time: Double) -> (index: Int, side: Side, fraction: Double) {
    let index = min(max(Int(time / period), 0), steps - 1)
    return (index, index % 2 == 0 ? .left : .right, time / period - Double(index))
  }

  func footing(_ side: Side, at time: Double) -> Footing {
    let step = step(at: time)
    guard side == step.side else {
      var planted = landing(step.index - 1, side)
      planted.heelRise = heelRise(planted, at: time)
      return planted
    }
    var from = landing(step.index - 2, side)
    from.heelRise = heelRise(from, at: Double(step.index) * period) * (1 - MinimumJerk.position(step.fraction / 0.8))
    let to = landing(step.index, side)
    let swing = Self.progress((step.fraction - 0.05) / 0.9)
    from.x = .blend(from.x, to.x, swing)
    from.y = .blend(from.y, to.y, swing)
    from.yaw = .blend(from.yaw, to.yaw, swing)
    from.lift = lift * MinimumJerk.bump((step.fraction - 0.05) / 0.9)
    return from
  }

  /// The progress of a swinging foot. Its peak speed is 1.5 times the average, as in walking, which is more even than
  /// the speed of a reaching hand.
  private static func progress(_ fraction: Double) -> Double {
    let t = min(max(fraction, 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// The speed as a fraction of the full walking speed.
  private func pace(at time: Double) -> Double { path.speed > 0 ? path.speed(at: time) / path.speed : 0 }

  /// How far standing has become walking, 1 or more when walking. A person who turns on the spot walks, too.
  private func departure(at time: Double, pace: Double) -> Double {
    path.kind == .crossing ? min(time, duration - time) / 0.4 : 2 * pace
  }

  /// A foot that stays behind rises from the heel, up to 45 degrees at 0.35 m behind.
  private func heelRise(_ foot: Footing, at time: Double) -> Double {
    let body = path.placement(at: time)
    let behind = (SIMD3(body.x, body.y, 0) - SIMD3(foot.x, foot.y, 0)).dot(Placement.direction(path.travel))
    return 45 * pace(at: time) * MinimumJerk.position(behind / 0.35)
  }

  /// The landing point of a step's foot; for steps before the first, the feet's initial positions.
  private func landing(_ index: Int, _ side: Side) -> Footing {
    // The body passes over a foot halfway through the next step.
    let passing = (Double(index) + 1.5) * period
    let together = path.kind != .leaving && index >= steps - 2
    let waiting = path.kind != .arriving && index < 0
    let place = path.placement(at: together ? duration : waiting ? 0 : passing)
    let feet =
      together || waiting || path.kind == .staying
      ? stance : Stance(halfWidth: trackHalfWidth, toeOut: stance.toeOut / 2)
    return feet.footing(side, at: place)
  }

  /// Turns a standing posture into walking: feet, bobbing and shifting pelvis, swinging arms.
  ///
  /// - Parameter standing: The posture of a person standing at the current position.
  func posture(_ standing: Posture, at time: Double, body: Body) -> Posture {
    let step = step(at: time)
    let place = path.placement(at: time)
    let pace = pace(at: time)
    var posture = standing
    posture.leftFoot = footing(.left, at: time)
    posture.rightFoot = footing(.right, at: time)
    let wave = Double.cos(.pi * step.fraction)
    posture.pelvis -= place.left * (step.side.sign * shift * (1 - wave * wave))
    posture.pelvis.z -= MinimumJerk.position(departure(at: time, pace: pace)) * sinking(posture, of: body)
    posture.lean += 2 * pace
    // Arms swing against the legs: the one opposite to the swinging foot comes forward.
    let swing = 20 * max(pace, path.kind == .staying ? MinimumJerk.bump(time / duration) : 0) * wave * step.side.sign
    posture.arms.left.upperArm += swing
    posture.arms.left.forearm += swing
    posture.arms.right.upperArm -= swing
    posture.arms.right.forearm -= swing
    return posture
  }

  /// The drop of the pelvis that keeps both feet in reach with slightly bent knees, in metres: greatest between two
  /// legs that are apart, least over one.
  ///
  /// The knees stay bent by at least 10 degrees, to keep them from snapping open.
  private func sinking(_ posture: Posture, of body: Body) -> Double {
    let joints = body.joints(of: posture)
    let longest = (body.shank + body.thigh) * 5.0.cosineOfDegrees
    func excess(_ side: Side) -> Double {
      let ankle = Foot(body: body, footing: side == .left ? posture.leftFoot : posture.rightFoot).ankle
      let way = joints[side.hip] - ankle
      return way.z - max(longest * longest - way.x * way.x - way.y * way.y, 0).squareRoot()
    }
    // The maximum of the two and zero, with corners rounded by about a centimetre.
    func most(_ a: Double, _ b: Double) -> Double { (a + b + ((a - b) * (a - b) + 0.0002).squareRoot()) / 2 }
    return most(most(excess(.left), excess(.right)), 0)
  }
}

extension Gait {
  /// Across the image to the spot, and a turn to the exercise's direction; or the other way round.
  init(
    _ kind: FloorPath.Kind, of body: Body, standing stance: Stance, at spot: Placement = Placement(),
    before camera: Camera, using generator: inout SeededGenerator
  ) {
    let speed = generator.normal(1.05, sd: 0.1, limit: 2)
    let slowing = generator.uniform(0.7, 0.9)
    let distance = camera.halfWidthAtOrigin + 0.45
    // Walks in the direction that needs the smaller turn.
    let across = camera.acrossHeading
    let back = across > 0 ? across - 180 : across + 180
    let travel =
      (across.magnitude - back.magnitude).magnitude < 30
      ? (generator.chance(0.5) ? across : back) : (across.magnitude < back.magnitude ? across : back)
    let path = FloorPath(
      kind: kind, spot: spot, travel: travel, speed: speed,
      cruise: max(distance / speed - slowing / 2, 0.2), slowing: slowing, turn: 0.25 + travel.magnitude / 90 * 0.7)
    self.init(along: path, of: body, standing: stance, using: &generator)
  }

  /// Usual steps along a path.
  init(along path: FloorPath, of body: Body, standing stance: Stance, using generator: inout SeededGenerator) {
    self.init(
      path: path, stance: stance, trackHalfWidth: 0.045 * body.stature, lift: 0.07, shift: 0.02,
      period: generator.uniform(0.52, 0.6))
  }
}
