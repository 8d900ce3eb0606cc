/// A signal over time with its thresholds, over the shadows of the true reps.
struct SignalPanel {
  let signal: SignalSeries
  let time: Axis
  let reps: [TimedRep]
  /// Whether there is room to the right of the plot for the thresholds' names on a wide page.
  var hasMargin = true
  /// What the scale covers besides, so that two signals are read on one.
  var beside: [Double] = []
  /// When upright lines cross the plot, which the thresholds' names keep away from.
  var crossings: [Double] = []

  /// The room to the left of where time begins, for the values and, on a wide page, the lanes' names.
  static func gutter(on page: Page) -> Double { page.isNarrow ? 62 : 130 }

  /// The room to the right of where time ends, for the thresholds' names; on a narrow page they stand in the plot.
  static func margin(for signals: [SignalSeries], on page: Page) -> Double {
    guard !page.isNarrow else { return 12 }
    let names = signals.flatMap(\.thresholds).map { TextStyle.note.width(of: $0.label) + 10 }
    return max(12, min(220, names.max() ?? 0))
  }

  /// - Parameters:
  ///   - left: where time begins.
  func draw(on canvas: Canvas, in area: Rect, left: Double) {
    let frames = signal.frames
    let scale = LinearScale(covering: signal.levels + beside, count: 4)
    let title = signal.unit.isEmpty ? signal.name : "\(signal.name) (\(signal.unit))"
    let axis = Axis(scale, edge: .left)
    let plot = Rect(
      left: left, top: area.top + TextStyle.label.lineHeight + 10, right: area.right, bottom: area.bottom - 10)
    let panel = Panel(x: time, y: axis, plot: plot)

    let heading = Rect(left: left - 1, top: area.top - 10, right: area.right + 1, bottom: plot.top)
    // The time axis' grid is not to run through the heading.
    canvas.fill(heading, .background)
    canvas.text(
      title, at: Point(x: left, y: plot.top - 8), Anchor(.left, .bottom), .label, maxWidth: heading.width)
    for rep in reps where rep.isComplete { shade(rep.start...rep.end, .truth, opacity: 0.07, on: canvas, panel) }
    for gap in signal.gaps { shade(gap, .uncertain, opacity: 0.3, on: canvas, panel) }
    axis.draw(on: canvas, around: plot)
    for threshold in signal.thresholds { draw(threshold, on: canvas, panel) }
    let points = frames.map { panel.point($0.time, $0.value) }
    canvas.clipped(to: plot) {
      canvas.path(Self.thinned(points, perPoint: canvas.scale), .neutral, width: 2)
    }
    if canvas.page.isNarrow || !hasMargin {
      for threshold in signal.thresholds { drawName(of: threshold, on: canvas, panel) }
    }
    if !frames.contains(where: { $0.value.isFinite }) {
      canvas.text("no signal", at: plot.middle, Anchor(.center, .middle), .label.colored(.quiet))
    }
  }

  private func shade(
    _ range: ClosedRange<Double>, _ meaning: Meaning, opacity: Double, on canvas: Canvas, _ panel: Panel
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
    guard !canvas.page.isNarrow, hasMargin else { return }
    // Two thresholds may lie closer than two lines of text.
    for offset in [0, -9.0, 9, -18, 18] {
      let place = Point(x: right + 8, y: y + offset)
      let room = canvas.size.width - right - 12
      if canvas.text(threshold.label, at: place, Anchor(.left, .middle), .note, maxWidth: room) != nil { break }
    }
  }

  /// Writes a threshold's name on its line, or below it where another's is there, as far right as no upright line crosses
  /// it.
  private func drawName(of threshold: Threshold, on canvas: Canvas, _ panel: Panel) {
    guard let y = panel.y.position(of: threshold.value, in: panel.plot) else { return }
    let room = 0.5 * panel.plot.width
    let width = min(room, canvas.width(of: threshold.label, .small)) + 12
    let places = crossings.compactMap { panel.x.position(of: $0, in: panel.plot) }
    let edges = [panel.plot.left] + places.filter { panel.plot.left < $0 && $0 < panel.plot.right }.sorted()
    let gaps = Array(zip(edges, edges.dropFirst() + [panel.plot.right]))
    let right = gaps.last { $0.1 - $0.0 >= width }?.1 ?? panel.plot.right
    for (offset, anchor) in [(-2.0, Anchor(.right, .bottom)), (2, Anchor(.right, .top))] {
      let place = Point(x: right - 6, y: y + offset)
      if canvas.tag(threshold.label, at: place, anchor, .small, maxWidth: room) != nil { break }
    }
  }

  /// Leaves at most four points to each column of pixels, its first, lowest, highest and last: the same picture from a
  /// long recording in the time of a short one.
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
