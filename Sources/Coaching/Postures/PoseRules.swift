/// How a frame's measures become a pose class: a pure function with a threshold for each distinction.
///
/// Body lengths are shares of stature from Drillis and Contini 1966 (as in Winter, Biomechanics and Motor Control of Human
/// Movement, 4th ed. 2009, figure 4.1): trunk 0.288, thigh 0.245, shank 0.246, upper arm 0.186, forearm 0.146, foot 0.152.
public struct PoseRules: Hashable, Sendable {
  /// Degrees from the vertical above which a part of the body counts as level.
  public var levelLean: Float
  /// Degrees from the vertical above which the shanks lie on the ground.
  public var groundedShankLean: Float
  /// Degrees at the knee below which the legs are bent.
  public var bentKnee: Float
  /// Degrees at the knee above which they are straight; between the two the last class stays.
  public var straightKnee: Float
  /// Trunk lengths of hip over ankle below which the legs are bent, whichever way they are seen from.
  public var lowHips: Float
  /// Degrees at the hip above which a level trunk is no squatter's, which lies over the thighs.
  public var openHip: Float
  /// Trunk lengths of shoulder over elbow or wrist above which the arms hold a level body up.
  public var supportingArms: Float
  /// Trunk lengths of hip over elbow or wrist below which a body that its arms hold up has its hips on the floor.
  public var groundedHips: Float
  /// Trunk lengths that the body's mass must be beside the ankles for the feet not to carry it.
  public var seatedImbalance: Float
  /// Trunk lengths that the wrists must be above the nose.
  public var raisedHands: Float

  /// The class of a frame; `nil` where the joints that decide are missing.
  ///
  /// - Parameter last: the class before, which stays while the knees are between bent and straight.
  public func poseClass(of measures: PoseMeasures, after last: PoseClass? = nil) -> PoseClass? {
    let m = measures
    guard m.trunkLean.isFinite && m.legLean.isFinite else { return nil }
    let trunkIsLevel = m.trunkLean > levelLean
    let kneesAreBent = m.kneeAngle < bentKnee
    if kneesAreBent && m.shankLean > groundedShankLean && (m.thighLean < levelLean || !trunkIsLevel) {
      return .kneeling
    }
    // The feet alone cannot carry it and the arms reach down: hands or elbows carry the rest, whether the hips are in
    // line, too high or too low, as long as they are off the floor. Somebody on the way up from the back has bent knees and
    // a closed hip. Where the ankles are out of sight, level thighs tell as much.
    let legsAreLevel = m.legLean > levelLean
    if trunkIsLevel && m.armSupport > supportingArms && m.hipClearance > groundedHips
      && (m.imbalance.isFinite ? m.imbalance > seatedImbalance : legsAreLevel)
      && (!kneesAreBent || m.hipAngle > openHip)
    {
      return .plank
    }
    // On a bench the feet stand on the ground, but the hip is open; a squatter's trunk lies over the thighs.
    if trunkIsLevel && (legsAreLevel || m.thighLean > levelLean && m.hipAngle > openHip) { return .lying }
    guard m.kneeAngle.isFinite else { return nil }
    if kneesAreBent || m.hipHeight < lowHips || legsAreLevel {
      return m.imbalance > seatedImbalance ? .sitting : .squatting
    }
    guard m.kneeAngle > straightKnee else { return last }
    if trunkIsLevel { return .bending }
    return m.handHeight > raisedHands ? .handsUp : .standing
  }
}
