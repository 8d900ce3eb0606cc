/// How sure a keypoint is, in three bands that a figure is coloured by.
public enum ConfidenceBand: String, CaseIterable, Hashable, Sendable {
  /// From the surest to the least sure.
  case green, yellow, orange
}

/// Where one band of confidence ends and the next begins; what lies below the last is not drawn.
///
/// Source of the defaults: the MoveNet pose tracker's colours, green above 70 %, yellow from 50 to 70 %, orange from 30 to
/// 50 %.
public struct ConfidenceBands: Hashable, Sendable {
  /// Green is above it.
  public let green: Float
  /// Yellow begins with it.
  public let yellow: Float
  /// Orange begins with it.
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

  /// The band of a confidence; `nil` where the keypoint is not drawn, as is one whose confidence is NaN.
  public subscript(_ confidence: Float) -> ConfidenceBand? {
    if confidence > green { return .green }
    if confidence >= yellow { return .yellow }
    return confidence >= orange ? .orange : nil
  }
}
