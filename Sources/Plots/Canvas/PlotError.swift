/// Why a picture could not be made.
public enum PlotError: Error, Equatable, CustomStringConvertible {
  /// The size at that scale is not one that a picture can have.
  case size(Size, scale: Double)
  /// Cairo stopped; the words are its own.
  case drawing(String)
  /// The PNG could not be written; the words say why.
  case encoding(String)
  /// A PNG could not be read; the words say why.
  case decoding(String)

  public var description: String {
    switch self {
    case .size(let size, let scale):
      "cannot draw a picture of \(size.width) x \(size.height) points at scale \(scale): "
        + "expected 1 to \(Canvas.largestSide) pixels a side"
    case .drawing(let words): "drawing failed: \(words)"
    case .encoding(let words): "writing the PNG failed: \(words)"
    case .decoding(let words): "reading the PNG failed: \(words)"
    }
  }
}
