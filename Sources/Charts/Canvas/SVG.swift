import Datasets
import Files

/// The chart as an SVG file: the same drawing as the PNG file of this width and scale, as shapes, in pixels of 1/96
/// inch.
///
/// Texts are texts, above all shapes: a reader can search and select them. Each has the width that was measured, so the
/// layout also holds in another font. The file has no date or process id: equal input gives equal bytes.
///
/// - Parameters: See `png`.
/// - Throws: `ChartError` if drawing fails.
public func svg(
  _ chart: some Chart, width: Double = 1200, scale: Double = 1, theme: Theme = .light,
  metadata: [(key: String, value: String)] = []
) throws(ChartError) -> [UInt8] {
  let page = Page(pixels: width)
  let output = SVGOutput()
  let canvas = try Canvas(size: chart.size(on: page), scale: scale * width / page.width, theme: theme, output: output)
  chart.draw(on: canvas)
  return output.file(
    title: chart.title, description: chart.subtitle, metadata: metadata, size: canvas.size, scale: canvas.scale,
    background: theme[.background])
}

/// The elements of an SVG file, in points to a hundredth. Successive elements with the same style share a group.
final class SVGOutput {
  private typealias Element = (style: String, text: String)

  private var shapes: [Element] = []
  private var texts: [Element] = []
  /// The areas that shapes are clipped to, each once.
  private var clips: [Rect] = []
  private var clip: Rect?

  /// Adds a shape.
  func add(_ shape: Shape, fill: FillStyle? = nil, stroke: LineStyle? = nil) {
    var style: [String] = []
    if let clip {
      let index = clips.firstIndex(of: clip) ?? clips.count
      if index == clips.count { clips.append(clip) }
      style.append("clip-path=\"url(#\(index))\"")
    }
    if let fill { style += Self.paint("fill", fill.color, opacity: fill.opacity) }
    if let stroke {
      style += Self.paint("stroke", stroke.color, opacity: stroke.opacity)
      if stroke.width != 1 { style.append("stroke-width=\"\(Self.number(stroke.width))\"") }
      if !stroke.dash.isEmpty {
        style.append("stroke-dasharray=\"\(stroke.dash.map(Self.number).joined(separator: " "))\"")
      }
      if stroke.isRound { style.append("stroke-linecap=\"round\"") }
    }
    shapes.append((style.joined(separator: " "), Self.element(shape)))
  }

