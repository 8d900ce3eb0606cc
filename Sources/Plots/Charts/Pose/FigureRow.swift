/// Figures beside each other in the order of time, in one scale but for those that are torn apart, each with its time and
/// caption, in as many rows as they need; where one row stands below a time axis, a line leads up from each to its moment.
struct FigureRow {
  let moments: [PosedMoment]
  /// The most that are shown.
  var limit = 8
  /// The most rows, on a wide page and on a narrow one.
  var rows = (wide: 1, narrow: 3)

  private static let captionStyle = TextStyle.small
  private static let timeHeight = 22.0
  private static let captionLines = 2
  /// A figure that is no wider than high is so high.
  private static let figureHeight = 150.0
  private static let figureWidths = 88.0...200
  private static let gap = 16.0

  /// How figures are laid out in a width.
  private struct Layout {
    var shown: [PosedMoment]
    var columns: Int
    var cell: Size
    /// What the widest and the highest of them take, but for those that are drawn smaller.
    var span: Size
    var figureHeight: Double

    var rows: Int { (shown.count + columns - 1) / max(1, columns) }

    func isSmaller(_ figure: StickFigure) -> Bool {
      let size = FigureRow.size(of: figure)
      return size.width > span.width || size.height > span.height
    }
  }

  private func layout(in width: Double, on page: Page) -> Layout {
    let picked = picked(atMost: limit)
    let sizes = picked.map { Self.size(of: $0.figure) }
    let typical = Self.typical(sizes)
    let fitting = sizes.filter { max($0.width, $0.height) <= typical }
    let span = Size(width: fitting.map(\.width).max() ?? 0, height: fitting.map(\.height).max() ?? 0)
    let aspect = span.width > 0 && span.height > 0 ? min(max(span.width / span.height, 0.3), 4) : 0.6
    let range = Self.figureWidths
    let figureWidth = min(max(Self.figureHeight * aspect, range.lowerBound), range.upperBound)
    let most = max(1, Int(width / (figureWidth + Self.gap)))
    let shown = self.picked(atMost: min(limit, most * (page.isNarrow ? rows.narrow : rows.wide)))
    let rowCount = max(1, (shown.count + most - 1) / most)
    let columns = max(1, (shown.count + rowCount - 1) / rowCount)
    let cellWidth = min(170, width / Double(columns))
    let height = min(Self.figureHeight, figureWidth / aspect)
    var layout = Layout(
      shown: shown, columns: columns, cell: Size(width: max(cellWidth, figureWidth + Self.gap), height: 0), span: span,
      figureHeight: height)
    let lines = shown.map {
      Self.lines(of: $0, isSmaller: layout.isSmaller($0.figure), width: layout.cell.width).count
    }
    layout.cell.height = height + Self.timeHeight + Double(max(1, lines.max() ?? 1)) * Self.captionStyle.lineHeight + 20
    return layout
  }

  private static func size(of figure: StickFigure) -> Size {
    let bounds = FigureFrame.bounds(of: [figure])
    return Size(width: bounds.width, height: bounds.height)
  }

  /// How wide or high a figure may be before it is drawn smaller than the others: one that an estimator tore apart is
  /// not to shrink them all.
  private static func typical(_ sizes: [Size]) -> Double {
    let drawn = sizes.map { max($0.width, $0.height) }.filter { $0 > 0 }.sorted()
    return drawn.count < 3 ? .infinity : 2 * drawn[drawn.count / 2]
  }

  private static func lines(of moment: PosedMoment, isSmaller: Bool, width: Double) -> [String] {
    let caption = isSmaller ? "\(moment.caption), drawn smaller" : moment.caption
    return captionStyle.lines(of: caption, width: width - 6, limit: captionLines)
  }

  /// The height of all rows.
  func height(ofWidth width: Double, on page: Page, belowAxis: Bool = false) -> Double {
    guard !moments.isEmpty else { return 0 }
    let layout = layout(in: width, on: page)
    return Double(max(1, layout.rows)) * layout.cell.height + (belowAxis ? Self.lead(layout) : 0)
  }

  private static func lead(_ layout: Layout) -> Double { layout.rows > 1 ? 8 : 26 }

  /// Those that are shown in a width, in the order of time.
  func shown(in width: Double, on page: Page) -> [PosedMoment] { layout(in: width, on: page).shown }

  /// The wrong ones first, evenly picked, then others, evenly picked; in the order of time.
  func picked(atMost limit: Int) -> [PosedMoment] {
    let ordered = moments.filter(\.time.isFinite).sorted { $0.time < $1.time }
    guard ordered.count > limit else { return ordered }
    func evenly(_ indices: [Int], _ count: Int) -> [Int] {
      guard count < indices.count else { return indices }
      guard count > 1 else { return Array(indices.prefix(count)) }
      return (0..<count).map { indices[$0 * (indices.count - 1) / (count - 1)] }
    }
    let wrong = evenly(ordered.indices.filter { ordered[$0].isWrong }, limit)
    let others = evenly(ordered.indices.filter { !ordered[$0].isWrong }, limit - wrong.count)
    return (wrong + others).sorted().map { ordered[$0] }
  }

