/// What is known of a joint in a frame.
///
/// In a `PoseSequence`, x grows to the right and y downwards, both in image heights; z grows away from the camera in the
/// same unit and is NaN where a recording has no depth; confidence lies in 0...1. A missing joint is NaN in x and y.
public enum Channel: UInt8, CaseIterable, Hashable, Codable, Sendable {
  case x, y, z, confidence

  @inlinable public var index: Int { Int(rawValue) }
  public static let count = 4
}
