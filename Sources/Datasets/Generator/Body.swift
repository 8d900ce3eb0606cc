/// The lengths of a person's segments, in metres.
///
/// The joints' centres stand for the segments' ends. Proportions of stature are those of Drillis and Contini, Body
/// Segment Parameters, 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, figure 4.1:
/// ankle height 0.039, shank 0.285 - 0.039, thigh 0.530 - 0.285, trunk (hip to shoulder) 0.818 - 0.530, upper arm 0.186,
/// forearm 0.146, foot 0.152, eye height 0.936. The figure's breadths (hips 0.191, shoulders 0.259) are of the outside of
/// the body, so the joint centres stand closer: 0.11 and 0.22 apart, which at 1.75 m are 19 cm and 38 cm.
public struct Body: Hashable, Sendable {
  /// What the stature of an adult depends on most.
  public enum Sex: CaseIterable, Hashable, Sendable { case female, male }

  public var stature: Double
  /// Of the ankle's centre above the floor.
  public var ankleHeight: Double
  public var shank: Double
  public var thigh: Double
  /// Between the centres of the hips.
  public var hipBreadth: Double
  public var trunk: Double
  /// Between the centres of the shoulders.
  public var shoulderBreadth: Double
  public var upperArm: Double
  public var forearm: Double
  public var foot: Double

  /// A body of the published proportions.
  public init(stature: Double) {
    self.stature = stature
    ankleHeight = 0.039 * stature
    shank = 0.246 * stature
    thigh = 0.245 * stature
    hipBreadth = 0.11 * stature
    trunk = 0.288 * stature
    shoulderBreadth = 0.22 * stature
    upperArm = 0.186 * stature
    forearm = 0.146 * stature
    foot = 0.152 * stature
  }

  /// Someone of an adult population, with proportions that differ from person to person by a few per cent.
  ///
  /// Median stature 69.4 in (men) and 63.8 in (women): McDowell et al., Anthropometric Reference Data for
  /// Children and Adults: United States, 2003-2006, National Health Statistics Reports 10, 2008. Standard deviations
  /// 2.85 in and 2.58 in: Weight, Height, and Selected Body Dimensions of Adults, National Center for Health Statistics,
  /// Series 11, No. 8, 1965. Each length then varies by 3 %, at most 6 %.
  public init(of sex: Sex, using generator: inout SeededGenerator) {
    let (median, deviation) =
      switch sex {
      case .female: (63.8, 2.58)
      case .male: (69.4, 2.85)
      }
    self.init(stature: 0.0254 * generator.normal(median, sd: deviation, limit: 2))
    for length in Self.variable { self[keyPath: length] *= generator.normal(1, sd: 0.03, limit: 2) }
  }

  private static var variable: [WritableKeyPath<Body, Double>] {
    [\.shank, \.thigh, \.hipBreadth, \.trunk, \.shoulderBreadth, \.upperArm, \.forearm, \.foot]
  }
}
