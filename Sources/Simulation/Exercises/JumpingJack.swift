import PoseModel
import RealModule

/// Jumping from feet together and arms down to feet apart and arms overhead, and back.
///
/// About one jack per second, a chosen value. The US Army's side-straddle hop has two jacks to its four counts and a
/// moderate cadence, which is 80 counts a minute: one and a half seconds a jack.
public struct JumpingJack: StandingExercise {
  public let name = "jumping-jack"
  public let views: [CameraView] = [.front, .oblique]
  public let framing = Framing.overhead
  public let faults: [Fault] = [Self.armsLow, Self.feetNarrow]
  public let tempo = Tempo(out: 0.56, back: 0.52, maximumReps: 22)

  /// The arms do not come up overhead.
  public static let armsLow = Fault("arms_low", cost: 34)
  /// The feet hardly part.
  public static let feetNarrow = Fault("feet_narrow", cost: 32)

  public init() {}

  public func stance(of subject: Subject) -> Stance { Stance(halfWidth: 0.06 * subject.body.stature, toeOut: 10) }

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let body = subject.body
    let depth = moment.depth
    let rise = 168 - 82 * moment.severities[Self.armsLow]
    let arms = Arms(.hanging)
    var posture = subject.stood(arms, time: moment.time)
    let apart = (0.21 - 0.12 * moment.severities[Self.feetNarrow]) * body.stature
    // Both feet are off the floor between the ends of the movement.
    let jump = 0.035 * body.stature * MinimumJerk.bump(depth)
    let narrow = subject.stance.halfWidth - body.hipBreadth / 2
    let wide = Double.blend(subject.stance.halfWidth, apart, depth) - body.hipBreadth / 2
    let height = posture.pelvis.z - body.ankleHeight
    posture.pelvis.z = body.ankleHeight + jump + (height * height + narrow * narrow - wide * wide).squareRoot()
    posture.leftFoot.y += wide - narrow
    posture.rightFoot.y -= wide - narrow
    posture.leftFoot.lift = jump
    posture.rightFoot.lift = jump
    // Sideways and up: the elevation stays near the vertical and the arm turns outward through the horizontal.
    func raise(_ arm: inout ArmPosture) {
      arm.upperArm *= 1 - depth
      arm.forearm *= 1 - depth
      arm.outward = .blend(arm.outward, rise, depth)
      arm.forearmOutward = .blend(arm.forearmOutward, rise + 4, depth)
    }
    raise(&posture.arms.left)
    raise(&posture.arms.right)
    return posture
  }
}
