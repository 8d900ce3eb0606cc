import PoseModel
import RealModule

/// Hanging from a bar with straight arms, up until the chin is above it, and down again; the hands stay where they are.
///
/// The pull-up of Youdas et al., Surface Electromyographic Activation Patterns and Elbow Joint Motion During a Pull-up,
/// Chin-up, or Perfect-Pullup Rotational Exercise, Journal of Strength and Conditioning Research 24, 2010.
public struct PullUp: RepetitionExercise {
  public let name = "pull-up"
  public let views: [CameraView] = [.front, .side, .oblique]
  public let framing = Framing(
    height: 1.3, length: 0.5, breadth: 0.5, middleAhead: 0, middleHeight: 0.72)
  public let faults: [Fault] = [.shallow, .noLockout, .swinging]
  public let tempo = Tempo(out: 1.2, back: 1.3, maximumReps: 10)

  public init() {}

  /// The worst `shallow` leaves the chin well below the bar, the worst `no_lockout` the elbows at about 120 degrees.
  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0.3 * severities[.noLockout], 1 - 0.42 * severities[.shallow])
  }

  public func joints(of subject: Subject, at moment: Moment) -> JointPositions {
    let body = subject.body
    let grip = 0.16 * body.stature
    let bar = SIMD3(0, 0, Self.barHeight(body))
    let aside = grip - body.shoulderBreadth / 2
    let span = body.armSpan(elbow: 173)
    let hang = SIMD3(-0.01 * body.stature, 0, -((span * span - aside * aside).squareRoot() - 0.001))
    // With the chin 3 cm (at 1.75 m) above the bar, the neck is that far below it, and behind it.
    let top = SIMD3(-0.115 * body.stature, 0, -0.03 * body.stature)
    let swing = 26 * moment.severities[.swinging] * Double.sin(2 * .pi * moment.time / Self.swingPeriod(body))
    func swung(_ way: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        way.x * swing.cosineOfDegrees - way.z * swing.sineOfDegrees, way.y,
        way.x * swing.sineOfDegrees + way.z * swing.cosineOfDegrees)
    }
    // The trunk leans back somewhat near the bar.
    let lean = 3 + 10 * moment.depth
    let axis = swung(SIMD3(-lean.sineOfDegrees, 0, lean.cosineOfDegrees))
    let shoulders = bar + swung(hang + (top - hang) * moment.depth)
    var figure = Figure(
      body, pelvis: shoulders - axis * body.trunk, axis: axis, front: swung(SIMD3(1, 0, 0)),
      nod: 4 - 12 * moment.depth)
    for side in Side.allCases {
      figure.reach(
        side, wrist: bar + SIMD3(0, side.sign * grip, 0),
        elbowTo: swung(SIMD3(0.35, side.sign, -0.6)))
      let hip = figure.joints[side.hip]
      let thigh = swung(SIMD3(0.08, 0, -1)).normalized
      let shank = swung(SIMD3(-0.45, 0, -1)).normalized
      figure.stand(
        side, ankle: hip + thigh * body.thigh + shank * body.shank, kneeTo: swung(SIMD3(1, 0, 0)),
        foot: swung(SIMD3(0.2, 0, -1)), sole: swung(SIMD3(-1, 0, -0.2)))
    }
    return figure.joints
  }

  /// High enough for the toes of a hanging body to clear the floor.
  static func barHeight(_ body: Body) -> Double { 1.32 * body.stature }

  /// The period of a pendulum of two thirds of the length from the hands to the toes, in seconds.
  static func swingPeriod(_ body: Body) -> Double { 2 * .pi * (0.75 * body.stature / 9.81).squareRoot() }
}
