import CCairo

extension Canvas {
  /// Fills a rectangle in a shade that stands for a number and not for a meaning.
  func fill(_ rect: Rect, shade: Color) {
    guard Point(x: rect.x, y: rect.y).isDrawable, Point(x: rect.right, y: rect.bottom).isDrawable else { return }
    let (left, top) = (sharp(rect.left), sharp(rect.top))
    cairo_rectangle(context, left, top, sharp(rect.right) - left, sharp(rect.bottom) - top)
    setColor(shade, opacity: 1)
    cairo_fill(context)
  }
}
