import CCairo

/// A shape on a canvas, in points.
enum Shape {
  /// With corners rounded to a radius; 0 for square ones.
  case rect(Rect, radius: Double)
  case disc(Point, radius: Double)
  case polygon([Point])
  /// Each through its points.
  case lines([[Point]])
}

struct FillStyle {
  var color: Color
  var opacity = 1.0
}

struct LineStyle {
  var color: Color
  var opacity = 1.0
  var width: Double
  var dash: [Double] = []
  /// Whether the ends are round.
  var isRound = false
}

extension Canvas {
  /// Fills a rectangle, with corners rounded to `radius`. Square edges are moved to whole pixels, to keep them sharp.
  public func fill(_ rect: Rect, _ meaning: SemanticColor, opacity: Double = 1, radius: Double = 0) {
    guard let shape = rectangle(rect, radius: radius) else { return }
    draw(shape, fill: FillStyle(color: theme[meaning], opacity: opacity))
  }

  /// Draws the outline of a rectangle, its line inside it.
  public func outline(
    _ rect: Rect, _ meaning: SemanticColor, width: Double = 1, dash: [Double] = [], radius: Double = 0
  ) {
    guard let shape = rectangle(rect.inset(by: width / 2), radius: max(radius, 0.01)) else { return }
    draw(shape, stroke: LineStyle(color: theme[meaning], width: width, dash: dash))
  }

  /// Draws a straight line. A horizontal or vertical line is aligned to the pixel grid.
  public func line(
    from start: Point, to end: Point, _ meaning: SemanticColor, width: Double = 1, dash: [Double] = [],
    opacity: Double = 1
  ) {
    guard start.isDrawable, end.isDrawable else { return }
    var (start, end) = (start, end)
    if start.x == end.x {
      start.x = sharp(start.x, width: width)
      end.x = start.x
    }
    if start.y == end.y {
      start.y = sharp(start.y, width: width)
      end.y = start.y
    }
    draw(
      .lines([[start, end]]), stroke: LineStyle(color: theme[meaning], opacity: opacity, width: width, dash: dash))
  }

  /// Draws the line through the points, broken at each that is `nil` or not finite; a single point between two breaks
  /// is drawn as a dot.
  public func path(_ points: some Sequence<Point?>, _ meaning: SemanticColor, width: Double = 1) {
    var lines: [[Point]] = [[]]
    for point in points {
      if let point, point.isDrawable {
        lines[lines.count - 1].append(point)
      } else if !lines[lines.count - 1].isEmpty {
        lines.append([])
      }
    }
    lines.removeAll(where: \.isEmpty)
    let style = LineStyle(color: theme[meaning], width: width, isRound: true)
    guard output == nil else { return draw(.lines(lines), stroke: style) }
    // Cairo's time grows with the edges that cross a row of pixels. With round caps the pieces look like one line.
    for line in lines {
      for start in stride(from: 0, to: max(1, line.count - 1), by: Self.piece) {
        draw(.lines([Array(line[start..<min(start + Self.piece + 1, line.count)])]), stroke: style)
      }
    }
  }

  /// Fills the polygon through the points.
  public func polygon(_ points: [Point], _ meaning: SemanticColor, opacity: Double = 1) {
    guard points.count > 2, points.allSatisfy(\.isDrawable) else { return }
    draw(.polygon(points), fill: FillStyle(color: theme[meaning], opacity: opacity))
  }

  /// Fills an area within a tolerance and draws its edge: the fill alone hardly differs from the background.
  func tolerance(_ corners: [Point]) {
    polygon(corners, .tolerance)
    toleranceEdge(corners)
  }

