extension Panel {
  /// Fills the band between the bounds of successive intervals, broken where there is none.
  func drawBand(
    through estimates: [(x: Double, y: Estimate?)], on canvas: Canvas, _ meaning: Meaning = .uncertain,
    opacity: Double = 0.3
  ) {
    var lower: [Point] = []
    var upper: [Point] = []
    func flush() {
      canvas.clipped(to: plot) { canvas.polygon(lower + upper.reversed(), meaning, opacity: opacity) }
      lower.removeAll()
      upper.removeAll()
    }
    for (x, y) in estimates {
      guard let interval = y?.interval, let low = point(x, interval.lowerBound),
        let high = point(x, interval.upperBound),
        low.isDrawable, high.isDrawable
      else {
        flush()
        continue
      }
      lower.append(low)
      upper.append(high)
    }
    flush()
  }

  /// Asks that labels keep away from a line drawn through points and from the whiskers at them.
  func avoid(_ estimates: [(x: Double, y: Estimate?)], on canvas: Canvas) {
    var last: Point?
    for (x, y) in estimates {
      let here = y.flatMap { point(x, $0.value) }
      if let here, here.isDrawable {
        canvas.avoid(Rect(x: here.x - 7, y: here.y - 7, width: 14, height: 14))
        if let last {
          let steps = min(40, max(1, (abs(here.x - last.x) + abs(here.y - last.y)) / 8).rounded(.up))
          let (dx, dy) = ((here.x - last.x) / steps, (here.y - last.y) / steps)
          for step in stride(from: 0.5, to: steps, by: 1) {
            canvas.avoid(Rect(x: last.x + step * dx - 4, y: last.y + step * dy - 4, width: 8, height: 8))
          }
        }
        if let interval = y?.interval, let low = point(x, interval.lowerBound),
          let high = point(x, interval.upperBound)
        {
          canvas.avoid(Rect(left: here.x - 6, top: high.y, right: here.x + 6, bottom: low.y))
        }
      }
      last = here
    }
  }

  /// Draws an interval upright, with a short bar at each bound.
  func drawWhisker(at x: Double, _ estimate: Estimate, on canvas: Canvas, _ meaning: Meaning = .uncertain) {
    guard let interval = estimate.interval, let low = point(x, interval.lowerBound),
      let high = point(x, interval.upperBound)
    else { return }
    canvas.clipped(to: plot.inset(by: -2)) {
      canvas.line(from: low, to: high, meaning, width: 2)
      for end in [low, high] {
        canvas.line(from: Point(x: end.x - 6, y: end.y), to: Point(x: end.x + 6, y: end.y), meaning, width: 2)
      }
    }
  }

  /// Draws an interval level, with a short bar at each bound.
  func drawWhisker(_ estimate: Estimate, at y: Double, on canvas: Canvas, _ meaning: Meaning = .uncertain) {
    guard let interval = estimate.interval, let low = point(interval.lowerBound, y),
      let high = point(interval.upperBound, y)
    else { return }
    canvas.clipped(to: plot.inset(by: -2)) {
      canvas.line(from: low, to: high, meaning, width: 2)
      for end in [low, high] {
        canvas.line(from: Point(x: end.x, y: end.y - 6), to: Point(x: end.x, y: end.y + 6), meaning, width: 2)
      }
    }
  }

  /// Draws a line across the plot at a value.
  func drawLevel(_ value: Double, on canvas: Canvas, _ meaning: Meaning, width: Double = 1.5, dash: [Double] = []) {
    guard let y = y.position(of: value, in: plot), y >= plot.top - 1, y <= plot.bottom + 1 else { return }
    canvas.line(
      from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), meaning, width: width, dash: dash)
  }
}
