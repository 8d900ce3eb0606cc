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
    for (index, moment) in shown.enumerated() {
      let left = left(of: index, count: shown.count, width: width, in: area, moments: shown, time)
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

  /// As near below its moment as the neighbours allow, or beside each other where there is no time axis.
  private func left(
    of index: Int, count: Int, width: Double, in area: Rect, moments: [PosedMoment], _ time: (axis: Axis, plot: Rect)?
  ) -> Double {
    guard let time else { return area.left + Double(index) * width }
    let wanted = moments.map { (time.axis.position(of: $0.time, in: time.plot) ?? area.left) - width / 2 }
    // Each is pushed right by those before it, then all left by those behind.
    var lefts: [Double] = []
    for place in wanted { lefts.append(max(place, area.left, (lefts.last ?? -.infinity) + width)) }
    var limit = area.right - width
    for position in lefts.indices.reversed() {
      lefts[position] = min(lefts[position], limit)
      limit = lefts[position] - width
    }
    return lefts[index]
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
