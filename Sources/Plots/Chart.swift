/// A picture of some facts, with the same facts as text.
public protocol Chart: Sendable {
  /// What the chart shows.
  var title: String { get }
  /// How much it rests on: the number of clips, subjects, reps or samples, and what is missing.
  var subtitle: String { get }
  /// The size in points, 1200 x 700 unless the chart needs another.
  var size: Size { get }
  /// The facts, row by row, the first row naming the columns.
  var table: [[String]] { get }

  /// Draws all below the title and the subtitle.
  ///
  /// - Parameters:
  ///   - area: the room that is left.
  func draw(on canvas: Canvas, in area: Rect)
}

extension Chart {
  public var size: Size { Size(width: 1200, height: 700) }

  /// Draws the whole chart.
  public func draw(on canvas: Canvas) {
    let frame = Rect(left: 32, top: 24, right: canvas.size.width - 24, bottom: canvas.size.height - 16)
    canvas.text(
      title, at: Point(x: frame.left, y: frame.top), Anchor(.left, .top), .title, maxWidth: frame.width)
    let lines = Rect(left: frame.left, top: frame.top + 40, right: frame.right, bottom: frame.top + 94)
    let bottom = canvas.paragraph(Self.broken(subtitle), in: lines, .subtitle)
    draw(on: canvas, in: Rect(left: frame.left, top: bottom + 12, right: frame.right, bottom: frame.bottom))
  }

  /// The subtitle with line breaks allowed between its parts only.
  private static func broken(_ subtitle: String) -> String {
    subtitle.replacing(" ", with: "\u{A0}").replacing("\u{A0}·\u{A0}", with: "\u{A0}· ")
  }
}
