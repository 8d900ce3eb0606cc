/// A text as it was drawn: shortened where it had to be, its em in points, and the box that it took.
public struct PlacedText: Hashable, Sendable {
  public let text: String
  public let size: Double
  public let box: Rect
}
