/// How a text is set: its size, its weight and what its colour means.
public struct TextStyle: Hashable, Sendable {
  /// The font's em, in points.
  public var size: Double
  public var isBold: Bool
  public var meaning: Meaning

  public init(size: Double, isBold: Bool = false, meaning: Meaning = .ink) {
    self.size = size
    self.isBold = isBold
    self.meaning = meaning
  }

  public static let title = TextStyle(size: 29, isBold: true)
  public static let subtitle = TextStyle(size: 19, meaning: .quiet)
  public static let heading = TextStyle(size: 19, isBold: true)
  /// Axis titles, legends and remarks.
  public static let label = TextStyle(size: 19)
  public static let tick = TextStyle(size: 18, meaning: .quiet)
  /// Names and numbers beside a mark.
  public static let note = TextStyle(size: 16)
  /// What stands in or below a small mark. Nothing is set smaller, so that a page of 400 pixels, on which a point is two
  /// thirds of one, has no text below 10 pixels.
  public static let small = TextStyle(size: 15)

  public func colored(_ meaning: Meaning) -> TextStyle {
    var style = self
    style.meaning = meaning
    return style
  }

  /// The distance between the baselines of two lines.
  public var lineHeight: Double { (size * 1.35).rounded() }
}
