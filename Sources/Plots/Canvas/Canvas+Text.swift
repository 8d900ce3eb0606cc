import CCairo

extension Canvas {
  /// The width that a text takes, in points.
  public func width(of text: String, _ style: TextStyle) -> Double { style.width(of: text) }

  /// Draws a text, if it stays in the picture and apart from all texts before it.
  ///
  /// - Parameters:
  ///   - maxWidth: where the text is wider, its end gives way to "…".
  /// - Returns: the box taken, or `nil` where the text was left out.
  @discardableResult
  public func text(
    _ text: String, at place: Point, _ anchor: Anchor, _ style: TextStyle, maxWidth: Double = .infinity
  ) -> Rect? {
    // Nothing wider than the picture is ever drawn.
    guard place.isDrawable, let fitted = style.shortened(text.printable, to: min(maxWidth, size.width)) else {
      return nil
    }
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
    let room = Int(max(0, min(1000, (area.height + 0.01) / style.lineHeight)))
    var y = area.top
    for line in style.lines(of: text, width: area.width, limit: max(1, room)).prefix(room) {
      self.text(line, at: Point(x: area.left, y: y), Anchor(.left, .top), style, maxWidth: area.width)
      y += style.lineHeight
    }
    return y
  }

  private func baseline(for y: Double, _ vertical: Anchor.Vertical, _ style: TextStyle) -> Double {
    switch vertical {
    case .top: y + TextStyle.ascent * style.size
    case .middle: y + TextStyle.capHeight / 2 * style.size
    case .baseline: y
    case .bottom: y - TextStyle.descent * style.size
    }
  }

  /// The box of a text whose left edge and baseline are those of `origin`.
  func box(of text: String, at origin: Point, _ style: TextStyle) -> Rect {
    let box = style.box(of: text)
    return Rect(x: origin.x, y: origin.y + box.y, width: box.width, height: box.height)
  }

  /// Draws a text into a box that was taken for it.
  func show(_ text: String, in box: Rect, baseline: Double, _ style: TextStyle) {
    texts.append(PlacedText(text: text, size: style.size, box: box))
    Fonts.select(style, scale: scale, on: context)
    setColor(theme[style.meaning], opacity: 1)
    cairo_move_to(context, box.x + style.lead(of: text), baseline)
    cairo_show_text(context, text)
    cairo_new_path(context)
  }
}
