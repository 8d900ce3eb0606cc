import Evaluation
import Pipeline
import Statistics

/// A threshold that follows its signal.
public struct MovingThreshold: Hashable, Sendable {
  public var label: String
  /// One per time of the signal; NaN while there is none.
  public var values: [Float]

  public init(label: String, values: [Float]) { (self.label, self.values) = (label, values) }
}

/// A signal over time with its thresholds, over shaded true reps.
struct SignalPanel {
  let signal: SignalSeries
  let time: Axis
  let reps: [TimedRep]
  /// Whether a wide page has space to the right of the plot for the thresholds' names.
  var hasMargin = true
  /// Further values that the scale covers, for two signals on one scale.
  var beside: [Double] = []
  /// Further curves on the panel, which the thresholds' names avoid.
  var others: [SignalSeries] = []
  /// The times of vertical lines across the plot; the thresholds' names avoid them.
  var crossings: [Double] = []

  /// The space left of the time axis for the values and, on a wide page, the lanes' names.
  static func gutter(on page: Page) -> Double { page.isNarrow ? 62 : 130 }

  /// The space right of the time axis for the thresholds' names, which on a narrow page are in the plot.
  static func margin(for signals: [SignalSeries], on page: Page) -> Double {
    guard !page.isNarrow else { return 12 }
    let texts = signals.flatMap {
      $0.thresholds.map(\.text) + $0.moving.map(\.label) + [$0.rangeText].compactMap(\.self)
    }
    let names = texts.map { TextStyle.note.width(of: $0) + 10 }
    return max(12, min(240, names.max() ?? 0))
  }

  /// - Parameters:
  ///   - left: The start of the time axis.
  func draw(on canvas: Canvas, in area: Rect, left: Double) {
    let frames = signal.frames
    let scale = Self.scale(signal.levels + beside)
    let title = signal.unit.isEmpty ? signal.name : "\(signal.name) (\(signal.unit))"
    let axis = Axis(scale, edge: .left)
    let plot = Rect(
      left: left, top: area.top + TextStyle.label.lineHeight + 10, right: area.right, bottom: area.bottom - 10)
    let panel = Panel(x: time, y: axis, plot: plot)

    let heading = Rect(left: left - 1, top: area.top - 10, right: area.right + 1, bottom: plot.top)
    // The time axis' grid must not cross the heading.
    canvas.fill(heading, .background)
    canvas.text(
      title, at: Point(x: left, y: plot.top - 8), Anchor(.left, .bottom), .label, maxWidth: heading.width)
    for rep in reps where rep.isComplete { shade(rep.start...rep.end, .truth, opacity: 0.1, on: canvas, panel) }
    for gap in signal.gaps {
      // The line's own break shows a gap of some frames; many bars would hide the line.
      let ends = [gap.lowerBound, gap.upperBound].compactMap { time.position(of: $0, in: plot) }
      let isBrief = ends.count == 2 && ends[1] - ends[0] < 4
      shade(gap, .uncertain, opacity: isBrief ? 0.1 : 0.3, on: canvas, panel)
    }
    axis.draw(on: canvas, around: plot)
    for threshold in signal.thresholds { draw(threshold, on: canvas, panel) }
    let moving = drawMoving(on: canvas, panel)
    drawRange(on: canvas, panel)
    let curve = Self.thinned(frames.map { panel.point($0.time, $0.value) }, perPoint: canvas.scale)
    // Thin strokes keep the gaps of a long recording visible.
    let isDense = Double(frames.count) > plot.width
    canvas.clipped(to: plot) { canvas.path(curve, .neutral, width: isDense ? 1.2 : 2) }
    if canvas.page.isNarrow || !hasMargin { drawNames(clearOf: curve, moving, on: canvas, panel) }
    if !frames.contains(where: { $0.value.isFinite }) {
      canvas.text("no signal", at: plot.middle, Anchor(.center, .middle), .label.colored(.quiet))
    }
  }

  /// The scale, which covers the levels. It does not magnify the noise of a constant signal.
  static func scale(_ levels: [Double]) -> LinearScale {
    let finite = levels.filter(\.isFinite)
    guard let least = finite.min(), let greatest = finite.max() else { return LinearScale(covering: levels, count: 4) }
    let size = max(abs(least), abs(greatest))
    let missing = 0.02 * size - (greatest - least)
    guard missing > 0, size < 1e300 else { return LinearScale(covering: levels, count: 4) }
    return LinearScale(covering: [least - missing / 2, greatest + missing / 2], count: 4)
  }

