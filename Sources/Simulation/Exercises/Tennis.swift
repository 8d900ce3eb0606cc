import PoseModel
import RealModule
import Statistics

/// Forehands, backhands and serves with idle movement and half-swings between them, by right- and left-handers.
///
/// An event marks each contact, an interval each swing from the start of the backswing to the end of the follow-through.
/// Contact is when the hitting wrist is fastest: at impact the racket is near its peak speed (Landlinger et al., Key
/// Factors and Timing Patterns in the Tennis Forehand of Different Skill Levels, Journal of Sports Science and Medicine
/// 9, 2010, in which pelvis and trunk peak 0.06 to 0.09 s earlier).
public struct Tennis: Exercise {
  public let name = "tennis"
  public let views = CameraView.allCases
  public let framing = Framing(height: 1.3, length: 0.8, breadth: 0.8, middleAhead: 0.05, middleHeight: 0.6)

  public init() {}

  public func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion {
    motion(by: subject, in: clip, traits: traits, generator: generator)
  }

  func motion(
    by subject: Subject, in clip: ClipNumber, traits: SeededGenerator, generator: SeededGenerator
  ) -> TennisMotion {
    var traits = traits
    var generator = generator
    // One person in ten is left-handed; here one in four, so every sample has some.
    let hand = subject.index % 4 == 2 ? Side.left : .right
    let pace = traits.normal(1, sd: 0.1, limit: 1.8)
    var actions: [TennisMotion.Action] = []
    var clock = 0.0
    var spot = 0.0
    func add(_ kind: TennisMotion.Action.Kind, _ duration: Double, to next: Double? = nil) {
      actions.append(
        TennisMotion.Action(start: clock, duration: duration, kind: kind, from: spot, to: next ?? spot))
      clock += duration
      spot = next ?? spot
    }
    func idle() {
      add(.wait, generator.uniform(0.4, 1.2))
      if generator.chance(0.6) {
        add(.step, generator.uniform(0.7, 1), to: generator.uniform(-0.16, 0.16) * subject.body.stature)
      }
      if generator.chance(0.3) { add(.swing(.draw(half: true, pace: pace, using: &generator)), 0) }
    }
    for _ in 0..<generator.integer(5...7) {
      idle()
      if let last = actions.last, case .swing(let swing) = last.kind, last.duration == 0 {
        actions[actions.count - 1].duration = swing.duration
        clock += swing.duration
        add(.wait, generator.uniform(0.3, 0.8))
      }
      guard clip != MotionGenerator.clipWithoutReps else { continue }
      let swing = Swing.draw(half: false, pace: pace, using: &generator)
      if swing.stroke == .serve { add(.bounce, 0.55 * Double(generator.integer(2...4))) } else { add(.split, 0.36) }
      add(.swing(swing), swing.duration)
    }
    add(.wait, generator.uniform(0.6, 1.4))
    return TennisMotion(body: subject.body, hand: hand, actions: actions)
  }
}

