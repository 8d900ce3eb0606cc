import CCairo

extension Canvas {
  /// Fills a rectangle, with corners rounded to `radius`. Square edges are moved to whole pixels, to keep them sharp.
  public func fill(_ rect: Rect, _ meaning: SemanticColor, opacity: Double = 1, radius: Double = 0) {
    guard trace(rect, radius: radius) else { return }
    setColor(theme[meaning], opacity: opacity)
    cairo_fill(context)
  }

  /// Draws the outline of a rectangle, its line inside it.
  public func outline(
    _ rect: Rect, _ meaning: SemanticColor, width: Double = 1, dash: [Double] = [], radius: Double = 0
  ) {
    guard trace(rect.inset(by: width / 2), radius: max(radius, 0.01)) else { return }
    stroke(meaning, width: width, dash: dash, opacity: 1)
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
    cairo_move_to(context, start.x, start.y)
    cairo_line_to(context, end.x, end.y)
    stroke(meaning, width: width, dash: dash, opacity: opacity)
  }

  /// Draws the line through the points, broken at each that is `nil` or not finite; a single point between two breaks
  /// is drawn as a dot.
  public func path(_ points: some Sequence<Point?>, _ meaning: SemanticColor, width: Double = 1) {
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    var last: Point?
    var count = 0
    for point in points {
      guard let point, point.isDrawable else {
        last = nil
        continue
      }
      // Cairo's time grows with the edges that cross a row of pixels. With round caps the pieces look like one line.
      if count == Self.piece {
        stroke(meaning, width: width, dash: [], opacity: 1)
        if let last { cairo_move_to(context, last.x, last.y) }
        count = 0
      }
      if last == nil { cairo_move_to(context, point.x, point.y) }
      // A line to the pen's own position makes a dot under a round cap.
      cairo_line_to(context, point.x, point.y)
      last = point
      count += 1
    }
    stroke(meaning, width: width, dash: [], opacity: 1)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
  }

  /// Fills the polygon through the points.
  public func polygon(_ points: [Point], _ meaning: SemanticColor, opacity: Double = 1) {
    guard points.count > 2, points.allSatisfy(\.isDrawable) else { return }
    for point in points { cairo_line_to(context, point.x, point.y) }
    cairo_close_path(context)
    setColor(theme[meaning], opacity: opacity)
    cairo_fill(context)
  }

  /// Fills an area within a tolerance and draws its edge: the fill alone hardly differs from the background.
  func tolerance(_ corners: [Point]) {
    polygon(corners, .tolerance)
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      // Slanted, a finer line would be paler than its colour.
      line(from: start, to: end, .neutral, width: start.x == end.x || start.y == end.y ? 1 : 1.5)
    }
  }

  /// Fills an area within a tolerance and draws its edge.
  func tolerance(_ rect: Rect) {
    tolerance([
      Point(x: rect.left, y: rect.top), Point(x: rect.right, y: rect.top), Point(x: rect.right, y: rect.bottom),
      Point(x: rect.left, y: rect.bottom),
    ])
  }

  /// Fills a disc, with a rim in `rim` if one is given.
  public func disc(
    at center: Point, radius: Double, _ meaning: SemanticColor, opacity: Double = 1, rim: SemanticColor? = nil,
    rimWidth: Double = 1.5
  ) {
    guard center.isDrawable, radius > 0, radius < 10_000 else { return }
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * Double.pi)
    setColor(theme[meaning], opacity: opacity)
    guard let rim else { return cairo_fill(context) }
    cairo_fill_preserve(context)
    stroke(rim, width: rimWidth, dash: [], opacity: 1)
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

  private func stroke(_ meaning: SemanticColor, width: Double, dash: [Double], opacity: Double) {
    setColor(theme[meaning], opacity: opacity)
    cairo_set_line_width(context, width)
    cairo_set_dash(context, dash, Int32(dash.count), 0)
    cairo_stroke(context)
  }

  private func trace(_ rect: Rect, radius: Double) -> Bool {
    let corner = Point(x: rect.right, y: rect.bottom)
    guard Point(x: rect.x, y: rect.y).isDrawable, corner.isDrawable, rect.width > 0, rect.height > 0 else {
      return false
    }
    let rounding = min(radius, rect.width / 2, rect.height / 2)
    guard rounding > 0 else {
      let (left, top) = (sharp(rect.left), sharp(rect.top))
      let right = max(sharp(rect.right), left + 1 / scale)
      let bottom = max(sharp(rect.bottom), top + 1 / scale)
      cairo_rectangle(context, left, top, right - left, bottom - top)
      return true
    }
    let quarter = Double.pi / 2
    cairo_new_path(context)
    cairo_arc(context, rect.right - rounding, rect.top + rounding, rounding, -quarter, 0)
    cairo_arc(context, rect.right - rounding, rect.bottom - rounding, rounding, 0, quarter)
    cairo_arc(context, rect.left + rounding, rect.bottom - rounding, rounding, quarter, 2 * quarter)
    cairo_arc(context, rect.left + rounding, rect.top + rounding, rounding, 2 * quarter, 3 * quarter)
    cairo_close_path(context)
    return true
  }
}

extension Canvas {
  /// Fills a rectangle in a shade for a number.
  func fill(_ rect: Rect, shade: Color) {
    guard Point(x: rect.x, y: rect.y).isDrawable, Point(x: rect.right, y: rect.bottom).isDrawable else { return }
    let (left, top) = (sharp(rect.left), sharp(rect.top))
    cairo_rectangle(context, left, top, sharp(rect.right) - left, sharp(rect.bottom) - top)
    setColor(shade, opacity: 1)
    cairo_fill(context)
  }
}
