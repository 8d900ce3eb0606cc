/// Where the settings of two swept parameters lie in a table of cells.
struct SweepGrid {
  struct Place: Hashable {
    var column: Int
    /// Counted from the bottom.
    var row: Int
  }

  let columns: [Double]
  let rows: [Double]
  /// Positions among the settings; of settings with the same values the last.
  let cells: [Place: Int]

  init(_ settings: [SweptSetting]) {
    func values(_ axis: Int) -> [Double] { Set(settings.map { $0.values[axis] }.filter(\.isFinite)).sorted() }
    let (columns, rows) = (values(0), values(1))
    var cells: [Place: Int] = [:]
    for (index, setting) in settings.enumerated() {
      if let column = columns.firstIndex(of: setting.values[0]), let row = rows.firstIndex(of: setting.values[1]) {
        cells[Place(column: column, row: row)] = index
      }
    }
    (self.columns, self.rows, self.cells) = (columns, rows, cells)
  }

  /// In the order of drawing, which a dictionary's is not: the same input gives the same picture.
  var places: [Place] { cells.keys.sorted { ($0.row, $0.column) < ($1.row, $1.column) } }

  func place(of values: [Double]) -> Place? {
    guard values.count == 2, let column = columns.firstIndex(of: values[0]), let row = rows.firstIndex(of: values[1])
    else { return nil }
    return Place(column: column, row: row)
  }

  func rect(_ place: Place, in plot: Rect) -> Rect {
    let width = plot.width / Double(max(1, columns.count))
    let height = plot.height / Double(max(1, rows.count))
    return Rect(
      x: plot.left + width * Double(place.column), y: plot.bottom - height * Double(place.row + 1), width: width,
      height: height)
  }

  /// The outline of the cells for which `isInside` holds.
  func edges(around isInside: (Int) -> Bool, in plot: Rect) -> [(start: Point, end: Point)] {
    func holds(_ place: Place) -> Bool { cells[place].map(isInside) ?? false }
    return places.filter(holds).flatMap { place -> [(start: Point, end: Point)] in
      let cell = rect(place, in: plot)
      let corners = [
        Point(x: cell.left, y: cell.top), Point(x: cell.right, y: cell.top), Point(x: cell.right, y: cell.bottom),
        Point(x: cell.left, y: cell.bottom),
      ]
      let sides = [(0, 1, 0, 1), (1, 2, 1, 0), (2, 3, 0, -1), (3, 0, -1, 0)]
      return sides.compactMap { from, to, right, up in
        holds(Place(column: place.column + right, row: place.row + up)) ? nil : (corners[from], corners[to])
      }
    }
  }
}
