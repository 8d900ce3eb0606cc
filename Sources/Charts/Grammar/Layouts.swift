/// Rows with one mark each between a name and numbers. On a narrow page name and numbers are above the mark, side by
/// side if they fit, otherwise stacked.
struct RowLayout {
  /// The area for the marks.
  let plot: Rect

  private let names: [String]
  private let numbers: [String]
  private let area: Rect
  private let isNarrow: Bool
  /// The upper edge of each row and, below its texts, of its mark.
  private let tops: [(row: Double, mark: Double)]
  private let markHeight: Double

  /// - Parameters:
  ///   - area: The space for the rows, without an axis below.
  ///   - gap: The gap between the plot and the texts beside it, in points.
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
    let left = area.left + min(room, Self.widest(names, Self.nameStyle)) + gap
    // Numbers are whole wherever they leave a quarter of the width for the marks.
    let column = min(area.right - gap - left - 0.25 * area.width, Self.widest(numbers, .note))
    plot = Rect(left: left, top: area.top, right: area.right - (column > 0 ? column + gap : 10), bottom: area.bottom)
  }

  /// The height of rows with marks of this height; at least one row.
  static func height(mark: Double, names: [String], numbers: [String] = [], on page: Page) -> Double {
    let texts = textHeights(names: names, numbers: numbers, width: page.bodyWidth, isNarrow: page.isNarrow)
    return mark * Double(max(1, names.count)) + texts.reduce(0, +)
  }

  /// A name may be bold, which is wider.
  private static let nameStyle = TextStyle(size: TextStyle.note.size, isBold: true)

  private static func widest(_ texts: [String], _ style: TextStyle) -> Double {
    texts.map { style.width(of: $0) }.max() ?? 0
  }

  /// The height of the texts above each mark.
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
    let second = first + (isOneLine ? 0 : TextStyle.note.lineHeight)
    // Grid, bands and other lines must not cross the texts: they run through the marks' strips only.
    canvas.fill(
      Rect(left: area.left, top: tops[row].row - 1, right: area.right, bottom: tops[row].mark), .background)
    canvas.text(name, at: Point(x: area.left, y: first), Anchor(.left, .middle), style, maxWidth: area.width)
    canvas.text(
      number, at: Point(x: area.right, y: second), Anchor(.right, .middle), .note, maxWidth: area.width)
  }
}

extension [String] {
  /// The text at an index; empty if there is none.
  fileprivate func at(_ index: Int) -> String { index < count ? self[index] : "" }
}

/// A square plot with a column of legends and texts to its right, or below it on a narrow page.
struct SquareLayout {
  let panel: Panel
  /// The area for the column.
  let side: Rect

  init(x: Axis, y: Axis, in area: Rect, on canvas: Canvas) {
    panel = Panel(x: x, y: y, in: area, on: canvas, isSquare: true)
    let below = panel.plot.bottom + x.depth + 14
    side =
      canvas.page.isNarrow
      ? Rect(left: area.left, top: below, right: area.right, bottom: area.bottom)
      : Rect(
        left: panel.plot.right + 48, top: panel.plot.top, right: min(area.right, panel.plot.right + 528),
        bottom: area.bottom)
  }

  /// The height of both on a narrow page; `nil` on a wide one, where the column is beside the plot.
  static func height(on page: Page, side: SideColumn) -> Double? {
    guard page.isNarrow else { return nil }
    // The plot is slightly narrower than the page, for the labels of its left axis, and has titles above and below.
    return page.bodyWidth + 78 + side.height(ofWidth: page.bodyWidth, isNarrow: true)
  }
}

/// Legends and texts stacked beside a plot, or below it on a narrow page.
struct SideColumn {
  private enum Item {
    case legend(Legend)
    case paragraph(String, TextStyle)
    /// A name to the left and numbers to the right.
    case row(String, String)
    case shades(SemanticColor, name: String, from: String, to: String)
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

  /// A colour bar: the shades of a colour from none to full, with the values at both ends.
  mutating func shades(of meaning: SemanticColor, _ name: String, from least: String, to most: String) {
    items += [.shades(meaning, name: name, from: least, to: most), .space(10)]
  }

