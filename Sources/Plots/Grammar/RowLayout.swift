/// Rows of a mark each between its name and its numbers; on a narrow page name and numbers stand above the mark.
struct RowLayout {
  let names: [String]
  let numbers: [String]
  /// Where the marks go.
  let plot: Rect

  private let area: Rect
  private let isNarrow: Bool
  private let rowHeight: Double

  /// - Parameters:
  ///   - area: the room for the rows, without an axis below.
  ///   - gap: between the plot and what stands beside it, in points.
  init(names: [String], numbers: [String] = [], in area: Rect, on canvas: Canvas, gap: Double = 14) {
    (self.names, self.numbers, self.area) = (names, numbers, area)
    isNarrow = canvas.page.isNarrow
    rowHeight = area.height / Double(max(1, names.count))
    guard !isNarrow else {
      plot = Rect(left: area.left + 10, top: area.top, right: area.right - 10, bottom: area.bottom)
      return
    }
    // A name may be bold, which is wider.
    let style = TextStyle(size: TextStyle.note.size, isBold: true)
    func widest(_ texts: [String]) -> Double { texts.map { style.width(of: $0) }.max() ?? 0 }
    let left = area.left + min(0.32 * area.width, widest(names)) + gap
    let column = min(0.42 * area.width, widest(numbers))
    plot = Rect(left: left, top: area.top, right: area.right - (column > 0 ? column + gap : 10), bottom: area.bottom)
  }

  /// The height of a row whose mark takes so much.
  static func rowHeight(mark: Double, on page: Page) -> Double {
    page.isNarrow ? mark + TextStyle.note.lineHeight + 2 : mark
  }

  /// The middle of a row's mark.
  func y(_ row: Int) -> Double {
    let top = area.top + rowHeight * Double(row)
    return isNarrow ? (top + TextStyle.note.lineHeight + top + rowHeight) / 2 : top + rowHeight / 2
  }

  /// Writes the name and the numbers of a row.
  func drawTexts(of row: Int, on canvas: Canvas, _ style: TextStyle = .note) {
    let number = row < numbers.count ? numbers[row] : ""
    guard isNarrow else {
      let y = y(row)
      canvas.text(
        names[row], at: Point(x: plot.left - 10, y: y), Anchor(.right, .middle), style,
        maxWidth: plot.left - 10 - area.left)
      canvas.text(
        number, at: Point(x: plot.right + 14, y: y), Anchor(.left, .middle), .note,
        maxWidth: area.right - plot.right - 14)
      return
    }
    let y = area.top + rowHeight * Double(row) + TextStyle.note.lineHeight / 2 + 1
    let box = canvas.text(
      number, at: Point(x: area.right, y: y), Anchor(.right, .middle), .note, maxWidth: 0.8 * area.width)
    canvas.text(
      names[row], at: Point(x: area.left, y: y), Anchor(.left, .middle), style,
      maxWidth: area.width - (box?.width ?? 0) - 12)
  }
}
