/// A text as it was drawn: shortened where it had to be, its em in points, and the box that it took.
public struct PlacedText: Hashable, Sendable {
  public let text: String
  public let size: Double
  public let box: Rect

  /// In another unit.
  func scaled(by factor: Double) -> PlacedText {
    PlacedText(
      text: text, size: factor * size,
      box: Rect(x: factor * box.x, y: factor * box.y, width: factor * box.width, height: factor * box.height))
  }
}
