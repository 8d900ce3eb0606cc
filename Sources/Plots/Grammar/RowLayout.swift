/// Rows of a mark each between its name and its numbers; on a narrow page name and numbers stand above the mark, beside
/// each other where they fit and below each other where not.
struct RowLayout {
  /// Where the marks go.
  let plot: Rect

  private let names: [String]
  private let numbers: [String]
  private let area: Rect
  private let isNarrow: Bool
  /// The upper edge of each row and, below its texts, of its mark.
  private let tops: [(row: Double, mark: Double)]
  private let markHeight: Double

  /// - Parameters:
  ///   - area: the room for the rows, without an axis below.
  ///   - gap: between the plot and what stands beside it, in points.
  init(names: [String], numbers: [String] = [], in area: Rect, on canvas: Canvas, gap: Double = 14) {
    (self.numbers, self.area) = (numbers, area)
    isNarrow = canvas.page.isNarrow
    let texts = Self.textHeights(names: names, numbers: numbers, width: area.width, isNarrow: isNarrow)
    let markHeight = max(0, area.height - texts.reduce(0, +)) / Double(max(1, names.count))
    var y = area.top
    tops = texts.map { height in
      defer { y += height + markHeight }
      return (y, y + height)
    }
    self.markHeight = markHeight
    guard !isNarrow else {
      self.names = Self.nameStyle.shortened(names, to: area.width)
      plot = Rect(left: area.left + 10, top: area.top, right: area.right - 10, bottom: area.bottom)
      return
    }
    let room = 0.32 * area.width
    self.names = Self.nameStyle.shortened(names, to: room)
    let left = area.left + min(room, Self.widest(names)) + gap
    let column = min(0.42 * area.width, Self.widest(numbers))
    plot = Rect(left: left, top: area.top, right: area.right - (column > 0 ? column + gap : 10), bottom: area.bottom)
  }

  /// The height of rows whose marks take so much each; at least one.
  static func height(mark: Double, names: [String], numbers: [String] = [], on page: Page) -> Double {
    let texts = textHeights(names: names, numbers: numbers, width: page.bodyWidth, isNarrow: page.isNarrow)
    return mark * Double(max(1, names.count)) + texts.reduce(0, +)
  }

  /// A name may be bold, which is wider.
  private static let nameStyle = TextStyle(size: TextStyle.note.size, isBold: true)

  private static func widest(_ texts: [String]) -> Double { texts.map { nameStyle.width(of: $0) }.max() ?? 0 }

  /// What stands above each mark.
  private static func textHeights(
    names: [String], numbers: [String], width: Double, isNarrow: Bool
  ) -> [Double] {
    guard isNarrow else { return names.map { _ in 0 } }
    return names.indices.map { row in
      TextStyle.note.lineHeight * (isOneLine(names[row], numbers.at(row), width) ? 1 : 2) + 2
    }
  }

  private static func isOneLine(_ name: String, _ number: String, _ width: Double) -> Bool {
    number.isEmpty || nameStyle.width(of: name) + 12 + TextStyle.note.width(of: number) <= width
  }

  /// The middle of a row's mark.
  func y(_ row: Int) -> Double {
    tops.indices.contains(row) ? tops[row].mark + markHeight / 2 : area.top + markHeight / 2
  }

  /// Writes the name and the numbers of a row.
  func drawTexts(of row: Int, on canvas: Canvas, _ style: TextStyle = .note) {
    let (name, number) = (names[row], numbers.at(row))
    guard isNarrow else {
      let y = y(row)
      canvas.text(
        name, at: Point(x: plot.left - 10, y: y), Anchor(.right, .middle), style,
        maxWidth: plot.left - 10 - area.left)
      canvas.text(
        number, at: Point(x: plot.right + 14, y: y), Anchor(.left, .middle), .note,
        maxWidth: area.right - plot.right - 14)
      return
    }
    let first = tops[row].row + TextStyle.note.lineHeight / 2 + 1
    let isOneLine = Self.isOneLine(name, number, area.width)
    // No grid and no other line is to run through the texts.
    canvas.fill(
      Rect(left: area.left, top: tops[row].row, right: area.right, bottom: tops[row].mark), .background)
    canvas.text(name, at: Point(x: area.left, y: first), Anchor(.left, .middle), style, maxWidth: area.width)
    canvas.text(
      number, at: Point(x: area.right, y: first + (isOneLine ? 0 : TextStyle.note.lineHeight)), Anchor(.right, .middle),
      .note, maxWidth: area.width)
  }
}

extension [String] {
  /// Empty where there is none.
  fileprivate func at(_ index: Int) -> String { index < count ? self[index] : "" }
}
