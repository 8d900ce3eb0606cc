/// A row of a timeline.
protocol Lane {
  var height: Double { get }

  /// - Parameters:
  ///   - row: the lane itself.
  ///   - names: the left edge of the room for the lane's name.
  func draw(on canvas: Canvas, in row: Rect, names: Double, _ time: Axis)
}

extension Lane {
  /// Writes the lane's name to its left.
  func drawName(_ name: String, on canvas: Canvas, in row: Rect, names: Double) {
    canvas.text(
      name, at: Point(x: row.left - 12, y: row.middle.y), Anchor(.right, .middle), .note,
      maxWidth: row.left - 12 - names)
  }
}
