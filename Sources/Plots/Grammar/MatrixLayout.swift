/// Where the cells of a table of numbers lie, and the names of its rows and columns.
///
/// Column names that do not fit above their columns are replaced by the numbers of the rows that bear them, or, where
/// no row does, by further numbers that `remainder` explains.
struct MatrixLayout {
  let rows: [String]
  let columns: [String]
  /// The cells.
  let plot: Rect
  /// The upper edge of the column names.
  let namesTop: Double
  /// The room for the names of the rows.
  private let nameRoom: Double
  /// The lines of each column's name; `nil` where the columns are numbered.
  private let wrapped: [[String]]?

  private static let style = TextStyle.note
  private static let columnStyle = TextStyle.small
  private static let lineLimit = 3

  /// - Parameters:
  ///   - area: the room for cells and names, those of the columns on top.
  ///   - isSquare: whether a cell is about as wide as high.
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

  /// The numbered columns that no row names: "4 = no answer".
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

  /// Writes a text in a cell if all of it fits there, smaller where it has to be.
  ///
  /// - Parameters:
  ///   - offset: how far below the middle, in points.
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

  /// The name broken at spaces and behind hyphens; `nil` where a part is too wide or there are too many.
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
