import CCairo

/// What a text takes up, measured without a picture and the same at every scale, since outlines and metrics are
/// unhinted.
///
/// The font is DejaVu Sans; where it is not installed fontconfig puts another in its place, and the layout follows that
/// one's widths.
extension TextStyle {
  static let fontFamily = "DejaVu Sans"
  /// DejaVu Sans above and below the baseline, as parts of the em: the tallest and deepest ASCII characters.
  static let ascent = 0.78
  static let descent = 0.24
  static let capHeight = 0.73

  /// How wide the printable ASCII characters are in the font that is there. Pictures of which this is the same are laid
  /// out alike; another version of a font, or of what draws it, may still draw its outlines a little otherwise.
  public static let fontMeasures: String = {
    let texts = String(String.UnicodeScalarView((33...126).compactMap { UnicodeScalar($0) }))
    let ems = [false, true].map { isBold in
      NumberText.fixed(TextStyle(size: 100, isBold: isBold).width(of: texts) / 100, decimals: 2)
    }
    return "\(fontFamily), ASCII \(ems[0]) em, bold \(ems[1]) em"
  }()

  /// The width that a text takes, in points.
  public func width(of text: String) -> Double { box(of: text.printable).width }

  /// A text in lines of at most `width`, broken at spaces; the middle of a word that is wider gives way to "…".
  ///
  /// - Parameters:
  ///   - limit: no more lines than this; where something is left out, the last one ends in "…".
  func lines(of text: String, width: Double, limit: Int = .max) -> [String] {
    var lines: [String] = []
    for word in text.printable.split(separator: " ") {
      if let last = lines.last, self.width(of: "\(last) \(word)") <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else if lines.count == limit {
        let last = "\(lines.removeLast()) \(word)"
        return lines.map { shortenedInside($0, to: width) ?? "" } + [shortened(last, to: width, endsHere: false) ?? ""]
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { shortenedInside($0, to: width) ?? "" }
  }

  /// The text, or as much of its beginning as fits with "…" behind; `nil` where not one character fits.
  ///
  /// - Parameter endsHere: whether nothing else is left out behind the text.
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

  /// How far the ink stands out before the pen, as that of a "j" does.
  func lead(of text: String) -> Double { lead(Fonts.extents(of: text, self)) }

  private func lead(_ extents: cairo_text_extents_t) -> Double { max(0, -extents.x_bearing) }
}

extension String {
  /// With what no font draws replaced: a control character, which would also end the text for Cairo if it is NUL.
  var printable: String {
    let isPlain = unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard !isPlain else { return self }
    return String(
      String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