  /// - Parameters:
  ///   - time: the axis above, whose plot ends at `top`.
  func draw(on canvas: Canvas, in area: Rect, below time: (axis: Axis, plot: Rect)? = nil) {
    let layout = layout(in: area.width, on: canvas.page)
    let isLed = time != nil && layout.rows == 1
    let top = area.top + (time == nil ? 0 : Self.lead(layout))
    let lefts = Self.lefts(of: layout.shown, layout, in: area, isLed ? time : nil)
    for (index, moment) in layout.shown.enumerated() {
      let cell = Rect(
        x: lefts[index], y: top + Double(index / layout.columns) * layout.cell.height, width: layout.cell.width,
        height: layout.cell.height)
      if isLed, let time { drawLead(from: moment, to: Point(x: cell.middle.x, y: cell.top), time, on: canvas) }
      draw(moment, in: cell, layout, on: canvas)
    }
  }

  private func draw(_ moment: PosedMoment, in cell: Rect, _ layout: Layout, on canvas: Canvas) {
    let room = Rect(
      left: cell.left + Self.gap / 2, top: cell.top + 6, right: cell.right - Self.gap / 2,
      bottom: cell.top + 6 + layout.figureHeight)
    let isSmaller = layout.isSmaller(moment.figure)
    let frame = FigureFrame(showing: [moment.figure], span: isSmaller ? nil : layout.span, in: room)
    canvas.clipped(to: cell) { canvas.figure(moment.figure, in: frame, width: 3.5) }
    if !moment.figure.joints.contains(where: \.isDrawn) {
      canvas.text("no pose", at: room.middle, Anchor(.center, .middle), .note.colored(.quiet))
    }
    let x = cell.middle.x
    var y = room.bottom + 6
    canvas.text(
      "\(NumberText.fixed(moment.time, decimals: 2)) s", at: Point(x: x, y: y), Anchor(.center, .top),
      Self.captionStyle.colored(.quiet), maxWidth: cell.width - 6)
    y += Self.timeHeight
    for line in Self.lines(of: moment, isSmaller: isSmaller, width: cell.width) {
      canvas.text(
        line, at: Point(x: x, y: y), Anchor(.center, .top),
        moment.isWrong ? Self.captionStyle.colored(.worse) : Self.captionStyle, maxWidth: cell.width - 6)
      y += Self.captionStyle.lineHeight
    }
  }

  /// Where each begins: all together as near below their moments as they fit, or beside each other where there is no time
  /// axis.
  private static func lefts(
    of moments: [PosedMoment], _ layout: Layout, in area: Rect, _ time: (axis: Axis, plot: Rect)?
  ) -> [Double] {
    let width = layout.cell.width
    guard let time else {
      let step = max(width, min(1.4 * width, area.width / Double(max(1, layout.columns))))
      return moments.indices.map { area.left + Double($0 % layout.columns) * step }
    }
    // What each wants beyond the places of those before it may not fall; neighbours for which it does share the mean of
    // what they want, which is isotonic regression by pooling adjacent violators.
    var pools: [(sum: Double, count: Int)] = []
    for (index, moment) in moments.enumerated() {
      let center = time.axis.position(of: moment.time, in: time.plot) ?? area.left
      var pool = (sum: center - width / 2 - Double(index) * width, count: 1)
      while let last = pools.last, last.sum / Double(last.count) > pool.sum / Double(pool.count) {
        pool = (last.sum + pool.sum, last.count + pool.count)
        pools.removeLast()
      }
      pools.append(pool)
    }
    let most = max(area.left, area.right - Double(moments.count) * width)
    let starts = pools.flatMap { pool in
      repeatElement(min(most, max(area.left, pool.sum / Double(pool.count))), count: pool.count)
    }
    return starts.enumerated().map { $1 + Double($0) * width }
  }

  /// Marks the moments of the figures as upright lines, for what is drawn over them.
  func drawMoments(on canvas: Canvas, in plot: Rect, _ time: Axis, width: Double) {
    for moment in shown(in: width, on: canvas.page) {
      guard let x = time.position(of: moment.time, in: plot), x >= plot.left - 1, x <= plot.right + 1 else { continue }
      canvas.line(from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), .quiet, dash: [2, 4])
    }
  }

  private func drawLead(
    from moment: PosedMoment, to end: Point, _ time: (axis: Axis, plot: Rect), on canvas: Canvas
  ) {
    guard let x = time.axis.position(of: moment.time, in: time.plot), x >= time.plot.left - 1,
      x <= time.plot.right + 1
    else { return }
    let foot = time.plot.bottom
    let meaning = moment.isWrong ? Meaning.worse : .ink
    canvas.polygon(
      [Point(x: x, y: foot - 9), Point(x: x - 5, y: foot), Point(x: x + 5, y: foot)], meaning)
    canvas.line(from: Point(x: x, y: end.y - 26), to: end, .quiet)
  }
}
