import CCairo
import Datasets
import Files
import Statistics

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
  cairo_surface_finish(canvas.surface)
  guard cairo_surface_status(canvas.surface) == CAIRO_STATUS_SUCCESS else {
    throw .drawing(String(cString: cairo_status_to_string(cairo_surface_status(canvas.surface))))
  }
  return try output.file(
    title: chart.title, description: chart.subtitle, metadata: metadata, scale: canvas.scale)
}

/// The output of Cairo's SVG surface, and the texts, which Cairo would write as outlines.
final class SVGOutput {
  private var bytes: [UInt8] = []
  private var texts: [String] = []

  /// Adds a text with its left edge in its box, in points.
  func add(_ placed: PlacedText, baseline: Double, _ style: TextStyle, _ color: Color) {
    func number(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    let x = number(placed.box.x + style.lead(of: placed.text))
    let weight = style.isBold ? #" font-weight="bold""# : ""
    let fill = [color.red, color.green, color.blue].map(String.init).joined(separator: ",")
    // A no-break space would not be found in a search for words.
    let words = Self.escaped(placed.text.replacing("\u{A0}", with: " "))
    texts.append(
      #"<text x="\#(x)" y="\#(number(baseline))" textLength="\#(number(style.advance(of: placed.text)))" "#
        + #"lengthAdjust="spacingAndGlyphs" font-size="\#(number(style.size))"\#(weight) fill="rgb(\#(fill))">"#
        + "\(words)</text>")
  }

  /// A surface that writes into this object, which must outlive it.
  func surface(width: Double, height: Double) -> OpaquePointer? {
    let surface = cairo_svg_surface_create_for_stream(
      { closure, data, count in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        let output = Unmanaged<SVGOutput>.fromOpaque(closure).takeUnretainedValue()
        output.bytes += UnsafeBufferPointer(start: data, count: Int(count))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(self).toOpaque(), width, height)
    cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1)
    // Otherwise a point is 1/72 inch, and the picture a third larger than the PNG file.
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
    return surface
  }

  /// The finished file with its texts.
  ///
  /// - Parameter scale: Pixels per point.
  func file(
    title: String, description: String, metadata: [(key: String, value: String)], scale: Double
  ) throws(ChartError) -> [UInt8] {
    var text = String(decoding: Self.compact(bytes), as: UTF8.self)
    // Cairo numbers the surfaces of a process: the number would differ between equal inputs.
    text.replace(#/ id="surface[0-9]+"/#, with: "")
    // Ids must be unique in the page that a file is pasted into.
    let hash = SHA256()
    hash.update(text)
    let own = "c" + hash.finish().prefix(4).map { String($0, radix: 16) }.joined() + "-"
    for place in ["id=\"", "href=\"#", "url(#"] { text.replace(place, with: place + own) }
    guard let root = text.firstRange(of: "<svg "), let end = text[root.upperBound...].firstIndex(of: ">") else {
      throw .encoding("Cairo wrote no SVG element")
    }
    let rows = metadata.map { "\($0.key): \($0.value)" }
    let head =
      "\n<title>\(Self.escaped(title))</title>\n<desc>\(Self.escaped(([description] + rows).joined(separator: "\n")))</desc>"
    guard let close = text.ranges(of: "</svg>").last else { throw .encoding("Cairo did not end its SVG element") }
    let family = #"font-family="\#(TextStyle.fontFamily), Verdana, sans-serif""#
    let words = ([#"<g \#(family) transform="scale(\#(scale))" xml:space="preserve">"#] + texts + ["</g>\n"]).joined(
      separator: "\n")
    // From the end to the start, which keeps the other places.
    text.insert(contentsOf: words, at: close.lowerBound)
    text.insert(contentsOf: head, at: text.index(after: end))
    text.insert(contentsOf: #"role="img" "#, at: root.upperBound)
    return Array(text.utf8)
  }

  /// Cairo's file with numbers to a hundredth and without properties at their defaults: two thirds of its bytes.
  private static func compact(_ bytes: [UInt8]) -> [UInt8] {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let starts = Set(defaults.compactMap(\.first))
    var compact: [UInt8] = []
    compact.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      if starts.contains(bytes[place]), let word = defaults.first(where: { rest.starts(with: $0) }) {
        place += word.count
        continue
      }
      guard isDigit(bytes[place]) else {
        compact.append(bytes[place])
        place += 1
        continue
      }
      let number = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
      let decimals = number.firstIndex(of: UInt8(ascii: ".")).map { number.endIndex - $0 - 1 } ?? 0
      if decimals > 2, let value = Double(String(decoding: number, as: UTF8.self)) {
        compact += Array(NumberText.plain(value, decimals: 2).utf8)
      } else {
        compact += number
      }
      place = number.endIndex
    }
    return compact
  }

  /// What Cairo writes of every shape although it is the default, or without effect on round joins.
  private static let defaults = [
    "stroke-linecap:butt;", "stroke-opacity:1;", "stroke-miterlimit:10;", "fill-opacity:1;", "fill-rule:nonzero;",
  ].map { Array($0.utf8) }

  /// The visible text escaped for XML, without characters that XML does not allow.
  private static func escaped(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.visible.unicodeScalars.filter { !(0xFFFE...0xFFFF).contains($0.value) })
    ).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
