/// A square plot with a column of legends and texts to its right, or below it on a narrow page.
struct SquareLayout {
  let panel: Panel
  /// Where the column goes.
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

  /// The height of both on a narrow page; `nil` on a wide one, where the column stands beside the plot.
  static func height(on page: Page, side: SideColumn) -> Double? {
    guard page.isNarrow else { return nil }
    // The plot is a little narrower than the page, for the labels of its left axis, and has titles above and below.
    return page.bodyWidth + 78 + side.height(ofWidth: page.bodyWidth, isNarrow: true)
  }
}
