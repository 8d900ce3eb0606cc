/// A plot with its two axes: it turns values into places.
public struct Panel: Sendable {
  public let x: Axis
  public let y: Axis
  /// Where the marks go.
  public let plot: Rect

  /// Lays the axes out so that they, their labels and their titles fill `area`.
  ///
  /// - Parameters:
  ///   - isSquare: whether the plot is as wide as high, as an identity line needs; it then keeps to the top left.
  public init(x: Axis, y: Axis, in area: Rect, on canvas: Canvas, isSquare: Bool = false) {
    self.x = x
    self.y = y
    let top = area.top + (y.title.isEmpty ? 8 : TextStyle.label.lineHeight + 10)
    let bottom = area.bottom - x.depth(on: canvas, length: area.width)
    let left = area.left + y.depth(on: canvas, length: bottom - top)
    // Half a tick label may stand out beyond the last tick.
    let right = area.right - 12
    guard isSquare else {
      plot = Rect(left: left, top: top, right: right, bottom: bottom)
      return
    }
    let side = max(0, min(right - left, bottom - top))
    plot = Rect(x: left, y: top, width: side, height: side)
  }

  init(x: Axis, y: Axis, plot: Rect) {
    self.x = x
    self.y = y
    self.plot = plot
  }

  /// Where a pair of values lies; `nil` where one is missing.
  public func point(_ xValue: Double, _ yValue: Double) -> Point? {
    guard let x = x.position(of: xValue, in: plot), let y = y.position(of: yValue, in: plot) else { return nil }
    return Point(x: x, y: y)
  }

  public func drawAxes(on canvas: Canvas) {
    x.draw(on: canvas, around: plot)
    y.draw(on: canvas, around: plot)
  }
}
