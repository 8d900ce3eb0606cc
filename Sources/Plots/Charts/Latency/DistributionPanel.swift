/// A heading, a row a series with its histogram and its quantiles, and one axis below; the quantiles stand as numbers to
/// the right.
struct DistributionPanel {
  /// For the table.
  let name: String
  let heading: String
  let content: LatencyPanel
  let scale: any Scale
  /// How a quantile is written.
  let label: @Sendable (Double) -> String
  /// A line across all rows.
  var line: Threshold?

  private static let headingHeight = 32.0
  private static let rowHeight = 44.0
  private static let axisHeight = 54.0
  private static let columnWidth = 96.0

  /// The room that a panel takes.
  static func height(of content: LatencyPanel) -> Double {
    switch content {
    case .measured(let series) where !series.isEmpty:
      headingHeight + rowHeight * Double(series.count) + axisHeight
    default: headingHeight + rowHeight
    }
  }

  /// - Parameters:
  ///   - gutter: the room for the series' names.
  func draw(on canvas: Canvas, in area: Rect, gutter: Double) {
    let top = Point(x: area.left, y: area.top + 12)
    let series = content.series
    guard !series.isEmpty else {
      canvas.text(heading, at: top, Anchor(.left, .middle), .heading, maxWidth: area.width)
      return drawReason(on: canvas, in: area)
    }
    let columns = columnNames
    let right = area.right - Double(columns.count) * Self.columnWidth
    canvas.text(heading, at: top, Anchor(.left, .middle), .heading, maxWidth: right - area.left)
    let plot = Rect(
      left: area.left + gutter + 12, top: area.top + Self.headingHeight, right: right - 8,
      bottom: area.top + Self.headingHeight + Self.rowHeight * Double(series.count))
    let axis = Axis(scale, edge: .bottom)
    axis.draw(on: canvas, around: plot)
    drawLine(on: canvas, plot, axis, labelTop: area.top + 1)
    for (index, column) in columns.enumerated() {
      canvas.text(
        column, at: Point(x: right + Double(index + 1) * Self.columnWidth, y: top.y), Anchor(.right, .middle),
        .note.colored(.quiet))
    }
    for (index, series) in series.enumerated() {
      let row = Rect(
        x: plot.left, y: plot.top + Double(index) * Self.rowHeight, width: plot.width, height: Self.rowHeight)
      draw(series, on: canvas, in: row, axis, columns: columns)
    }
  }

  /// The quantiles that any series has, in the order in which they first appear.
  private var columnNames: [String] {
    var names: [String] = []
    for quantile in content.series.flatMap(\.quantiles) where !names.contains(quantile.name) {
      names.append(quantile.name)
    }
    return Array(names.prefix(4))
  }

  private func drawReason(on canvas: Canvas, in area: Rect) {
    let reason = if case .unavailable(let reason) = content { reason } else { "nothing was measured" }
    canvas.text(
      "\(NumberText.missing): \(reason)", at: Point(x: area.left, y: area.top + Self.headingHeight),
      Anchor(.left, .top), .label.colored(.quiet), maxWidth: area.width)
  }

  private func drawLine(on canvas: Canvas, _ plot: Rect, _ axis: Axis, labelTop: Double) {
    guard let line, let x = axis.position(of: line.value, in: plot) else { return }
    canvas.line(
      from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), .neutral, width: 1.5, dash: [6, 4])
    let legend = Legend([LegendEntry(.dashedLine(.neutral), line.label)])
    let left = plot.right - legend.width(on: canvas)
    legend.drawRow(on: canvas, in: Rect(left: left, top: labelTop, right: plot.right + 1, bottom: plot.top))
  }

  private func draw(_ series: LatencySeries, on canvas: Canvas, in row: Rect, _ axis: Axis, columns: [String]) {
    canvas.text(
      series.name, at: Point(x: row.left - 12, y: row.bottom - 14), Anchor(.right, .middle), .note,
      maxWidth: row.left - 44)
    canvas.line(from: Point(x: row.left, y: row.bottom), to: Point(x: row.right, y: row.bottom), .grid)

    let bins = 160
    let histogram = Histogram(of: series.finite, on: scale, bins: bins)
    let width = row.width / Double(bins)
    let height = row.height - 18
    for (bin, count) in histogram.counts.enumerated() where count > 0 {
      // The square root lets a single late sample be seen beside a thousand early ones.
      let part = (Double(count) / Double(histogram.greatest)).squareRoot()
      let bar = Rect(
        x: row.left + Double(bin) * width, y: row.bottom - part * height, width: width, height: part * height)
      canvas.fill(bar, .prediction, opacity: 0.6)
    }
    drawQuantiles(of: series, on: canvas, in: row, axis)
    for quantile in series.quantiles.prefix(4) {
      guard let column = columns.firstIndex(of: quantile.name) else { continue }
      let x = row.right + 8 + Double(column + 1) * Self.columnWidth
      canvas.text(
        label(quantile.value), at: Point(x: x, y: row.bottom - 14), Anchor(.right, .middle), .note)
    }
  }

  /// A stroke each, named where there is room for all their names.
  private func drawQuantiles(of series: LatencySeries, on canvas: Canvas, in row: Rect, _ axis: Axis) {
    let style = TextStyle(size: 14)
    let strokes = series.quantiles.prefix(4).compactMap { quantile in
      axis.position(of: quantile.value, in: row).map { (name: quantile.name, x: $0) }
    }
    let areApart = zip(strokes, strokes.dropFirst()).allSatisfy { left, right in
      right.x - left.x > (canvas.width(of: left.name, style) + canvas.width(of: right.name, style)) / 2 + 5
    }
    for stroke in strokes {
      let top = Point(x: stroke.x, y: row.top + 16)
      canvas.line(from: top, to: Point(x: stroke.x, y: row.bottom), .ink, width: 2)
      guard areApart else { continue }
      canvas.text(stroke.name, at: Point(x: top.x, y: top.y - 1), Anchor(.center, .bottom), style)
    }
  }
}
