/// Which point of a text's box stands at the place given for it.
public struct Anchor: Hashable, Sendable {
  public enum Horizontal: Hashable, Sendable { case left, center, right }
  /// `middle` is half the height of a capital, so that digits sit level with a mark.
  public enum Vertical: Hashable, Sendable { case top, middle, baseline, bottom }

  public var horizontal: Horizontal
  public var vertical: Vertical

  public init(_ horizontal: Horizontal, _ vertical: Vertical) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
}
