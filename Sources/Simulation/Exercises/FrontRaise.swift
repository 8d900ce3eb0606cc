/// Straight arms from the thighs forward to the height of the shoulders, and down again.
///
/// Range: to the horizontal. The exercise is the frontal raise of Coratella et al., An Electromyographic Analysis of
/// Lateral Raise Variations and Frontal Raise in Competitive Bodybuilders, International Journal of Environmental
/// Research and Public Health 17, 2020.
public struct FrontRaise: StandingExercise {
  public let name = "front-raise"
  public let faults: [Fault] = [.shallow, .swinging]
  public let tempo = Tempo(out: 1.15, back: 1.25)

  public init() {}

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let rise = Double.blend(Self.hanging, Self.level, moment.depth)
    let arms = Arms(
      ArmPosture(upperArm: rise, outward: 5, forearm: rise + 6, forearmOutward: 0, withTrunk: 0))
    return subject.stood(
      arms, leaningBack: 32 * moment.severities[.swinging] * moment.depth, time: moment.time)
  }

  /// The angle of the upper arms from the vertical at either end of a good rep, in degrees.
  static let hanging = 6.0
  static let level = 92.0
}
