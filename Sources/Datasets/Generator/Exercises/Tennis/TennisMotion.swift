import PoseModel
import RealModule

/// The true motion of a clip of someone who plays tennis on about one spot, facing the net along x.
public struct TennisMotion: Performance {
  struct Action: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// In the ready posture, shifting the weight.
      case wait
      /// To another spot along the baseline, foot after foot.
      case step
      /// A hop on both feet as the opponent hits.
      case split
      /// A ball bounced with the free hand before a serve.
      case bounce
      case swing(Swing)
    }

    var start: Double
    var duration: Double
    var kind: Kind
    /// Where the player is along the baseline at its beginning and end, in metres.
    var from: Double
    var to: Double
  }

  public let body: Body
  /// That holds the racket.
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

  /// When the hitting wrist is fastest on the way forward, to a millisecond.
  private func contact(_ swing: Swing, from start: Double) -> Double {
    let wrist = hand.wrist
    func speed(_ time: Double) -> Double {
      joints(at: time + 0.001)[wrist].distance(to: joints(at: time - 0.001)[wrist])
    }
    let first = start + swing.back
    let times = (0...Int(swing.forward * 1000)).map { first + Double($0) / 1000 }
    return times.max { speed($0) < speed($1) } ?? first
  }

  public var truth: PerformanceTruth {
    var truth = PerformanceTruth()
    for action in actions {
      guard case .swing(let swing) = action.kind, swing.isStroke else { continue }
      let label = swing.stroke.rawValue
      truth.events.append(PerformanceTruth.Event(time: contact(swing, from: action.start), label: label))
      truth.intervals.append(
        PerformanceTruth.Interval(start: action.start, end: action.start + swing.back + swing.forward, label: label))
    }
    return truth
  }
}
