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

  /// How much of the box lies left of and above the place, where no baseline is known.
  var parts: (across: Double, down: Double) {
    let across =
      switch horizontal {
      case .left: 0.0
      case .center: 0.5
      case .right: 1.0
      }
    let down =
      switch vertical {
      case .top: 0.0
      case .middle: 0.5
      case .baseline, .bottom: 1.0
      }
    return (across, down)
  }
}
