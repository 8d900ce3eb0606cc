/// Figures beside each other in the order of time, all in one scale, each with its time and caption; where they stand
/// below a time axis, a line leads up from each to its moment.
struct FigureRow {
  let moments: [PosedMoment]

  static let height = 230.0
  private static let captionHeight = 46.0
  private static let leastWidth = 104.0

  /// At most as many as fit, evenly picked.
  func shown(in width: Double) -> [PosedMoment] {
    let ordered = moments.filter(\.time.isFinite).sorted { $0.time < $1.time }
    let limit = max(1, Int(width / Self.leastWidth))
    guard ordered.count > limit, limit > 1 else { return Array(ordered.prefix(limit)) }
    return (0..<limit).map { ordered[$0 * (ordered.count - 1) / (limit - 1)] }
  }

  /// - Parameters:
  ///   - time: the axis above, whose plot ends at `top`.
  func draw(on canvas: Canvas, in area: Rect, below time: (axis: Axis, plot: Rect)? = nil) {
    let shown = shown(in: area.width)
    let sizes = shown.map { FigureFrame.bounds(of: [$0.figure]) }
    let span = Size(width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
    let width = min(time == nil ? 0.9 * area.height : 170, area.width / Double(max(1, shown.count)))
    let lead = time == nil ? 0.0 : 26
    for (moment, left) in zip(shown, Self.lefts(of: shown, width: width, in: area, time)) {
      let cell = Rect(x: left, y: area.top + lead, width: width, height: area.height - lead)
      let room = Rect(
        left: cell.left + 8, top: cell.top + 6, right: cell.right - 8, bottom: cell.bottom - Self.captionHeight - 12)
      if let time { drawLead(from: moment, to: Point(x: cell.middle.x, y: cell.top), time, on: canvas) }
      let frame = FigureFrame(showing: [moment.figure], span: span, in: room)
      canvas.clipped(to: cell) { canvas.figure(moment.figure, in: frame, width: 3.5) }
      if !moment.figure.joints.contains(where: \.isDrawn) {
        canvas.text("no pose", at: room.middle, Anchor(.center, .middle), .note.colored(.quiet))
      }
      let x = cell.middle.x
      canvas.text(
        "\(NumberText.fixed(moment.time, decimals: 2)) s", at: Point(x: x, y: cell.bottom - Self.captionHeight),
        Anchor(.center, .top), .small.colored(.quiet), maxWidth: width - 6)
      canvas.text(
        moment.caption, at: Point(x: x, y: cell.bottom - Self.captionHeight + 22), Anchor(.center, .top),
        .small, maxWidth: width - 6)
    }
  }

  /// Where each begins: all together as near below their moments as they fit, or beside each other where there is no time
  /// axis.
  private static func lefts(
    of moments: [PosedMoment], width: Double, in area: Rect, _ time: (axis: Axis, plot: Rect)?
  ) -> [Double] {
    guard let time else { return moments.indices.map { area.left + Double($0) * width } }
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
    for moment in shown(in: width) {
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
    canvas.polygon(
      [Point(x: x, y: foot - 9), Point(x: x - 5, y: foot), Point(x: x + 5, y: foot)], .ink)
    canvas.line(from: Point(x: x, y: end.y - 26), to: end, .quiet)
  }
}
