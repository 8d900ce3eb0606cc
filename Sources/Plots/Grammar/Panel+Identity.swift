extension Panel {
  /// Draws the line on which both values agree.
  func drawIdentity(on canvas: Canvas, over values: ClosedRange<Double>) {
    guard let start = point(values.lowerBound, values.lowerBound), let end = point(values.upperBound, values.upperBound)
    else { return }
    canvas.clipped(to: plot) { canvas.line(from: start, to: end, .truth, width: 1.5) }
    let steps = 60
    for step in 0..<steps {
      let part = Double(step) / Double(steps)
      let x = start.x + part * (end.x - start.x)
      let y = start.y + part * (end.y - start.y)
      canvas.avoid(
        Rect(left: x, top: y - plot.height / Double(steps), right: x + plot.width / Double(steps), bottom: y))
    }
  }

  /// Fills the band in which the values differ by at most `tolerance`.
  func drawBand(on canvas: Canvas, over values: ClosedRange<Double>, tolerance: Double) {
    let reach = tolerance + values.upperBound - values.lowerBound
    let (low, high) = (values.lowerBound - reach, values.upperBound + reach)
    let corners = [
      point(low, low - tolerance), point(high, high - tolerance), point(high, high + tolerance),
      point(low, low + tolerance),
    ]
    canvas.clipped(to: plot) { canvas.polygon(corners.compactMap { $0 }, .tolerance) }
  }
}