/// The true motion of a clip with a tennis player near one spot, facing the net along x.
public struct TennisMotion: SimulatedMotion {
  struct Action: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// In the ready posture, shifting the weight.
      case wait
      /// A move to another spot along the baseline, step by step.
      case step
      /// A hop on both feet when the opponent hits.
      case split
      /// A ball bounced with the free hand before a serve.
      case bounce
      case swing(Swing)
    }

    var start: Double
    var duration: Double
    var kind: Kind
    /// The player's position along the baseline at its beginning and end, in metres.
    var from: Double
    var to: Double
  }

  public let body: Body
  /// The hand that holds the racket.
  public let hand: Side
  let actions: [Action]

  public var duration: Double { actions.last.map { $0.start + $0.duration } ?? 0 }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    guard let action = actions.last(where: { $0.start <= time }) else { return JointPositions() }
    let local = min(time - action.start, action.duration)
    let fraction = local / action.duration
    var posture = StrokePosture.ready
    var hop = 0.0
    switch action.kind {
    case .wait, .step: break
    case .split: hop = 0.03 * body.stature * MinimumJerk.bump(fraction)
    case .bounce:
      let cycles = (action.duration / 0.55).rounded()
      let dip = 0.5 - 0.5 * Double.cos(2 * .pi * cycles * fraction)
      posture.other.forearm.y -= 55 * dip
      posture.other.upperArm.y -= 8 * dip
      posture.lean += 12 * MinimumJerk.bump(fraction)
    case .swing(let swing): posture = swing.posture(at: local)
    }
    func foot(_ side: Side) -> SIMD3<Double> {
      let first = (action.to > action.from) == (side == .left)
      let part = first ? fraction / 0.5 : (fraction - 0.5) / 0.5
      let moves = action.kind == .step
      let spot = moves ? Double.blend(action.from, action.to, MinimumJerk.position(part)) : action.to
      let lift = moves ? 0.03 * body.stature * MinimumJerk.bump(min(max(part, 0), 1)) : hop
      return SIMD3(0, spot + side.sign * 0.13 * body.stature, body.ankleHeight + lift)
    }
    return figure(posture, left: foot(.left), right: foot(.right), hop: hop, time: time).joints
  }

  private func figure(
    _ posture: StrokePosture, left: SIMD3<Double>, right: SIMD3<Double>, hop: Double, time: Double
  ) -> Figure {
    let turn = hand == .left ? 1.0 : -1
    let facing = Placement.direction(turn * posture.hips)
    let spread = (left.y - right.y).magnitude / 2
    let span =
      (body.thigh * body.thigh + body.shank * body.shank
        + 2 * body.thigh * body.shank * posture.knees.cosineOfDegrees)
    let weight = 0.006 * body.stature * Double.sin(2 * .pi * 0.9 * time)
    let pelvis = SIMD3(
      -0.35 * posture.lean.sineOfDegrees * body.trunk, (left.y + right.y) / 2 + weight,
      body.ankleHeight + hop + (span - spread * spread).squareRoot() - 0.02 * body.stature)
    let axis = SIMD3(0, 0, posture.lean.cosineOfDegrees) + Placement.direction(0) * posture.lean.sineOfDegrees
    var figure = Figure(
      body, pelvis: pelvis, axis: axis, front: facing, shoulderTurn: turn * posture.shoulders,
      nod: -0.6 * posture.lean)
    for side in Side.allCases {
      let arm = side == hand ? posture.hitting : posture.other
      func direction(_ angles: SIMD2<Double>) -> SIMD3<Double> {
        figure.direction(
          side, ahead: angles.y.cosineOfDegrees * angles.x.cosineOfDegrees,
          out: angles.y.cosineOfDegrees * angles.x.sineOfDegrees, up: angles.y.sineOfDegrees)
      }
      figure.point(side, upperArm: direction(arm.upperArm), forearm: direction(arm.forearm))
      let toes = Placement.direction(side.sign * 18)
      figure.stand(
        side, ankle: side == .left ? left : right, kneeTo: toes + facing * 0.4, foot: toes, sole: SIMD3(0, 0, -1))
    }
    return figure
  }

  /// The time at which the hitting wrist is fastest on the way forward, to a millisecond.
  private func contact(_ swing: Swing, from start: Double) -> Double {
    let wrist = hand.wrist
    func speed(_ time: Double) -> Double {
      joints(at: time + 0.001)[wrist].distance(to: joints(at: time - 0.001)[wrist])
    }
    let first = start + swing.back
    let times = (0...Int(swing.forward * 1000)).map { first + Double($0) / 1000 }
    return times.max { speed($0) < speed($1) } ?? first
  }

  public var groundTruth: MotionGroundTruth {
    var truth = MotionGroundTruth()
    for action in actions {
      guard case .swing(let swing) = action.kind, swing.isStroke else { continue }
      let label = swing.stroke.rawValue
      truth.events.append(MotionGroundTruth.Instant(time: contact(swing, from: action.start), label: label))
      truth.intervals.append(
        MotionGroundTruth.Period(start: action.start, end: action.start + swing.back + swing.forward, label: label))
    }
    return truth
  }
}

/// One swing of a racket: back, forward through the ball, to the end of the follow-through and home again.
struct Swing: Hashable, Sendable {
  enum Stroke: String, CaseIterable, Hashable, Sendable { case forehand, backhand, serve }

  var stroke: Stroke
  /// The share of the stroke's full movement; a practice half-swing is not a stroke.
  var size: Double
  var isStroke: Bool
  /// Seconds.
  var back: Double
  var forward: Double
  var home: Double

  var duration: Double { back + forward + home }

  /// Backswings take 0.7 to 1.3 s and forward swings less than half a second, follow-through included: in Landlinger et
  /// al. 2010 trunk and pelvis peak within 0.1 s of impact.
  static func draw(half: Bool, pace: Double, using generator: inout SeededGenerator) -> Swing {
    let stroke =
      half ? (generator.chance(0.5) ? Stroke.forehand : .backhand) : Stroke.allCases[generator.integer(0...2)]
    let slow = pace * generator.normal(1, sd: 0.07, limit: 2) * (half ? 1.9 : 1)
    return Swing(
      stroke: stroke, size: half ? generator.uniform(0.3, 0.5) : generator.uniform(0.9, 1.05), isStroke: !half,
      back: (stroke == .serve ? 1.2 : 0.75) * slow, forward: (stroke == .serve ? 0.48 : 0.44) * slow,
      home: 0.8 * pace)
  }

  /// The posture at a time in seconds from the start of the backswing.
  func posture(at time: Double) -> StrokePosture {
    let keys = StrokePosture.keys(of: stroke)
    func sized(_ key: StrokePosture) -> StrokePosture { .blend(.ready, key, size) }
    if time < back { return .blend(.ready, sized(keys.back), MinimumJerk.position(time / back)) }
    if time < back + forward {
      return .through(
        sized(keys.back), sized(keys.contact), sized(keys.end), MinimumJerk.position((time - back) / forward))
    }
    return .blend(sized(keys.end), .ready, MinimumJerk.position((time - back - forward) / home))
  }
}

/// The turns and arms of a tennis player as ten angles in degrees.
///
/// Turns are towards the hitting side. An arm's segment points to an azimuth from straight ahead of the shoulders outwards
/// on its own side, and to an elevation above the horizontal, beyond 90 over the top and down behind.
struct StrokePosture: Hashable, Sendable {
  struct Arm: Hashable, Sendable {
    /// x is the azimuth, y the elevation.
    var upperArm: SIMD2<Double>
    var forearm: SIMD2<Double>
  }

  var hips: Double
  /// The shoulders' turn relative to the hips.
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

  /// A point on the parabola through three postures, with `contact` halfway.
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
