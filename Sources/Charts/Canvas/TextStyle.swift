import CCairo
import Files
import Statistics
import Synchronization

/// The size, weight and colour of a text.
public struct TextStyle: Hashable, Sendable {
  /// The font's em, in points.
  public var size: Double
  public var isBold: Bool
  public var meaning: SemanticColor

  public init(size: Double, isBold: Bool = false, meaning: SemanticColor = .ink) {
    self.size = size
    self.isBold = isBold
    self.meaning = meaning
  }

  public static let title = TextStyle(size: 29, isBold: true)
  public static let subtitle = TextStyle(size: 19, meaning: .quiet)
  public static let heading = TextStyle(size: 19, isBold: true)
  /// Axis titles, legends and remarks.
  public static let label = TextStyle(size: 19)
  public static let tick = TextStyle(size: 18, meaning: .quiet)
  /// Names and numbers beside a mark.
  public static let note = TextStyle(size: 16)
  /// Text in or below a small mark, the smallest size: at least 10 pixels on a page of 400 pixels, where a point is two
  /// thirds of a pixel.
  public static let small = TextStyle(size: 15)

  public func colored(_ meaning: SemanticColor) -> TextStyle {
    var style = self
    style.meaning = meaning
    return style
  }

  /// The distance between the baselines of two lines.
  public var lineHeight: Double { (size * 1.35).rounded() }
}

/// The size of a text, measured without a picture. It is the same at every scale, because outlines and metrics are
/// unhinted.
///
/// The font is DejaVu Sans. If it is not installed, fontconfig substitutes another font, and the layout uses its
/// widths.
extension TextStyle {
  static let fontFamily = "DejaVu Sans"
  /// The ascent and descent of DejaVu Sans in em: the tallest and deepest ASCII characters.
  static let ascent = 0.78
  static let descent = 0.24
  static let capHeight = 0.73

  /// The widths of the printable ASCII characters in the current font. Pictures with the same value have the same
  /// layout, but another version of the font or its renderer may draw slightly different outlines.
  public static let fontMeasures: String = {
    let texts = String(String.UnicodeScalarView((33...126).compactMap { UnicodeScalar($0) }))
    let ems = [false, true].map { isBold in
      NumberText.fixed(TextStyle(size: 100, isBold: isBold).width(of: texts) / 100, decimals: 2)
    }
    return "\(fontFamily), ASCII \(ems[0]) em, bold \(ems[1]) em"
  }()

  /// The width of a text in points.
  public func width(of text: String) -> Double { box(of: text.printable).width }

  /// A text in lines of at most `width`, broken at spaces. The middle of a wider word is replaced by "…".
  ///
  /// - Parameters:
  ///   - limit: The maximum number of lines; if a part is omitted, the last line ends in "…".
  func lines(of text: String, width: Double, limit: Int = .max) -> [String] {
    var lines: [String] = []
    for word in Self.words(text.printable) {
      if let last = lines.last, self.width(of: "\(last) \(word)") <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else if lines.count == limit {
        let last = "\(lines.removeLast()) \(word)"
        return lines.map { shortenedInside($0, to: width) ?? "" } + [shortened(last, to: width, endsHere: false) ?? ""]
      } else {
        lines.append(word)
      }
    }
    return lines.map { shortenedInside($0, to: width) ?? "" }
  }

  /// The parts of a text that stay on one line: words, and numbers with their sign, as in `97 %` and `< 90°`.
  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { words, part in
      if let last = words.last, part.first == "%" || last.last.map("<>≤≥".contains) == true {
        words[words.count - 1] = "\(last) \(part)"
      } else {
        words.append(String(part))
      }
    }
  }

  /// The text, or the part of its beginning that fits, followed by "…"; `nil` if not one character fits.
  ///
  /// - Parameter endsHere: Whether no further text is omitted after this one.
  func shortened(_ text: String, to limit: Double, endsHere: Bool = true) -> String? {
    guard !text.isEmpty, !limit.isNaN else { return nil }
    // A name of a megabyte need not be measured whole.
    let text = text.count > 1000 ? String(text.prefix(1000)) : text
    if endsHere, width(of: text) <= limit { return text }
    var low = 0
    var high = text.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if width(of: text.prefix(middle) + "…") <= limit { low = middle } else { high = middle }
    }
    return low == 0 ? nil : text.prefix(low) + "…"
  }

  /// The box of a text that begins at the origin: at least from ascender to descender, and all of its ink.
  func box(of text: String) -> Rect {
    let extents = Fonts.extents(of: text, self)
    let right = lead(extents) + max(extents.x_advance, extents.x_bearing + extents.width)
    return Rect(
      left: 0, top: min(-Self.ascent * size, extents.y_bearing), right: right,
      bottom: max(Self.descent * size, extents.y_bearing + extents.height))
  }

  /// The extent of the ink left of the pen, as for a "j".
  func lead(of text: String) -> Double { lead(Fonts.extents(of: text, self)) }

  /// The distance from the start of a text to that of one after it, in points.
  func advance(of text: String) -> Double { Fonts.extents(of: text, self).x_advance }

  private func lead(_ extents: cairo_text_extents_t) -> Double { max(0, -extents.x_bearing) }
}

