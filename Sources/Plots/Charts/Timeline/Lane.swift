/// A row of a timeline. Its name stands to its left, or above it, as on a narrow page.
protocol Lane {
  var name: String { get }
  /// Without the name.
  var height: Double { get }

  /// Whether the name stands above the lane rather than beside it.
  func hasNameAbove(on page: Page) -> Bool

  /// Draws all but the name.
  func draw(on canvas: Canvas, in row: Rect, _ time: Axis)
}

extension Lane {
  private static var nameHeight: Double { TextStyle.note.lineHeight }

  func hasNameAbove(on page: Page) -> Bool { page.isNarrow }

  func height(on page: Page) -> Double { height + (hasNameAbove(on: page) ? Self.nameHeight : 0) }

  /// - Parameters:
  ///   - row: the lane with its name, from where time begins to where it ends.
  ///   - names: the left edge of the room for the lane's name.
  func draw(on canvas: Canvas, in row: Rect, names: Double, _ time: Axis) {
    guard hasNameAbove(on: canvas.page) else {
      canvas.text(
        name, at: Point(x: row.left - 12, y: row.middle.y), Anchor(.right, .middle), .note,
        maxWidth: row.left - 12 - names)
      return draw(on: canvas, in: row, time)
    }
    let track = Rect(left: row.left, top: row.top + Self.nameHeight, right: row.right, bottom: row.bottom)
    // The time axis' grid is not to run through the name.
    canvas.fill(Rect(left: row.left - 1, top: row.top, right: row.right + 1, bottom: track.top), .background)
    canvas.text(
      name, at: Point(x: row.left, y: row.top + Self.nameHeight / 2 + 1), Anchor(.left, .middle), .note,
      maxWidth: row.width)
    draw(on: canvas, in: track, time)
  }
}

extension [any Lane] {
  func height(on page: Page) -> Double { reduce(0) { $0 + $1.height(on: page) } }

  /// Draws the lanes below each other, from the top of `area` down.
  func draw(on canvas: Canvas, in area: Rect, names: Double, _ time: Axis) {
    var y = area.top
    for lane in self {
      let height = lane.height(on: canvas.page)
      lane.draw(
        on: canvas, in: Rect(left: area.left, top: y, right: area.right, bottom: y + height), names: names, time)
      y += height
    }
  }
}