  private func toleranceEdge(_ corners: [Point]) {
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      // Slanted, a finer line would be paler than its colour.
      line(from: start, to: end, .neutral, width: start.x == end.x || start.y == end.y ? 1 : 1.5)
    }
  }

  /// Fills an area within a tolerance and draws its edge.
  func tolerance(_ rect: Rect) { tolerance(rect.corners) }

  /// Draws the edge alone, over a grid that lies on it.
  func toleranceEdge(_ rect: Rect) { toleranceEdge(rect.corners) }

  /// Fills a disc, with a rim in `rim` if one is given.
  public func disc(
    at center: Point, radius: Double, _ meaning: SemanticColor, opacity: Double = 1, rim: SemanticColor? = nil,
    rimWidth: Double = 1.5
  ) {
    guard center.isDrawable, radius > 0, radius < 10_000 else { return }
    draw(
      .disc(center, radius: radius), fill: FillStyle(color: theme[meaning], opacity: opacity),
      stroke: rim.map { LineStyle(color: theme[$0], width: rimWidth) })
  }

  /// How many points of a line are stroked at once.
  private static let piece = 32

  /// Moves a coordinate to the nearest edge between two pixels.
  func sharp(_ coordinate: Double) -> Double { (coordinate * scale).rounded() / scale }

  private func sharp(_ coordinate: Double, width: Double) -> Double {
    let pixels = max(1, (width * scale).rounded())
    let isOdd = pixels.truncatingRemainder(dividingBy: 2) == 1
    return isOdd ? ((coordinate * scale).rounded(.down) + 0.5) / scale : sharp(coordinate)
  }

  /// A rectangle as a shape; `nil` if it is empty or cannot be drawn.
  private func rectangle(_ rect: Rect, radius: Double) -> Shape? {
    let corner = Point(x: rect.right, y: rect.bottom)
    guard Point(x: rect.x, y: rect.y).isDrawable, corner.isDrawable, rect.width > 0, rect.height > 0 else { return nil }
    let rounding = min(radius, rect.width / 2, rect.height / 2)
    guard rounding <= 0 else { return .rect(rect, radius: rounding) }
    let (left, top) = (sharp(rect.left), sharp(rect.top))
    let right = max(sharp(rect.right), left + 1 / scale)
    let bottom = max(sharp(rect.bottom), top + 1 / scale)
    return .rect(Rect(left: left, top: top, right: right, bottom: bottom), radius: 0)
  }

  /// Fills a shape, then draws its edge or line.
  func draw(_ shape: Shape, fill: FillStyle? = nil, stroke: LineStyle? = nil) {
    if let output { return output.add(shape, fill: fill, stroke: stroke) }
    cairo_new_path(context)
    trace(shape)
    if let fill {
      setColor(fill.color, opacity: fill.opacity)
      cairo_fill_preserve(context)
    }
    if let stroke {
      setColor(stroke.color, opacity: stroke.opacity)
      cairo_set_line_width(context, stroke.width)
      cairo_set_dash(context, stroke.dash, Int32(stroke.dash.count), 0)
      cairo_set_line_cap(context, stroke.isRound ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
      cairo_stroke_preserve(context)
    }
    cairo_new_path(context)
  }

  private func trace(_ shape: Shape) {
    let quarter = Double.pi / 2
    switch shape {
    case .rect(let rect, radius: let radius) where radius > 0:
      cairo_arc(context, rect.right - radius, rect.top + radius, radius, -quarter, 0)
      cairo_arc(context, rect.right - radius, rect.bottom - radius, radius, 0, quarter)
      cairo_arc(context, rect.left + radius, rect.bottom - radius, radius, quarter, 2 * quarter)
      cairo_arc(context, rect.left + radius, rect.top + radius, radius, 2 * quarter, 3 * quarter)
      cairo_close_path(context)
    case .rect(let rect, radius: _): cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
    case .disc(let center, radius: let radius): cairo_arc(context, center.x, center.y, radius, 0, 4 * quarter)
    case .polygon(let corners):
      for corner in corners { cairo_line_to(context, corner.x, corner.y) }
      cairo_close_path(context)
    case .lines(let lines):
      for line in lines {
        guard let first = line.first else { continue }
        cairo_move_to(context, first.x, first.y)
        // A line to the pen's own position makes a dot under a round cap.
        for point in line.count > 1 ? line.dropFirst() : line[...] { cairo_line_to(context, point.x, point.y) }
      }
    }
  }

  /// Fills a rectangle in a shade for a number.
  func fill(_ rect: Rect, shade: Color) {
    guard Point(x: rect.x, y: rect.y).isDrawable, Point(x: rect.right, y: rect.bottom).isDrawable else { return }
    let (left, top) = (sharp(rect.left), sharp(rect.top))
    draw(
      .rect(Rect(left: left, top: top, right: sharp(rect.right), bottom: sharp(rect.bottom)), radius: 0),
      fill: FillStyle(color: shade))
  }
}
