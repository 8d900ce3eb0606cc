/// The confidence in a keypoint, in three bands with colours.
public enum ConfidenceBand: String, CaseIterable, Hashable, Sendable {
  /// From the highest to the lowest confidence.
  case green, yellow, orange
}

/// The limits between the bands of confidence; keypoints below the last one are not drawn.
///
/// Source of the defaults: the MoveNet pose tracker's colours, green above 70 %, yellow from 50 to 70 %, orange from 30 to
/// 50 %.
public struct ConfidenceBands: Hashable, Sendable {
  /// Confidence above it is green.
  public let green: Float
  /// The lowest confidence that is yellow.
  public let yellow: Float
  /// The lowest confidence that is orange.
  public let orange: Float

  /// 0.7, 0.5 and 0.3.
  public static let standard = ConfidenceBands(uncheckedGreen: 0.7, yellow: 0.5, orange: 0.3)

  /// `nil` unless 0 ≤ orange ≤ yellow ≤ green ≤ 1.
  public init?(green: Float, yellow: Float, orange: Float) {
    guard 0 <= orange, orange <= yellow, yellow <= green, green <= 1 else { return nil }
    self.init(uncheckedGreen: green, yellow: yellow, orange: orange)
  }

  private init(uncheckedGreen green: Float, yellow: Float, orange: Float) {
    self.green = green
    self.yellow = yellow
    self.orange = orange
  }

  /// The band of a confidence; `nil` if the keypoint is not drawn, also for NaN.
  public subscript(_ confidence: Float) -> ConfidenceBand? {
    if confidence > green { return .green }
    if confidence >= yellow { return .yellow }
    return confidence >= orange ? .orange : nil
  }
}