  mutating func space(_ height: Double) { items.append(.space(height)) }

  /// The height of all of it at a width.
  func height(ofWidth width: Double, isNarrow: Bool) -> Double {
    items.reduce(0) { sum, item in
      switch item {
      case .legend(let legend):
        sum + (isNarrow ? legend.rowHeight(ofWidth: width) : legend.columnHeight)
      case .paragraph(let text, let style):
        sum + style.lineHeight * Double(style.lines(of: text, width: width).count)
      case .row: sum + Self.rowHeight
      case .shades: sum + Self.shadesHeight
      case .space(let height): sum + height
      }
    }
  }

  /// Draws the parts that fit.
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
      case .shades(let meaning, let name, let least, let most):
        drawShades(of: meaning, name, from: least, to: most, on: canvas, in: rest)
        y += Self.shadesHeight
      case .space(let height): y += height
      }
    }
  }

  /// The names of all rows, shortened alike but still distinguishable.
  private func rowNames(ofWidth width: Double) -> [String] {
    let rows = items.compactMap { item in if case .row(let name, let numbers) = item { (name, numbers) } else { nil } }
    let numbers = rows.map { TextStyle.note.width(of: $0.1) }.max() ?? 0
    return TextStyle.note.shortened(rows.map(\.0), to: width - numbers - 16)
  }

  private static let rowHeight = TextStyle.note.lineHeight + 2

  private func drawShades(
    of meaning: SemanticColor, _ name: String, from least: String, to most: String, on canvas: Canvas, in area: Rect
  ) {
    canvas.text(name, at: Point(x: area.left, y: area.top), Anchor(.left, .top), .note, maxWidth: area.width)
    let bar = Rect(
      x: area.left, y: area.top + TextStyle.note.lineHeight + 2, width: min(220, area.width), height: Self.barHeight)
    let steps = 44
    for step in 0..<steps {
      let width = bar.width / Double(steps)
      let opacity = Double(step) / Double(steps - 1)
      canvas.fill(
        Rect(x: bar.left + Double(step) * width, y: bar.top, width: width, height: bar.height),
        shade: canvas.theme[meaning].blended(over: canvas.theme[.background], opacity: opacity))
    }
    canvas.outline(bar, .neutral)
    canvas.text(least, at: Point(x: bar.left, y: bar.bottom + 2), Anchor(.left, .top), .small)
    canvas.text(most, at: Point(x: bar.right, y: bar.bottom + 2), Anchor(.right, .top), .small)
  }

  private static let barHeight = 14.0
  private static let shadesHeight = TextStyle.note.lineHeight + 2 + barHeight + 2 + TextStyle.small.lineHeight
}

/// The places of the cells of a table of numbers, and the names of its rows and columns.
///
/// Column names that do not fit above their columns are replaced by the numbers of the rows with the same names or,
/// without such a row, by further numbers that `remainder` explains.
struct MatrixLayout {
  let rows: [String]
  let columns: [String]
  /// The cells.
  let plot: Rect
  /// The upper edge of the column names.
  let namesTop: Double
  /// The space for the names of the rows.
  private let nameRoom: Double
  /// The lines of each column's name; `nil` if the columns are numbered.
  private let wrapped: [[String]]?

  private static let style = TextStyle.note
  private static let columnStyle = TextStyle.small
  private static let lineLimit = 3

