import PoseModel
import RealModule

/// Lying on the back with the knees bent, up until the trunk is upright, and down again; feet and pelvis stay.
///
/// Range: the sit-up of the U.S. Army Physical Fitness Test, FM 7-22, 2012, appendix A: fingers behind the head, feet
/// flat, knees at 90 degrees, up to the vertical. The tempo is a chosen value: about one in two seconds, as the test is
/// timed.
public struct SitUp: RepetitionExercise {
  public let name = "sit-up"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing(
    height: 0.62, length: 1, breadth: 0.5, middleAhead: -0.02, middleHeight: 0.22, cameraHeight: 0.7)
  public let faults: [Fault] = [.shallow]
  public let tempo = Tempo(out: 1.15, back: 1.25, maximumReps: 14)

  public init() {}

  public func joints(of subject: Subject, at moment: Moment) -> JointPositions {
    let body = subject.body
    let pelvis = SIMD3(0, 0, 0.055 * body.stature)
    let rise = Double.blend(Self.lying, Self.upright, moment.depth)
    var figure = Figure(
      body, pelvis: pelvis, axis: SIMD3(-rise.cosineOfDegrees, 0, rise.sineOfDegrees),
      front: SIMD3(rise.sineOfDegrees, 0, rise.cosineOfDegrees), nod: 14 + 10 * moment.depth)
    for side in Side.allCases {
      let head = figure.joints[.neck] + (figure.axis * 0.085 + figure.left * (side.sign * 0.055)) * body.stature
      figure.reach(side, wrist: head, elbowTo: figure.direction(side, ahead: 0.7, out: 1, up: 0.1))
      let foot = SIMD3(
        body.ankleAhead(knee: 90, rise: pelvis.z - body.ankleHeight), side.sign * 0.08 * body.stature, body.ankleHeight)
      figure.stand(side, ankle: foot, kneeTo: SIMD3(0, 0, 1), foot: SIMD3(1, 0, 0), sole: SIMD3(0, 0, -1))
    }
    return figure.joints
  }

  /// The angle of the trunk to the floor at either end of a good rep, in degrees.
  static let lying = 4.0
  static let upright = 82.0
}

extension Body {
  /// The horizontal distance from the hip to an ankle that is lower by `rise`, for this angle of the knee.
  fileprivate func ankleAhead(knee angle: Double, rise: Double) -> Double {
    let span = (thigh * thigh + shank * shank - 2 * thigh * shank * angle.cosineOfDegrees)
    return (span - rise * rise).squareRoot()
  }
}
