/// A text as it was drawn: shortened where it had to be, and the box that it took.
public struct PlacedText: Hashable, Sendable {
  public let text: String
  public let box: Rect
}
