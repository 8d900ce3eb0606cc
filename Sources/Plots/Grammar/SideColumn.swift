/// Legends and texts set below each other beside a plot, or below it on a narrow page.
struct SideColumn {
  private enum Item {
    case legend(Legend)
    case paragraph(String, TextStyle)
    /// A name to the left and numbers to the right.
    case row(String, String)
    case space(Double)
  }

  private var items: [Item] = []

  mutating func legend(_ entries: [LegendEntry]) {
    guard !entries.isEmpty else { return }
    items += [.legend(Legend(entries)), .space(14)]
  }

  mutating func paragraph(_ text: String, _ style: TextStyle = .label) {
    items += [.paragraph(text, style), .space(6)]
  }

  mutating func row(_ name: String, _ numbers: String) { items.append(.row(name, numbers)) }

  mutating func space(_ height: Double) { items.append(.space(height)) }

  /// The room that all of it takes at a width.
  func height(ofWidth width: Double, isNarrow: Bool) -> Double {
    items.reduce(0) { sum, item in
      switch item {
      case .legend(let legend):
        sum + (isNarrow ? legend.rowHeight(ofWidth: width) : legend.columnHeight)
      case .paragraph(let text, let style):
        sum + style.lineHeight * Double(style.lines(of: text, width: width).count)
      case .row: sum + Self.rowHeight
      case .space(let height): sum + height
      }
    }
  }

  /// Draws as much as there is room for.
  func draw(on canvas: Canvas, in area: Rect) {
    var y = area.top
    var names = rowNames(ofWidth: area.width)[...]
    for item in items {
      let rest = Rect(left: area.left, top: y, right: area.right, bottom: area.bottom)
      switch item {
      case .legend(let legend):
        y = canvas.page.isNarrow ? legend.drawRow(on: canvas, in: rest) : legend.drawColumn(on: canvas, in: rest)
      case .paragraph(let text, let style): y = canvas.paragraph(text, in: rest, style)
      case .row(let name, let numbers):
        guard rest.height >= Self.rowHeight else { return }
        canvas.text(numbers, at: Point(x: rest.right, y: y), Anchor(.right, .top), .note)
        canvas.text(
          names.popFirst() ?? name, at: Point(x: rest.left, y: y), Anchor(.left, .top), .note, maxWidth: rest.width)
        y += Self.rowHeight
      case .space(let height): y += height
      }
    }
  }

  /// The names of all rows, shortened alike, so that they can be told apart.
  private func rowNames(ofWidth width: Double) -> [String] {
    let rows = items.compactMap { item in if case .row(let name, let numbers) = item { (name, numbers) } else { nil } }
    let numbers = rows.map { TextStyle.note.width(of: $0.1) }.max() ?? 0
    return TextStyle.note.shortened(rows.map(\.0), to: width - numbers - 16)
  }

  private static let rowHeight = TextStyle.note.lineHeight + 2
}
