import PoseModel
import RealModule

/// A step ahead, down until the front thigh is horizontal, and back to standing, with alternating legs.
///
/// Step and range are chosen values: a step of about half the stature, front knee at 90 degrees above the foot, rear
/// knee close to the floor. Effects of step and shank: Schütz et al., Joint Angles of the Ankle, Knee, and Hip and
/// Loading Conditions During Split Squats, Journal of Applied Biomechanics 30, 2014; effects of the trunk: Farrokhi et
/// al., Trunk Position Influences the Kinematics, Kinetics, and Muscle Activity of the Lead Lower Extremity During the
/// Forward Lunge Exercise, Journal of Orthopaedic and Sports Physical Therapy 38, 2008.
public struct Lunge: StandingExercise {
  public let name = "lunge"
  public let views: [CameraView] = [.side, .oblique, .front]
  public let framing = Framing(height: 1, length: 0.75, breadth: 0.4, middleAhead: 0.12, middleHeight: 0.48)
  public let faults: [Fault] = [.shallow, .kneeForward, .forwardLean]
  public let tempo = Tempo(out: 1.5, back: 1.4, maximumReps: 10)
  /// Half reps are little more than the step.
  public let halfReps = 0.36...0.46

  public init() {}

  public func stance(of subject: Subject) -> Stance { Stance(halfWidth: 0.07 * subject.body.stature, toeOut: 6) }

  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0, 1 - 0.45 * severities[.shallow])
  }

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let body = subject.body
    var posture = subject.stood(time: moment.time)
    let stepping = MinimumJerk.position(moment.depth / 0.45)
    let down = max((moment.depth - 0.3) / 0.7, 0)
    let lowering = down * down * (1.6 - 0.6 * down)
    let leads = moment.rep % 2 == 0 ? Side.left : .right
    // The body moves along with the step, otherwise the leg would not reach. At the bottom the front shank is upright
    // and the thigh nearly horizontal.
    let step = 0.5 * body.stature
    let hipAhead = step - body.thigh * 0.985
    let bottom = body.ankleHeight + body.shank + 0.17 * body.thigh - 0.012 * body.stature
    posture.pelvis.x += (hipAhead - posture.pelvis.x) * (0.88 * stepping + 0.12 * min(lowering, 1.1))
    // On the way down the hips move further forward, and take the knee to half a foot's length past the toes.
    posture.pelvis.x += 0.17 * body.stature * moment.severities[.kneeForward] * min(lowering, 1)
    posture.pelvis.z += (bottom - posture.pelvis.z) * (0.44 * stepping + 0.56 * min(lowering, 1.03))
    posture.lean += (4 + 34 * moment.severities[.forwardLean]) * lowering
    func lead(_ foot: inout Footing) {
      foot.x += step * stepping
      foot.lift = 0.045 * body.stature * MinimumJerk.bump(moment.depth / 0.45)
    }
    func trail(_ foot: inout Footing) { foot.heelRise = 64 * (0.4 * stepping + 0.6 * min(lowering, 1)) }
    if leads == .left {
      lead(&posture.leftFoot)
      trail(&posture.rightFoot)
    } else {
      lead(&posture.rightFoot)
      trail(&posture.leftFoot)
    }
    return posture
  }
}
