/// A scale laid along one edge of a plot.
public struct Axis: Sendable {
  public enum Edge: Sendable { case bottom, left }

  public let scale: any Scale
  public let edge: Edge
  /// The quantity with its unit; empty for none.
  public let title: String

  public init(_ scale: any Scale, edge: Edge, title: String = "") {
    self.scale = scale
    self.edge = edge
    self.title = title
  }

  /// The distance of a value from the left edge of `plot`, or up from its bottom edge.
  func position(of value: Double, in plot: Rect) -> Double? {
    guard let fraction = scale.fraction(of: value) else { return nil }
    return edge == .bottom ? plot.left + fraction * plot.width : plot.bottom - fraction * plot.height
  }

  /// The ticks that fit on a length without touching labels.
  func ticks(on canvas: Canvas, length: Double) -> [Tick] {
    let style = TextStyle.tick
    guard edge == .bottom else {
      let limit = min(8, max(2, Int(length / (1.6 * style.size))))
      // One tick is no scale.
      return (limit...8).lazy.map { scale.ticks(atMost: $0) }.first { $0.count > 1 } ?? scale.ticks(atMost: limit)
    }
    // More ticks are not easier to read.
    var limit = min(14, max(2, Int(length / (3 * style.size))))
    while limit > 2 {
      let ticks = scale.ticks(atMost: limit)
      let ends = ticks.map { tick -> (Double, Double) in
        let middle = (scale.fraction(of: tick.value) ?? 0) * length
        let half = canvas.width(of: tick.label, style) / 2
        return (middle - half, middle + half)
      }
      if zip(ends, ends.dropFirst()).allSatisfy({ $0.1 + 0.8 * style.size < $1.0 }) { return ticks }
      limit -= 1
    }
    return scale.ticks(atMost: 2)
  }

  /// The space below the plot for the tick labels and title of a bottom axis.
  var depth: Double { TextStyle.tick.lineHeight + 8 + (title.isEmpty ? 0 : TextStyle.label.lineHeight + 2) }

  /// The space outside the plot for the tick labels and title.
  func depth(on canvas: Canvas, length: Double) -> Double {
    switch edge {
    case .bottom: depth
    case .left: (ticks(on: canvas, length: length).map { canvas.width(of: $0.label, .tick) }.max() ?? 0) + 12
    }
  }

  func draw(on canvas: Canvas, around plot: Rect) {
    switch edge {
    case .bottom: drawBottom(on: canvas, plot)
    case .left: drawLeft(on: canvas, plot)
    }
  }

  private func drawBottom(on canvas: Canvas, _ plot: Rect) {
    for tick in ticks(on: canvas, length: plot.width) {
      guard let x = position(of: tick.value, in: plot) else { continue }
      canvas.line(from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), .grid)
      // A long label at the end keeps off the edge of the picture.
      let last = canvas.size.width - 8 - canvas.width(of: tick.label, .tick) / 2
      canvas.text(
        tick.label, at: Point(x: max(plot.left, min(x, last)), y: plot.bottom + 8), Anchor(.center, .top), .tick)
    }
    let place = Point(x: plot.middle.x, y: plot.bottom + 8 + TextStyle.tick.lineHeight + 2)
    canvas.text(title, at: place, Anchor(.center, .top), .label, maxWidth: plot.width)
  }

  /// Draws the title horizontally above the axis, which is easier to read.
  private func drawLeft(on canvas: Canvas, _ plot: Rect) {
    for tick in ticks(on: canvas, length: plot.height) {
      guard let y = position(of: tick.value, in: plot) else { continue }
      canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid)
      // In the corner, the bottom axis' first label may need the space.
      for rise in [0, 8] as [Double] {
        let place = Point(x: plot.left - 8, y: y - rise)
        if canvas.text(tick.label, at: place, Anchor(.right, .middle), .tick) != nil { break }
      }
    }
    let left = max(0, plot.left - depth(on: canvas, length: plot.height) + 4)
    canvas.text(
      title, at: Point(x: left, y: plot.top - 12), Anchor(.left, .bottom), .label, maxWidth: plot.right - left)
  }
}
