import CCairo

extension Canvas {
  /// DejaVu Sans above and below the baseline, as parts of the em: the tallest and deepest ASCII characters.
  private static let ascent = 0.78
  private static let descent = 0.24
  private static let capHeight = 0.73

  /// The width that a text takes, in points.
  public func width(of text: String, _ style: TextStyle) -> Double {
    box(of: Self.printable(text), at: Point(x: 0, y: 0), style).width
  }

  /// Draws a text, if it stays in the picture and apart from all texts before it.
  ///
  /// - Parameters:
  ///   - maxWidth: where the text is wider, its end gives way to "…".
  /// - Returns: the box taken, or `nil` where the text was left out.
  @discardableResult
  public func text(
    _ text: String, at place: Point, _ anchor: Anchor, _ style: TextStyle, maxWidth: Double = .infinity
  ) -> Rect? {
    guard place.isDrawable, let fitted = shortened(Self.printable(text), style, to: maxWidth) else { return nil }
    let origin = Point(x: place.x, y: baseline(for: place.y, anchor.vertical, style))
    var box = box(of: fitted, at: origin, style)
    switch anchor.horizontal {
    case .left: break
    case .center: box.x -= box.width / 2
    case .right: box.x -= box.width
    }
    guard labels.place(box) else { return nil }
    show(fitted, in: box, baseline: origin.y, style)
    return box
  }

  /// Sets a text in lines of at most `area.width`, broken at spaces, from the top of `area` down while they fit.
  ///
  /// - Returns: the lower edge of the last line.
  @discardableResult
  public func paragraph(_ text: String, in area: Rect, _ style: TextStyle) -> Double {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, width(of: "\(last) \(word)", style) <= area.width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    var y = area.top
    for line in lines where y + style.lineHeight <= area.bottom {
      self.text(line, at: Point(x: area.left, y: y), Anchor(.left, .top), style, maxWidth: area.width)
      y += style.lineHeight
    }
    return y
  }

  /// Replaces what no font draws: a control character, which would also end the text for Cairo if it is NUL.
  static func printable(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard !isPlain else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private func baseline(for y: Double, _ vertical: Anchor.Vertical, _ style: TextStyle) -> Double {
    switch vertical {
    case .top: y + Self.ascent * style.size
    case .middle: y + Self.capHeight / 2 * style.size
    case .baseline: y
    case .bottom: y - Self.descent * style.size
    }
  }

  private func select(_ style: TextStyle) {
    let weight = style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    cairo_select_font_face(context, Self.fontFamily, CAIRO_FONT_SLANT_NORMAL, weight)
    cairo_set_font_size(context, style.size)
  }

  private func extents(of text: String, _ style: TextStyle) -> cairo_text_extents_t {
    select(style)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents
  }

  /// How far the ink stands out before the pen, as that of a "j" does.
  private func lead(_ extents: cairo_text_extents_t) -> Double { max(0, -extents.x_bearing) }

  /// The box of a text whose left edge and baseline are those of `origin`: at least from ascender to descender, and all
  /// of its ink.
  func box(of text: String, at origin: Point, _ style: TextStyle) -> Rect {
    let extents = extents(of: text, style)
    return Rect(
      left: origin.x, top: origin.y + min(-Self.ascent * style.size, extents.y_bearing),
      right: origin.x + lead(extents) + max(extents.x_advance, extents.x_bearing + extents.width),
      bottom: origin.y + max(Self.descent * style.size, extents.y_bearing + extents.height))
  }

  /// Draws a text into a box that was taken for it.
  func show(_ text: String, in box: Rect, baseline: Double, _ style: TextStyle) {
    texts.append(PlacedText(text: text, box: box))
    let lead = lead(extents(of: text, style))
    setColor(theme[style.meaning], opacity: 1)
    cairo_move_to(context, box.x + lead, baseline)
    cairo_show_text(context, text)
    cairo_new_path(context)
  }

  /// The text, or as much of its beginning as fits with "…" behind; `nil` where not one character fits.
  func shortened(_ text: String, _ style: TextStyle, to maxWidth: Double) -> String? {
    guard !text.isEmpty, !maxWidth.isNaN else { return nil }
    // Nothing wider than the picture is ever drawn, and a name of a megabyte need not be measured whole.
    let limit = min(maxWidth, size.width)
    let text = text.count > 1000 ? String(text.prefix(1000)) : text
    if width(of: text, style) <= limit { return text }
    var low = 0
    var high = text.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if width(of: text.prefix(middle) + "…", style) <= limit { low = middle } else { high = middle }
    }
    return low == 0 ? nil : text.prefix(low) + "…"
  }
}