  private func shade(
    _ range: ClosedRange<Double>, _ meaning: SemanticColor, opacity: Double, on canvas: Canvas, _ panel: Panel
  ) {
    guard let left = panel.x.position(of: range.lowerBound, in: panel.plot),
      let right = panel.x.position(of: range.upperBound, in: panel.plot)
    else { return }
    let shadow = Rect(
      left: max(left, panel.plot.left), top: panel.plot.top, right: min(max(right, left + 1), panel.plot.right),
      bottom: panel.plot.bottom)
    canvas.fill(shadow, meaning, opacity: opacity)
  }

  private func draw(_ threshold: Threshold, on canvas: Canvas, _ panel: Panel) {
    guard let y = panel.y.position(of: threshold.value, in: panel.plot) else { return }
    let (left, right) = (panel.plot.left, panel.plot.right)
    canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), .ink, width: 1.2, dash: [6, 4])
    name(threshold.text, at: y, on: canvas, panel)
  }

  /// Writes a threshold's name right of the plot, if there is space.
  private func name(_ text: String, at y: Double, on canvas: Canvas, _ panel: Panel) {
    guard !canvas.page.isNarrow, hasMargin else { return }
    // Two thresholds may be closer than two lines of text.
    for offset in [0, -9.0, 9, -18, 18] {
      let place = Point(x: panel.plot.right + 8, y: y + offset)
      let room = canvas.size.width - panel.plot.right - 12
      if canvas.text(text, at: place, Anchor(.left, .middle), .note, maxWidth: room) != nil { break }
    }
  }

  /// Draws the moving thresholds and the band between them, and writes their names right of the plot if there is space.
  ///
  /// - Returns: Their curves.
  private func drawMoving(on canvas: Canvas, _ panel: Panel) -> [[Point?]] {
    let curves = signal.moving.map { threshold in
      zip(signal.times, threshold.values).map { panel.point($0, Double($1)) }
    }
    canvas.clipped(to: panel.plot) {
      if curves.count == 2 { for band in Self.bands(curves[0], curves[1]) { canvas.polygon(band, .tolerance) } }
      for curve in curves { canvas.path(Self.thinned(curve, perPoint: canvas.scale), .ink, width: 1) }
    }
    for (threshold, curve) in zip(signal.moving, curves) {
      guard let last = curve.last(where: { $0 != nil }), let point = last else { continue }
      name(threshold.label, at: point.y, on: canvas, panel)
    }
    return curves
  }

  /// Draws the least movement that counts as a bar of this length.
  private func drawRange(on canvas: Canvas, _ panel: Panel) {
    guard let bar = signal.rangeBar, let text = signal.rangeText,
      let top = panel.y.position(of: bar.upperBound, in: panel.plot),
      let bottom = panel.y.position(of: bar.lowerBound, in: panel.plot)
    else { return }
    let x = panel.plot.right - 8
    canvas.line(from: Point(x: x, y: top), to: Point(x: x, y: bottom), .ink, width: 2)
    for y in [top, bottom] { canvas.line(from: Point(x: x - 5, y: y), to: Point(x: x + 5, y: y), .ink, width: 2) }
    let middle = (top + bottom) / 2
    guard canvas.page.isNarrow || !hasMargin else { return name(text, at: middle, on: canvas, panel) }
    canvas.tag(
      text, at: Point(x: x - 8, y: middle), Anchor(.right, .middle), .small, maxWidth: 0.7 * panel.plot.width)
  }

  /// The outlines of the stretches over which two curves are known.
  private static func bands(_ one: [Point?], _ other: [Point?]) -> [[Point]] {
    var bands: [[Point]] = []
    var (upper, lower): ([Point], [Point]) = ([], [])
    func close() {
      if upper.count > 1 { bands.append(upper + lower.reversed()) }
      (upper, lower) = ([], [])
    }
    for (a, b) in zip(one, other) {
      guard let a, let b else {
        close()
        continue
      }
      upper.append(a)
      lower.append(b)
    }
    close()
    return bands
  }

  /// Writes the thresholds' names into the plot.
  private func drawNames(clearOf curve: [Point?], _ moving: [[Point?]], on canvas: Canvas, _ panel: Panel) {
    let plot = panel.plot
    let beside = others.map { other in other.frames.map { panel.point($0.time, $0.value) } }
    for threshold in signal.thresholds {
      guard let y = panel.y.position(of: threshold.value, in: plot) else { continue }
      let line = [Point(x: plot.left, y: y), Point(x: plot.right, y: y)]
      drawName(threshold.text, along: line, clearOf: [curve] + beside, on: canvas, panel)
    }
    for index in moving.indices {
      let others = moving.indices.filter { $0 != index }.map { moving[$0] }
      drawName(signal.moving[index].label, along: moving[index], clearOf: [curve] + others, on: canvas, panel)
    }
  }

  /// Writes a threshold's name above or below its line, as far right as possible without crossing the curves or a
  /// vertical line; otherwise above the plot, otherwise over the curves.
  private func drawName(
    _ text: String, along line: [Point?], clearOf curves: [[Point?]], on canvas: Canvas, _ panel: Panel
  ) {
    let plot = panel.plot
    let style = TextStyle.small
    let width = min(0.5 * plot.width, canvas.width(of: text, style))
    let lines = crossings.compactMap { panel.x.position(of: $0, in: plot) }
    let rights = Array(stride(from: plot.right - 6, through: plot.left + 6 + width, by: -12))
    // An interrupted vertical line can be read, an interrupted curve cannot.
    for mayCross in lines.isEmpty ? [false] : [false, true] {
      for right in rights {
        let (start, end) = (right - width - 4, right + 4)
        let own = Self.heights(of: line, from: start, to: end)
        guard let highest = own.map(\.lowerBound).min(), let lowest = own.map(\.upperBound).max() else { continue }
        for isAbove in [true, false] {
          let y = isAbove ? highest - 2 : lowest + 2
          let top = isAbove ? y - style.lineHeight : y
          let box = Rect(x: start, y: top - 2, width: end - start, height: style.lineHeight + 4)
          guard box.top >= plot.top, box.bottom <= plot.bottom,
            mayCross || !lines.contains(where: { box.left <= $0 && $0 <= box.right }),
            !curves.contains(where: { Self.runs($0, through: box) })
          else { continue }
          let anchor = Anchor(.right, isAbove ? .bottom : .top)
          if canvas.tag(text, at: Point(x: right, y: y), anchor, style, maxWidth: width + 1) != nil { return }
        }
      }
    }
    if hasMargin {
      let place = Point(x: plot.right, y: plot.top - 8)
      if canvas.text(text, at: place, Anchor(.right, .bottom), style, maxWidth: 0.5 * plot.width) != nil { return }
    }
    // A threshold without a name is worse than a name that covers a part of the curve.
    guard let last = line.last(where: { $0 != nil }), let point = last else { return }
    for isAbove in [true, false] {
      let place = Point(x: plot.right - 6, y: point.y + (isAbove ? -2 : 2))
      let anchor = Anchor(.right, isAbove ? .bottom : .top)
      if canvas.tag(text, at: place, anchor, style, maxWidth: width + 1) != nil { return }
    }
  }

  /// Whether a line may cross a rectangle, tested with the bounding boxes of its pieces.
  private static func runs(_ curve: [Point?], through box: Rect) -> Bool {
    heights(of: curve, from: box.left, to: box.right).contains {
      $0.upperBound >= box.top && $0.lowerBound <= box.bottom
    }
  }

  /// The vertical ranges of a line's pieces between two positions.
  private static func heights(of curve: [Point?], from left: Double, to right: Double) -> [ClosedRange<Double>] {
    var heights: [ClosedRange<Double>] = []
    var last: Point?
    for point in curve {
      guard let point else {
        last = nil
        continue
      }
      let from = last ?? point
      last = point
      guard max(from.x, point.x) >= left, min(from.x, point.x) <= right else { continue }
      // The part of the piece within the horizontal range.
      let run = point.x - from.x
      func height(at x: Double) -> Double {
        // A difference of two heights far outside the plot may overflow.
        let share = min(1, max(0, (x - from.x) / run))
        return from.y * (1 - share) + point.y * share
      }
      let (one, other) = run == 0 ? (from.y, point.y) : (height(at: left), height(at: right))
      heights.append(min(one, other)...max(one, other))
    }
    return heights
  }

  /// Keeps at most four points per column of pixels: first, lowest, highest and last. The picture stays the same, and
  /// long recordings draw as fast as short ones.
  private static func thinned(_ points: [Point?], perPoint scale: Double) -> [Point?] {
    var thinned: [Point?] = []
    var column: [Point] = []
    func flush() {
      guard column.count > 4, let first = column.first, let last = column.last,
        let lowest = column.max(by: { $0.y < $1.y }), let highest = column.min(by: { $0.y < $1.y })
      else {
        thinned += column
        return column.removeAll()
      }
      thinned += [first, lowest, highest, last]
      column.removeAll()
    }
    for point in points {
      guard let point else {
        flush()
        thinned.append(nil)
        continue
      }
      if let last = column.last, (last.x * scale).rounded(.down) != (point.x * scale).rounded(.down) { flush() }
      column.append(point)
    }
    flush()
    return thinned
  }
}

