/// A quiet sentence at the lower edge of a chart, in as many lines as it needs.
struct Footnote {
  let text: String
  private static let style = TextStyle.note.colored(.quiet)

  init(_ text: String) { self.text = text }

  /// The room that it takes, with some above it.
  func height(ofWidth width: Double) -> Double {
    12 + Self.style.lineHeight * Double(max(1, Self.style.lines(of: text, width: width).count))
  }

  func draw(on canvas: Canvas, in area: Rect) {
    let top = area.bottom - height(ofWidth: area.width) + 12
    canvas.paragraph(
      text, in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom + 1), Self.style)
  }
}
