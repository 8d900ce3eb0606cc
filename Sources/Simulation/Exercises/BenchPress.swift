import PoseModel
import RealModule

/// Lying on a bench: the bar from straight arms above the shoulders down to the chest, and up again.
///
/// The bar ends lower on the chest than where it starts, as with the experts in McLaughlin's studies of 1984; the grip
/// is somewhat wider than the shoulders. The trials of Wilk et al., Impact of Duration of Eccentric Movement in the
/// One-Repetition Maximum Test Result in the Bench Press among Women, Journal of Sports Science and Medicine 19, 2020
/// (2/0/X), have a tempo of about 2 s down; here it is faster, as without a metronome.
public struct BenchPress: RepetitionExercise {
  public let name = "bench-press"
  public let views: [CameraView] = [.side, .oblique, .front]
  public let framing = Framing(
    height: 0.7, length: 1, breadth: 0.7, middleAhead: 0, middleHeight: 0.33, cameraHeight: 1)
  public let faults: [Fault] = [.shallow, .noLockout, Self.uneven, Self.elbowFlare]
  public let faultsOnRequest: [Fault] = [Self.barDrift]
  public let tempo = Tempo(out: 1.5, back: 1.2)

  /// One arm is higher than the other.
  public static let uneven = Fault("uneven", cost: 30)
  /// The upper arms stand at right angles to the trunk.
  public static let elbowFlare = Fault("elbow_flare", cost: 26)
  /// The bar starts behind the shoulders and comes down on the belly.
  public static let barDrift = Fault("bar_drift", cost: 26)

  public init() {}

  /// The worst `no_lockout` leaves the elbows at about 136 degrees: the first tenth of the bar's path covers a fourth
  /// of theirs.
  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0.09 * severities[.noLockout], 1 - 0.45 * severities[.shallow])
  }

  public func joints(of subject: Subject, at moment: Moment) -> JointPositions {
    let body = subject.body
    let pelvis = SIMD3(0.05 * body.stature, 0, Self.benchHeight + 0.055 * body.stature)
    var figure = Figure(body, pelvis: pelvis, axis: SIMD3(-1, 0, 0), front: SIMD3(0, 0, 1), nod: 8)
    let shoulders = figure.joints[.neck]
    let grip = 0.165 * body.stature
    let aside = grip - body.shoulderBreadth / 2
    let span = body.armSpan(elbow: 173)
    // Below the belly, the elbows would not bend enough; arms that lean towards the head hold the bar lower.
    let drift = moment.severities[Self.barDrift]
    let start = (0.01 - 0.06 * drift) * body.stature
    let lowered = start * start - 0.01 * body.stature * (0.01 * body.stature)
    let top = shoulders + SIMD3(start, 0, (span * span - aside * aside - lowered).squareRoot() - 0.001)
    let chest = shoulders + SIMD3((0.1 + 0.13 * drift) * body.stature, 0, 0.075 * body.stature)
    let bar = top + (chest - top) * moment.depth
    // Up to 25 degrees off horizontal, growing as the bar leaves the straight arms.
    let tilt = 25 * moment.severities[Self.uneven] * MinimumJerk.position(moment.depth / 0.5)
    let flare = 48 + 37 * moment.severities[Self.elbowFlare]
    for side in Side.allCases {
      let along = SIMD3(0, side.sign * tilt.cosineOfDegrees, side.sign * tilt.sineOfDegrees)
      figure.reach(
        side, wrist: bar + along * grip,
        elbowTo: SIMD3(flare.cosineOfDegrees, side.sign * flare.sineOfDegrees, -0.5))
      let foot = SIMD3(pelvis.x + body.thigh * 0.93, side.sign * 0.12 * body.stature, body.ankleHeight)
      figure.stand(side, ankle: foot, kneeTo: SIMD3(1, 0, 1), foot: SIMD3(1, side.sign * 0.2, 0), sole: SIMD3(0, 0, -1))
    }
    return figure.joints
  }

  /// The height of the pad above the floor in metres: 42 to 45 cm in the Technical Rules Book of the International
  /// Powerlifting Federation.
  static let benchHeight = 0.43
}
