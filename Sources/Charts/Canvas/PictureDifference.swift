/// The differences between a stored picture and a new one. Tolerates another version of the same font or its renderer.
///
/// Marks are the same on every machine: outside texts, squares of `square` pixels are compared, and a single different
/// square counts. Texts are compared in pieces of about three characters: each must have the same amount of ink, colour
/// and position. This tolerates bolder glyphs and a shift of a pixel, and detects a text that is missing or has another
/// colour. It does not detect other words of the same length; `PNGTexts` does.
public struct PictureDifference: Hashable, Sendable {
  /// The side in pixels of the compared squares outside texts.
  public static let square = 8
  /// The tolerance of the mean of a square in each channel, of 255 levels.
  public static let markTolerance = 3.0
  /// The tolerance of the mean of a piece of text in each channel, of 255 levels.
  public static let textTolerance = 10.0

  /// The different squares outside texts.
  public private(set) var squares: [Rect] = []
  /// The texts that are missing or drawn differently.
  public private(set) var texts: [PlacedText] = []

  public var isEmpty: Bool { squares.isEmpty && texts.isEmpty }

  /// - Parameters:
  ///   - texts: The texts of the new picture, in pixels.
  /// - Returns: `nil` if the sizes differ.
  public init?(from other: PNGPixels, to now: PNGPixels, texts: [PlacedText]) {
    guard (now.width, now.height) == (other.width, other.height) else { return nil }
    func differs(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, by tolerance: Double) -> Bool {
      guard let one = now.mean(left: left, top: top, right: right, bottom: bottom),
        let another = other.mean(left: left, top: top, right: right, bottom: bottom)
      else { return false }
      let difference = one - another
      return max(difference.max(), -difference.min()) > tolerance
    }
    let side = Self.square
    let columns = (now.width + side - 1) / side
    var isText = [Bool](repeating: false, count: columns * ((now.height + side - 1) / side))
    for text in texts {
      let box = Self.pixels(of: text)
      for row in max(0, box.top) / side...max(0, box.bottom - 1) / side {
        for column in max(0, box.left) / side...max(0, box.right - 1) / side
        where column < columns && row * columns + column < isText.count {
          isText[row * columns + column] = true
        }
      }
      let width = max(side, Int((2 * text.box.height).rounded()))
      if stride(from: box.left, to: box.right, by: width).contains(where: { left in
        differs(left, box.top, min(left + width, box.right), box.bottom, by: Self.textTolerance)
      }) {
        self.texts.append(text)
      }
    }
    for index in isText.indices where !isText[index] {
      let (left, top) = (index % columns * side, index / columns * side)
      if differs(left, top, left + side, top + side, by: Self.markTolerance) {
        squares.append(Rect(x: Double(left), y: Double(top), width: Double(side), height: Double(side)))
      }
    }
  }

  /// The box of a text with two more pixels on each side, which its ink may reach.
  private static func pixels(of text: PlacedText) -> (left: Int, top: Int, right: Int, bottom: Int) {
    let box = text.box.inset(by: -2)
    return (Int(box.left), Int(box.top), Int(box.right.rounded(.up)), Int(box.bottom.rounded(.up)))
  }
}
