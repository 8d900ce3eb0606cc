import PoseModel

/// A length of the body by which others are divided, so that neither the camera's distance nor a person's height counts.
public struct ReferenceLength: Hashable, Sendable {
  public let from: BodyPart
  public let to: BodyPart
  /// `trunk lengths`
  public let unit: String

  public init(from: BodyPart, to: BodyPart, unit: String) {
    self.from = from
    self.to = to
    self.unit = unit
  }

  /// From the middle of the hips to the middle of the shoulders.
  public static let trunk = ReferenceLength(from: .root, to: .neck, unit: "trunk lengths")

  /// Whether it is the trunk's.
  var isTrunk: Bool { from.left == .root && to.left == .neck }

  /// In image heights; `nil` where an end is not seen or both coincide.
  @inline(__always)
  func length(_ visibility: Visibility, _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    guard let a = visibility.point(from, side, poses, frame), let b = visibility.point(to, side, poses, frame) else {
      return nil
    }
    let d = b - a
    let length = (d.x * d.x + d.y * d.y + d.z * d.z).squareRoot()
    return length > 0 ? length : nil
  }
}
