/// Weights from hanging arms up to the shoulders by the elbows alone, and down again.
///
/// Range: elbows from nearly straight to about 45 degrees. Effects of the upper arm's position: Oliveira et al., Effect
/// of the Shoulder Position on the Biceps Brachii EMG in Different Dumbbell Curls, Journal of Sports Science and
/// Medicine 8, 2009.
public struct BicepsCurl: StandingExercise {
  public let name = "biceps-curl"
  public let faults: [Fault] = [.shallow, .leaningBack, Self.elbowForward]
  public let tempo = Tempo(out: 1.05, back: 1.25)

  /// The upper arms swing ahead of the trunk.
  public static let elbowForward = Fault("elbow_forward", cost: 26)

  public init() {}

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let ahead = 42 * moment.severities[Self.elbowForward] * moment.depth
    let arms = Arms(
      ArmPosture(
        upperArm: 3 + ahead, outward: 6, forearm: .blend(13, 138, moment.depth) + ahead * 0.4, forearmOutward: 2,
        withTrunk: 0.2))
    return subject.stood(
      arms, leaningBack: 26 * moment.severities[.leaningBack] * moment.depth, time: moment.time)
  }
}
