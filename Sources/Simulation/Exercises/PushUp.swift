import PoseModel
import RealModule

/// From straight arms down until the chest is near the floor, and up again; hands and toes stay where they are.
///
/// Range: elbows from straight to about 80 degrees, past the 90 of FitnessGram's 90° push-up, where the body stays a
/// straight line from head to toes. Kinematics are those of a bench press: van den Tillaar, Comparison of Kinematics
/// and Muscle Activation between Push-up and Bench Press, Sports Medicine International Open 3, 2019, so the tempo is
/// of the same order.
public struct PushUp: ProneExercise {
  public let name = "push-up"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing.lying
  public let faults: [Fault] = [.shallow, .hipsSag, .hipsHigh, .noLockout]
  public let tempo = Tempo(out: 1.1, back: 0.95)

  public init() {}

  public func joints(of subject: Subject, at moment: Moment) -> JointPositions {
    let body = subject.body
    let prone = Prone(body: body)
    let aside = grip(body) - body.shoulderBreadth / 2
    func reach(_ elbow: Double) -> Double {
      let span = body.armSpan(elbow: elbow)
      return (span * span - aside * aside).squareRoot()
    }
    // The hands are under the shoulders of a straight body on straight arms.
    let line = prone.legs + body.trunk
    let rise = reach(Self.straight) + Prone.wristHeight(body) - prone.ankleHeight
    let hands = SIMD2(
      prone.ankleAhead + (line * line - rise * rise).squareRoot() - 0.02 * body.stature, Prone.wristHeight(body))
    var figure = prone.figure(
      bend: Prone.bend(moment.severities), support: hands,
      distance: reach(.blend(Self.straight, Self.bent, moment.depth)))
    for side in Side.allCases {
      figure.reach(
        side, wrist: SIMD3(hands.x, side.sign * grip(body), hands.y), elbowTo: SIMD3(-1, side.sign * 0.8, 0.2))
    }
    return figure.joints
  }

  /// The elbow's angle at either end of a good rep, in degrees.
  static let straight = 173.0
  static let bent = 80.0

  /// The distance from the middle to a wrist: slightly more than half of the shoulders' width.
  private func grip(_ body: Body) -> Double { 0.145 * body.stature }
}