  /// - Parameters:
  ///   - area: The space for cells and names, column names on top.
  ///   - isSquare: Whether a cell is about as wide as high.
  init(rows: [String], columns: [String], in area: Rect, on canvas: Canvas, isSquare: Bool = false) {
    self.rows = rows
    self.columns = columns
    let names = rows.map { canvas.width(of: $0, Self.style) }.max() ?? 0
    let numbers = canvas.width(of: "\(rows.count + columns.count) ", Self.style)
    nameRoom = min(names, 0.32 * area.width)
    let left = area.left + nameRoom + numbers + 14
    let count = Double(max(1, rows.count))
    var width = min(210, (area.right - left) / Double(max(1, columns.count)))
    if isSquare {
      let least = area.bottom - area.top - Double(Self.lineLimit) * Self.columnStyle.lineHeight
      width = min(width, 1.6 * least / count)
    }
    let lines = columns.map { Self.lines(of: $0, width: width - 6, on: canvas) }
    wrapped = lines.contains { $0 == nil } ? nil : lines.compactMap { $0 }
    namesTop = area.top
    let top = area.top + Double(wrapped?.map(\.count).max() ?? 1) * Self.columnStyle.lineHeight + 8
    let height = min(160, (area.bottom - top) / count, isSquare ? width : .infinity)
    plot = Rect(
      x: left, y: top, width: max(0, width) * Double(columns.count), height: max(0, height) * Double(rows.count))
  }

  func cell(row: Int, column: Int) -> Rect {
    let width = plot.width / Double(max(1, columns.count))
    let height = plot.height / Double(max(1, rows.count))
    return Rect(
      x: plot.left + width * Double(column), y: plot.top + height * Double(row), width: width, height: height)
  }

  /// The numbered columns without a row of the same name: "4 = no prediction".
  var remainder: [String] {
    guard wrapped == nil else { return [] }
    return columns.indices.filter { !rows.contains(columns[$0]) }.map { "\(number(of: $0)) = \(columns[$0])" }
  }

  func drawNames(on canvas: Canvas) {
    for (index, name) in Self.style.shortened(rows, to: nameRoom).enumerated() {
      let place = Point(x: plot.left - 10, y: cell(row: index, column: 0).middle.y)
      let number = wrapped == nil ? "\(index + 1) " : ""
      let room = nameRoom + canvas.width(of: number, Self.style)
      canvas.text(number + name, at: place, Anchor(.right, .middle), Self.style, maxWidth: room)
    }
    for index in columns.indices {
      let lines = wrapped?[index] ?? ["\(number(of: index))"]
      for (line, text) in lines.reversed().enumerated() {
        let place = Point(
          x: cell(row: 0, column: index).middle.x, y: plot.top - 6 - Double(line) * Self.columnStyle.lineHeight)
        canvas.text(text, at: place, Anchor(.center, .bottom), Self.columnStyle)
      }
    }
  }

  /// Writes a text in a cell if all of it fits, at a smaller size if necessary.
  ///
  /// - Parameters:
  ///   - offset: The distance below the middle, in points.
  func write(
    _ text: String, in cell: Rect, offset: Double = 0, _ style: TextStyle, on canvas: Canvas
  ) {
    for size in [style.size, 16, 15] where size <= style.size {
      let style = TextStyle(size: size, isBold: style.isBold, meaning: style.meaning)
      guard canvas.width(of: text, style) + 6 <= cell.width,
        abs(offset) + style.lineHeight / 2 <= cell.height / 2
      else { continue }
      canvas.text(text, at: Point(x: cell.middle.x, y: cell.middle.y + offset), Anchor(.center, .middle), style)
      return
    }
  }

  private func number(of column: Int) -> Int {
    if let row = rows.firstIndex(of: columns[column]) { return row + 1 }
    return rows.count + columns[...column].count { !rows.contains($0) }
  }

  /// The name broken at spaces and after hyphens; `nil` if a part is too wide or there are too many.
  private static func lines(of name: String, width: Double, on canvas: Canvas) -> [String]? {
    guard name.count < 200 else { return nil }
    var lines = [""]
    for part in name.replacing("-", with: "- ").split(separator: " ") {
      let last = lines[lines.count - 1]
      let joined = last.isEmpty || last.hasSuffix("-") ? "\(last)\(part)" : "\(last) \(part)"
      if canvas.width(of: joined, columnStyle) <= width {
        lines[lines.count - 1] = joined
      } else if canvas.width(of: String(part), columnStyle) <= width, !last.isEmpty {
        lines.append(String(part))
      } else {
        return nil
      }
    }
    return lines.count <= lineLimit ? lines : nil
  }
}
