extension Canvas {
  /// Draws a label beside a mark, at the place around it that is free and covers least of what labels should avoid, near
  /// before far. A fine line leads to a label that is not next to its mark.
  ///
  /// - Returns: the box taken, or `nil` where no place was free or the label would mostly cover other marks.
  @discardableResult
  public func label(_ text: String, beside mark: Rect, _ style: TextStyle, within area: Rect) -> Rect? {
    guard let fitted = style.shortened(text.printable, to: area.width) else { return nil }
    let size = box(of: fitted, at: Point(x: 0, y: 0), style)
    let places = Self.places(for: size, around: mark).filter(area.contains)
    guard let box = labels.best(of: places, covering: 0.2), labels.place(box) else { return nil }
    drawLeader(from: mark, to: box)
    fill(Rect(left: box.left - 2, top: box.top, right: box.right + 2, bottom: box.bottom), .background, opacity: 0.6)
    show(fitted, in: box, baseline: box.y - size.y, style)
    return box
  }

  /// Draws a text over marks, on a patch of the background that lets them shine through a little, if it is free.
  @discardableResult
  func tag(_ text: String, at place: Point, _ anchor: Anchor, _ style: TextStyle, maxWidth: Double) -> Rect? {
    guard let fitted = style.shortened(text.printable, to: maxWidth), place.isDrawable else { return nil }
    var box = style.box(of: fitted)
    let (across, down) = anchor.parts
    (box.x, box.y) = (place.x - across * box.width, place.y - down * box.height)
    guard labels.isFree(box) else { return nil }
    fill(Rect(left: box.left - 3, top: box.top, right: box.right + 3, bottom: box.bottom), .background, opacity: 0.8)
    return self.text(fitted, at: Point(x: box.left, y: box.bottom), Anchor(.left, .bottom), style)
  }

  /// Sides before corners, near before far.
  private static func places(for size: Rect, around mark: Rect) -> [Rect] {
    [4.0, 16, 32, 52].flatMap { distance in
      let right = mark.right + distance
      let left = mark.left - distance - size.width
      let above = mark.top - distance - size.height
      let below = mark.bottom + distance
      let centerX = mark.middle.x - size.width / 2
      let centerY = mark.middle.y - size.height / 2
      return [
        (right, centerY), (left, centerY), (centerX, above), (centerX, below), (mark.left, above), (mark.left, below),
        (mark.right - size.width, above), (mark.right - size.width, below), (right, above), (right, below),
        (left, above), (left, below),
      ].map { Rect(x: $0.0, y: $0.1, width: size.width, height: size.height) }
    }
  }

  private func drawLeader(from mark: Rect, to box: Rect) {
    let center = mark.middle
    let end = Point(
      x: min(max(center.x, box.left), box.right), y: min(max(center.y, box.top + 3), box.bottom - 3))
    let (dx, dy) = (end.x - center.x, end.y - center.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let radius = min(mark.width, mark.height) / 2
    guard length > radius + 12 else { return }
    let part = (radius + 1) / length
    line(from: Point(x: center.x + part * dx, y: center.y + part * dy), to: end, .quiet)
  }
}
