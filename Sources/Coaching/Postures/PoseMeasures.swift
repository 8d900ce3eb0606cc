/// What the pose classes are told apart by, in one frame; NaN where a joint is missing.
///
/// Angles are degrees in the picture, lengths are in lengths of the trunk (hip to shoulder in the picture).
public struct PoseMeasures: Hashable, Sendable {
  /// Of hip to shoulder from the vertical: 0 upright, 90 level.
  public var trunkLean = Float.nan
  /// Of ankle to hip from the vertical.
  public var legLean = Float.nan
  /// Of knee to hip from the vertical: above 90 the knee is higher than the hip.
  public var thighLean = Float.nan
  /// Of ankle to knee from the vertical.
  public var shankLean = Float.nan
  /// Hip–knee–ankle, 180 straight.
  public var kneeAngle = Float.nan
  /// Shoulder–hip–knee, 180 straight.
  public var hipAngle = Float.nan
  /// How far the hips are above the ankles.
  public var hipHeight = Float.nan
  /// How far the shoulders are above the lower one of elbow and wrist.
  public var armSupport = Float.nan
  /// How far the hips are above the lower one of elbow and wrist.
  public var hipClearance = Float.nan
  /// How far the body's mass is to the side of the ankles in the picture.
  public var imbalance = Float.nan
  /// How far the lower wrist is above the nose.
  public var handHeight = Float.nan

  public init() {}
}
