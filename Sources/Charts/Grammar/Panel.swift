import Statistics

/// A plot with two axes, which maps values to positions.
public struct Panel: Sendable {
  public let x: Axis
  public let y: Axis
  /// The area for the marks.
  public let plot: Rect

  /// Lays the axes out, with their labels and titles, to fill `area`.
  ///
  /// - Parameters:
  ///   - isSquare: Whether the plot is square, for an identity line; it is then at the top left.
  public init(x: Axis, y: Axis, in area: Rect, on canvas: Canvas, isSquare: Bool = false) {
    self.x = x
    self.y = y
    let top = area.top + (y.title.isEmpty ? 8 : TextStyle.label.lineHeight + 10)
    let bottom = area.bottom - x.depth(on: canvas, length: area.width)
    let left = area.left + y.depth(on: canvas, length: bottom - top)
    // Half a tick label may extend beyond the last tick.
    let right = area.right - 12
    guard isSquare else {
      plot = Rect(left: left, top: top, right: right, bottom: bottom)
      return
    }
    let side = max(0, min(right - left, bottom - top))
    plot = Rect(x: left, y: top, width: side, height: side)
  }

  init(x: Axis, y: Axis, plot: Rect) {
    self.x = x
    self.y = y
    self.plot = plot
  }

  /// The position of a pair of values; `nil` if one is missing.
  public func point(_ xValue: Double, _ yValue: Double) -> Point? {
    guard let x = x.position(of: xValue, in: plot), let y = y.position(of: yValue, in: plot) else { return nil }
    return Point(x: x, y: y)
  }

  public func drawAxes(on canvas: Canvas) {
    x.draw(on: canvas, around: plot)
    y.draw(on: canvas, around: plot)
  }
}

extension Panel {
  /// Fills the band between the bounds of successive intervals, with gaps at missing intervals.
  func drawBand(
    through estimates: [(x: Double, y: Estimate?)], on canvas: Canvas, _ meaning: SemanticColor = .uncertain,
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

  /// Adds a line through points and their whiskers as obstacles for labels.
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

  /// Draws a vertical interval, with a short bar at each bound.
  func drawWhisker(at x: Double, _ estimate: Estimate, on canvas: Canvas, _ meaning: SemanticColor = .uncertain) {
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

  /// Draws a horizontal interval, with a short bar at each bound.
  func drawWhisker(_ estimate: Estimate, at y: Double, on canvas: Canvas, _ meaning: SemanticColor = .uncertain) {
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

  /// Draws a line across the plot at a value, which labels avoid.
  func drawLevel(_ value: Double, on canvas: Canvas, _ meaning: SemanticColor, width: Double = 1.5, dash: [Double] = [])
  {
    guard let y = y.position(of: value, in: plot), y >= plot.top - 1, y <= plot.bottom + 1 else { return }
    canvas.line(
      from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), meaning, width: width, dash: dash)
    canvas.avoid(Rect(left: plot.left, top: y - 1, right: plot.right, bottom: y + 1))
  }
}

extension Panel {
  /// Draws the identity line.
  func drawIdentity(on canvas: Canvas, over values: ClosedRange<Double>) {
    guard let start = point(values.lowerBound, values.lowerBound), let end = point(values.upperBound, values.upperBound)
    else { return }
    canvas.clipped(to: plot) { canvas.line(from: start, to: end, .truth, width: 1.5) }
    let steps = 60
    for step in 0..<steps {
      let part = Double(step) / Double(steps)
      let x = start.x + part * (end.x - start.x)
      let y = start.y + part * (end.y - start.y)
      canvas.avoid(
        Rect(left: x, top: y - plot.height / Double(steps), right: x + plot.width / Double(steps), bottom: y))
    }
  }

  /// Fills the band in which the values differ by at most `tolerance`.
  func drawBand(on canvas: Canvas, over values: ClosedRange<Double>, tolerance: Double) {
    let reach = tolerance + values.upperBound - values.lowerBound
    let (low, high) = (values.lowerBound - reach, values.upperBound + reach)
    let corners = [
      point(low, low - tolerance), point(high, high - tolerance), point(high, high + tolerance),
      point(low, low + tolerance),
    ]
    canvas.clipped(to: plot) { canvas.tolerance(corners.compactMap { $0 }) }
  }
}

/// A value drawn as a line across a plot, with its name.
public struct Threshold: Hashable, Sendable {
  public var label: String
  public var value: Double

  public init(label: String, value: Double) {
    self.label = label
    self.value = value
  }

  /// `standing 160`
  var text: String { "\(label) \(NumberText.plain(value, decimals: 3))" }
}

/// The number of values in each of equal steps along a scale.
struct Histogram {
  let counts: [Int]

  /// Counts the values on the scale, including its two ends.
  init(of values: [Double], on scale: some Scale, bins: Int) {
    var counts = [Int](repeating: 0, count: bins)
    for value in values {
      guard let fraction = scale.fraction(of: value), (0...1).contains(fraction) else { continue }
      counts[min(bins - 1, Int(fraction * Double(bins)))] += 1
    }
    self.counts = counts
  }

  var greatest: Int { counts.max() ?? 0 }
}
