import CCairo

/// A drawing surface in points: a thin layer over Cairo for pixels, or the elements of an SVG file. Texts never overlap.
///
/// Unhinted outlines, unhinted metrics and grey anti-aliasing make the same input give the same pixels, and the same
/// layout at every scale. A coordinate that is not finite draws nothing. It is not `Sendable`: one task draws one
/// canvas.
public final class Canvas {
  /// The maximum width and height of Cairo's image surfaces, in pixels.
  public static let largestSide = 32767

  public let size: Size
  /// Pixels per point: 1 for a page, 2 for a display with double density.
  public let scale: Double
  public let theme: Theme
  /// The reserved areas of texts, and the obstacles.
  public internal(set) var labels: LabelPlacer
  /// The texts drawn so far, in order.
  public internal(set) var texts: [PlacedText] = []

  let surface: OpaquePointer
  let context: OpaquePointer
  /// Receives the elements of an SVG file; `nil` for pixels.
  let output: SVGOutput?

  /// An empty picture in the theme's background.
  ///
  /// - Throws: `ChartError.size` if a side is not 1 to `largestSide` pixels, `ChartError.drawing` if Cairo fails.
  public convenience init(size: Size, scale: Double = 1, theme: Theme = .light) throws(ChartError) {
    try self.init(size: size, scale: scale, theme: theme, output: nil)
  }

  /// - Parameter output: Receives the elements of an SVG file; `nil` to draw pixels.
  init(size: Size, scale: Double, theme: Theme, output: SVGOutput?) throws(ChartError) {
    let width = (size.width * scale).rounded()
    let height = (size.height * scale).rounded()
    let sides = 1...Double(Self.largestSide)
    guard scale > 0, sides.contains(width), sides.contains(height),
      // Elements need no pixels.
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, output == nil ? Int32(width) : 1, output == nil ? Int32(height) : 1)
    else { throw .size(size, scale: scale) }
    guard let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw .drawing("no context")
    }
    self.size = size
    self.scale = scale
    self.theme = theme
    self.output = output
    self.surface = surface
    self.context = context
    // Cairo moves each glyph to a whole pixel: the ink may exceed a text's box by one pixel.
    labels = LabelPlacer(
      bounds: Rect(x: 0, y: 0, width: size.width, height: size.height), gap: max(2, 2 / scale))
    prepare()
    try check()
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// The layout for the picture's width.
  public var page: Page { Page(width: size.width) }

  /// The whole picture.
  public var bounds: Rect { labels.bounds }

  /// Draws clipped to `area`. Texts are not clipped: a text is drawn whole or not at all.
  public func clipped(to area: Rect, _ draw: () -> Void) {
    if let output { return output.clipped(to: area, draw) }
    cairo_save(context)
    cairo_rectangle(context, area.x, area.y, area.width, area.height)
    cairo_clip(context)
    draw()
    cairo_restore(context)
  }

  /// Adds an obstacle that labels avoid if another place is free.
  public func avoid(_ obstacle: Rect) {
    labels.avoid(obstacle)
  }

  func check() throws(ChartError) {
    for status in [cairo_surface_status(surface), cairo_status(context)] where status != CAIRO_STATUS_SUCCESS {
      throw .drawing(String(cString: cairo_status_to_string(status)))
    }
  }

  private func prepare() {
    let options = cairo_font_options_create()
    Self.unhint(options)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_scale(context, scale, scale)
    setColor(theme[.background], opacity: 1)
    cairo_paint(context)
  }

  static func unhint(_ options: OpaquePointer?) {
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
  }

  func setColor(_ color: Color, opacity: Double) {
    cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, opacity)
  }
}

/// An error of drawing, writing or reading a picture.
public enum ChartError: Error, Equatable, CustomStringConvertible {
  /// The size at that scale is not possible for a picture.
  case size(Size, scale: Double)
  /// Cairo failed, with its own message.
  case drawing(String)
  /// The PNG could not be written, with the reason.
  case encoding(String)
  /// A PNG could not be read, with the reason.
  case decoding(String)

  public var description: String {
    switch self {
    case .size(let size, let scale):
      "cannot draw a picture of \(size.width) x \(size.height) points at scale \(scale): "
        + "expected 1 to \(Canvas.largestSide) pixels per side"
    case .drawing(let words): "drawing failed: \(words)"
    case .encoding(let words): "writing the PNG failed: \(words)"
    case .decoding(let words): "reading the PNG failed: \(words)"
    }
  }
}