  /// Adds a text with its left edge in its box.
  func add(_ placed: PlacedText, baseline: Double, _ style: TextStyle, _ color: Color) {
    let x = Self.number(placed.box.x + style.lead(of: placed.text))
    // A no-break space would not be found in a search for words.
    let words = Self.escaped(placed.text.replacing("\u{A0}", with: " "))
    // Browsers ignore it on a group.
    let keepsSpaces = words.split(separator: " ").joined(separator: " ") != words
    let font = ["font-size=\"\(Self.number(style.size))\""] + (style.isBold ? ["font-weight=\"bold\""] : [])
    texts.append(
      (
        (font + Self.paint("fill", color, opacity: 1)).joined(separator: " "),
        "<text x=\"\(x)\" y=\"\(Self.number(baseline))\" textLength=\"\(Self.number(style.advance(of: placed.text)))\" "
          + "lengthAdjust=\"spacingAndGlyphs\"\(keepsSpaces ? " xml:space=\"preserve\"" : "")>\(words)</text>"
      ))
  }

  /// Clips the shapes that `draw` adds to `area`.
  func clipped(to area: Rect, _ draw: () -> Void) {
    let outer = clip
    clip =
      outer.map {
        Rect(
          left: max($0.left, area.left), top: max($0.top, area.top), right: min($0.right, area.right),
          bottom: min($0.bottom, area.bottom))
      } ?? area
    draw()
    clip = outer
  }

  /// The finished file.
  ///
  /// - Parameters:
  ///   - size: In points.
  ///   - scale: Pixels per point.
  func file(
    title: String, description: String, metadata: [(key: String, value: String)], size: Size, scale: Double,
    background: Color
  ) -> [UInt8] {
    let areas = clips.enumerated().map { index, area in
      "<clipPath id=\"\(index)\">\(Self.element(.rect(area, radius: 0)))</clipPath>"
    }
    var drawing = (areas + Self.grouped(shapes)).joined(separator: "\n")
    // Ids must be unique in the page that a file is pasted into.
    let hash = SHA256()
    hash.update(drawing)
    let own = "c" + hash.finish().prefix(4).map { String($0, radix: 16) }.joined() + "-"
    for place in ["id=\"", "url(#"] { drawing.replace(place, with: place + own) }
    let (width, height) = (Self.number((size.width * scale).rounded()), Self.number((size.height * scale).rounded()))
    let rows = metadata.map { "\($0.key): \($0.value)" }
    let root =
      "<svg role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)px\" height=\"\(height)px\" "
      + "viewBox=\"0 0 \(width) \(height)\" version=\"1.1\">"
    let group =
      "<g transform=\"scale(\(scale))\" fill=\"none\" stroke-linejoin=\"round\" "
      + "font-family=\"\(TextStyle.fontFamily), Verdana, sans-serif\">"
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", root, "<title>\(Self.escaped(title))</title>",
      "<desc>\(Self.escaped(([description] + rows).joined(separator: "\n")))</desc>",
      "<rect width=\"100%\" height=\"100%\" fill=\"\(Self.hex(background))\"/>", group, drawing,
    ]
    lines += Self.grouped(texts)
    lines += ["</g>", "</svg>", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func grouped(_ elements: [Element]) -> [String] {
    var (lines, open): ([String], String?) = ([], nil)
    for (style, text) in elements {
      if style != open {
        if open != nil { lines.append("</g>") }
        lines.append("<g \(style)>")
        open = style
      }
      lines.append(text)
    }
    return lines + (open == nil ? [] : ["</g>"])
  }

  private static func paint(_ kind: String, _ color: Color, opacity: Double) -> [String] {
    ["\(kind)=\"\(hex(color))\""] + (opacity < 1 ? ["\(kind)-opacity=\"\(number(opacity))\""] : [])
  }

  /// `#0072b2`
  private static func hex(_ color: Color) -> String {
    "#"
      + [color.red, color.green, color.blue].map { part in
        (part < 16 ? "0" : "") + String(part, radix: 16)
      }.joined()
  }

  private static func element(_ shape: Shape) -> String {
    switch shape {
    case .rect(let rect, radius: let radius) where hundredths(radius) > 1:
      "<rect x=\"\(number(rect.x))\" y=\"\(number(rect.y))\" width=\"\(number(rect.width))\" "
        + "height=\"\(number(rect.height))\" rx=\"\(number(radius))\"/>"
    case .rect(let rect, radius: _):
      // Dashes begin at the top right, as Cairo's.
      path([Array(rect.corners.dropFirst() + rect.corners.prefix(1))], isClosed: true)
    case .disc(let center, radius: let radius):
      "<circle cx=\"\(number(center.x))\" cy=\"\(number(center.y))\" r=\"\(number(radius))\"/>"
    case .polygon(let corners): path([corners], isClosed: true)
    case .lines(let lines): path(lines, isClosed: false)
    }
  }

  /// Lines as one path, each from an absolute start by distances from point to point.
  private static func path(_ lines: [[Point]], isClosed: Bool) -> String {
    var data = ""
    for line in lines {
      let places = thinned(line).map { (x: hundredths($0.x), y: hundredths($0.y)) }
      guard var last = places.first else { continue }
      data += "M\(pair(last.x, last.y))"
      for place in places.dropFirst() {
        let (x, y) = (place.x - last.x, place.y - last.y)
        if x != 0 || y != 0 { data += y == 0 ? "h\(number(x))" : x == 0 ? "v\(number(y))" : "l\(pair(x, y))" }
        last = place
      }
      // A line of no length makes a dot under a round cap.
      if places.allSatisfy({ $0 == places[0] }) { data += "h0" }
      if isClosed { data += "z" }
    }
    return "<path d=\"\(data)\"/>"
  }

  private static func pair(_ x: Int, _ y: Int) -> String { number(x) + (y < 0 ? "" : " ") + number(y) }

  /// The points without those closer than a tenth of a point to the line that is drawn in their place.
  private static func thinned(_ points: [Point]) -> [Point] {
    guard points.count > 2 else { return points }
    var (kept, start) = ([points[0]], 0)
    for next in 2..<points.count {
      let between = points[start + 1..<next]
      // The limit keeps the time linear.
      guard between.count > 32 || between.contains(where: { distance($0, from: points[start], to: points[next]) > 0.1 })
      else { continue }
      start = next - 1
      kept.append(points[start])
    }
    return kept + [points[points.count - 1]]
  }

  /// The distance of a point from a straight line between two others.
  private static func distance(_ point: Point, from start: Point, to end: Point) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    let part = square > 0 ? min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / square, 0), 1) : 0
    let (x, y) = (start.x + part * dx - point.x, start.y + part * dy - point.y)
    return (x * x + y * y).squareRoot()
  }

  private static func number(_ value: Double) -> String { number(hundredths(value)) }

  /// `12.5`, `.25`, `-3`
  private static func number(_ hundredths: Int) -> String {
    let (whole, part) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let decimals = part == 0 ? "" : part < 10 ? ".0\(part)" : part.isMultiple(of: 10) ? ".\(part / 10)" : ".\(part)"
    return (hundredths < 0 ? "-" : "") + (whole == 0 && part != 0 ? "" : "\(whole)") + decimals
  }

  private static func hundredths(_ value: Double) -> Int { abs(value) < 1e9 ? Int((value * 100).rounded()) : 0 }

  /// The visible text escaped for XML, without characters that XML does not allow.
  private static func escaped(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.visible.unicodeScalars.filter { !(0xFFFE...0xFFFF).contains($0.value) })
    ).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