extension String {
  /// Replaces control characters, which no font can draw. NUL would also end the text for Cairo.
  var printable: String {
    func isDrawn(_ scalar: Unicode.Scalar) -> Bool { !scalar.isObeyed && scalar != "\n" }
    guard !unicodeScalars.allSatisfy(isDrawn) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isDrawn($0) ? $0 : " " }))
  }
}

/// Long names, shortened but still distinguishable.
extension TextStyle {
  /// The text, or the parts of its beginning and end that fit with "…" between them; `nil` if not one character fits.
  func shortenedInside(_ text: String, to limit: Double) -> String? {
    guard !text.isEmpty, !limit.isNaN else { return nil }
    // A name of a megabyte need not be measured whole.
    let text = Array(text.count > 1000 ? text.prefix(500) + text.suffix(500) : text[...])
    if width(of: String(text)) <= limit { return String(text) }
    func cut(_ kept: Int) -> String { String(text.prefix((kept + 1) / 2)) + "…" + String(text.suffix(kept / 2)) }
    var (low, high) = (0, text.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if width(of: cut(middle)) <= limit { low = middle } else { high = middle }
    }
    return low == 0 ? nil : cut(low)
  }

  /// Names shortened to fit: the middle of a long name is omitted; of names that this makes equal, what they share.
  func shortened(_ names: [String], to limit: Double) -> [String] {
    let names = names.map(\.printable)
    var short = names.map { shortenedInside($0, to: limit) ?? "" }
    for group in Dictionary(grouping: names.indices, by: { short[$0] }).values {
      guard Set(group.map { names[$0] }).count > 1 else { continue }
      for (index, text) in zip(group, differences(group.map { names[$0] }, to: limit)) { short[index] = text }
    }
    return short
  }

  /// Names without their common beginning and, if they are still equal when they fit, without their common end.
  private func differences(_ names: [String], to limit: Double) -> [String] {
    func shared(_ names: [String]) -> Int { names.dropFirst().reduce(names[0]) { $0.commonPrefix(with: $1) }.count }
    let start = shared(names)
    let ends = names.map { String($0.dropFirst(start)) }
    let dots = width(of: "…")
    let short = ends.map { "…" + (shortenedInside($0, to: limit - dots) ?? "") }
    guard Set(short).count < Set(names).count else { return short }
    let end = shared(ends.map { String($0.reversed()) })
    return ends.map { "…" + (shortenedInside(String($0.dropLast(end)), to: limit - 2 * dots) ?? "") + "…" }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// The scaled fonts for measuring and drawing texts, one each for the whole process and never released.
///
/// Cairo 1.16 aborts if one thread releases the last reference to a scaled font while another finds it in Cairo's own
/// cache (`cairo_scaled_font_destroy` asserts that the font is unused before it checks for users), and FreeType's
/// library must open only one face at a time. Fonts are therefore created and measured behind one lock, and a reference
/// is kept here: a chart has a dozen sizes.
enum Fonts {
  private struct Key: Hashable {
    let size: Double
    let isBold: Bool
    /// The canvas's pixels per point; `nil` for measuring.
    let scale: Double?
  }

  /// The fonts as addresses, which any task may read.
  private static let kept = Mutex<[Key: UInt]>([:])

  /// The extents of `text` at any scale, in points, from an origin on the baseline.
  static func extents(of text: String, _ style: TextStyle) -> cairo_text_extents_t {
    kept.withLock { fonts in
      let font = font(Key(size: style.size, isBold: style.isBold, scale: nil), in: &fonts) { measuringFont(style) }
      var extents = cairo_text_extents_t()
      cairo_scaled_font_text_extents(font, text, &extents)
      return extents
    }
  }

  /// Sets `style` for the next text on a canvas of `scale`.
  static func select(_ style: TextStyle, scale: Double, on context: OpaquePointer) {
    let context = UInt(bitPattern: context)
    kept.withLock { fonts in
      let context = OpaquePointer(bitPattern: context)
      let font = font(Key(size: style.size, isBold: style.isBold, scale: scale), in: &fonts) {
        cairo_select_font_face(context, TextStyle.fontFamily, CAIRO_FONT_SLANT_NORMAL, weight(style))
        cairo_set_font_size(context, style.size)
        return cairo_scaled_font_reference(cairo_get_scaled_font(context))
      }
      cairo_set_scaled_font(context, font)
    }
  }

  private static func font(
    _ key: Key, in fonts: inout [Key: UInt], make: () -> OpaquePointer?
  ) -> OpaquePointer? {
    if let address = fonts[key] { return OpaquePointer(bitPattern: address) }
    let font = make()
    fonts[key] = UInt(bitPattern: font)
    return font
  }

  /// Font options without hinting: a text is as wide as its outlines at every scale.
  private static func measuringFont(_ style: TextStyle) -> OpaquePointer? {
    let face = cairo_toy_font_face_create(TextStyle.fontFamily, CAIRO_FONT_SLANT_NORMAL, weight(style))
    var (matrix, identity) = (cairo_matrix_t(), cairo_matrix_t())
    cairo_matrix_init_scale(&matrix, style.size, style.size)
    cairo_matrix_init_identity(&identity)
    let options = cairo_font_options_create()
    Canvas.unhint(options)
    defer {
      cairo_font_options_destroy(options)
      cairo_font_face_destroy(face)
    }
    return cairo_scaled_font_create(face, &matrix, &identity, options)
  }

  private static func weight(_ style: TextStyle) -> cairo_font_weight_t {
    style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
  }
}