/// A signal of a detector over time.
public struct SignalSeries: Hashable, Sendable {
  public var name: String
  public var unit: String
  /// Seconds from the clip's start, rising; one per value.
  public var times: [Double]
  /// One value per time; NaN if the signal is missing.
  public var values: [Float]
  /// The values at which the detector's decision changes.
  public var thresholds: [Threshold]
  /// Thresholds that follow the signal, at most two; the band between two is shaded.
  public var moving: [MovingThreshold]
  /// The least movement that counts, above 0, for a detector without thresholds; `nil` for none.
  public var range: Threshold?

  public init(
    name: String, unit: String, times: [Double], values: [Float], thresholds: [Threshold] = [],
    moving: [MovingThreshold] = [], range: Threshold? = nil
  ) {
    self.name = name
    self.unit = unit
    self.times = times
    self.values = values
    self.thresholds = thresholds
    self.moving = moving
    self.range = range
  }

  /// `moves ≥ 30 (minimumRange)`
  var rangeText: String? { range.map { "moves ≥ \(NumberText.plain($0.value, decimals: 3)) (\($0.label))" } }

  /// The least movement down from the highest value.
  var rangeBar: ClosedRange<Double>? {
    guard let range, range.value > 0, range.value.isFinite,
      let highest = frames.map(\.value).filter(\.isFinite).max()
    else { return nil }
    return highest - range.value...highest
  }

