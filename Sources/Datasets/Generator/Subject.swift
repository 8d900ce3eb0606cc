import RealModule

/// Who is recorded: a body, how it stands, and what differs from person to person in any exercise.
public struct Subject: Sendable {
  /// Counted from 0.
  public let index: Int
  public let body: Body
  var stance: Stance
  /// The legs of someone who stands.
  let standing: LegPosture

  /// The subject of this number: women and men by turns.
  init(index: Int, using generator: inout SeededGenerator) {
    self.index = index
    body = Body(of: index % 2 == 0 ? .female : .male, using: &generator)
    stance = Stance(
      halfWidth: body.stature * generator.normal(0.095, sd: 0.012, limit: 1.6),
      toeOut: generator.normal(17, sd: 4, limit: 1.8))
    var standing = LegPosture(flexion: generator.uniform(4, 8), shank: 0)
    standing.shank =
      body.balanced(
        lean: generator.uniform(1, 5), standing, arms: Arms(.hanging), stance: stance, at: Placement(), sway: 0
      ).shank
    self.standing = standing
  }

  /// Of the published proportions, standing as most people do.
  public init(stature: Double) {
    index = 0
    body = Body(stature: stature)
    stance = Stance(halfWidth: 0.095 * stature, toeOut: 17)
    var standing = LegPosture(flexion: 6, shank: 0)
    standing.shank =
      body.balanced(lean: 3, standing, arms: Arms(.hanging), stance: stance, at: Placement(), sway: 0).shank
    self.standing = standing
  }
}

extension Subject {
  /// Standing at the origin, as still as a body can: its centre of mass wanders by some millimetres.
  ///
  /// - Parameter leaningBack: how far the trunk is leant back from how it hangs in balance, in degrees.
  func stood(
    _ arms: Arms = Arms(.hanging), at place: Placement = Placement(), leaningBack: Double = 0, time: Double
  ) -> Posture {
    let sway = 0.003 * Double.sin(2 * .pi * 0.27 * time)
    let posture = body.balanced(standing, arms: arms, stance: stance, at: place, sway: sway)
    guard leaningBack != 0 else { return posture }
    return body.balanced(
      lean: posture.lean - leaningBack, standing, arms: arms, stance: stance, at: place, sway: sway
    ).posture
  }
}
