/// Weights from beside the shoulders up until the arms are straight overhead, and down again.
///
/// The standing press of Saeterbakken and Fimland, Effects of Body Position and Loading Modality on Muscle Activity and
/// Strength in Shoulder Presses, Journal of Strength and Conditioning Research 27, 2013. `no_lockout` stops below
/// straight arms, `shallow` turns back up before the weights are at the shoulders.
public struct ShoulderPress: StandingExercise {
  public let name = "shoulder-press"
  public let framing = Framing.overhead
  public let faults: [Fault] = [.shallow, .noLockout, .leaningBack]
  public let tempo = Tempo(out: 1.05, back: 1.2)

  public init() {}

  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0.38 * severities[.shallow], 1 - 0.35 * severities[.noLockout])
  }

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let arms = Arms(.blend(Self.low, Self.high, moment.depth))
    return subject.stood(
      arms, leaningBack: 28 * moment.severities[.leaningBack] * (0.3 + 0.7 * moment.depth), time: moment.time)
  }

  private static let low = ArmPosture(upperArm: 40, outward: 35, forearm: 174, forearmOutward: 2, withTrunk: 0)
  private static let high = ArmPosture(upperArm: 172, outward: 9, forearm: 178, forearmOutward: 4, withTrunk: 0)
}