  /// The frames with a valid time, each with its value.
  var frames: [(time: Double, value: Double)] {
    zip(times, values).filter { $0.0.isFinite }.map { (time: $0.0, value: Double($0.1)) }
  }

  /// The last value at or before a time: `knee angle 96 degrees`; `nil` if there is none.
  func words(at time: Double) -> String? {
    guard let value = frames.last(where: { $0.time <= time + 1e-6 })?.value, value.isFinite else { return nil }
    return "\(name) \(abs(value) < 10 ? NumberText.significant(value) : NumberText.fixed(value, decimals: 0))"
      + (["°", "degrees"].contains(unit) ? "°" : unit.isEmpty ? "" : " \(unit)")
  }

  /// All values that its scale must cover.
  var levels: [Double] {
    frames.map(\.value) + thresholds.map(\.value) + moving.flatMap { $0.values.map { Double($0) } }
      + [rangeBar?.lowerBound].compactMap(\.self)
  }

  /// The gaps of the signal, each from halfway to the previous frame to halfway to the next.
  var gaps: [ClosedRange<Double>] {
    let frames = frames
    func edge(_ left: Int, _ right: Int) -> Double {
      let (low, high) = (max(left, 0), min(right, frames.count - 1))
      return (frames[low].time + frames[high].time) / 2
    }
    var gaps: [ClosedRange<Double>] = []
    var start: Int?
    for index in 0...frames.count {
      let isMissing = index < frames.count && !frames[index].value.isFinite
      if isMissing {
        start = start ?? index
      } else if let first = start {
        let (left, right) = (edge(first - 1, first), edge(index - 1, index))
        gaps.append(min(left, right)...max(left, right))
        start = nil
      }
    }
    return gaps
  }
}

extension Timeline {
  public var signals: [SignalSeries] {
    series.map { series in
      SignalSeries(
        name: series.name, unit: series.unit, times: times, values: series.values,
        thresholds: series.guides.map { Threshold(label: $0.label, value: $0.value) })
    }
  }
}
