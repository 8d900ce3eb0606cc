import Statistics

/// A person's joints and the bones between them at one moment.
public struct StickFigure: Hashable, Sendable {
  /// The confidence of a joint: high, medium or low. Joints with less are not drawn.
  public enum Certainty: Hashable, Sendable, Comparable, CaseIterable {
    case poor, doubtful, sure

    var meaning: SemanticColor {
      switch self {
      case .poor: .worse
      case .doubtful: .uncertain
      case .sure: .neutral
      }
    }
  }

  public struct Joint: Hashable, Sendable {
    /// The position to the right and down, in any common unit.
    public var x: Double
    public var y: Double
    /// The confidence; `nil` if the joint is not drawn.
    public var certainty: Certainty?

    public init(x: Double, y: Double, certainty: Certainty?) {
      self.x = x
      self.y = y
      self.certainty = certainty
    }

    var isDrawn: Bool { certainty != nil && x.isFinite && y.isFinite }
  }

  /// A line between two joints, given by their indices.
  public struct Bone: Hashable, Sendable {
    public var from: Int
    public var to: Int

    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// A circle for the head, which hides the joints of the face and their bones, and a line to it from the neck.
  public struct Head: Hashable, Sendable {
    /// The centre, and the radius in the same unit.
    public var x: Double
    public var y: Double
    public var radius: Double
    public var certainty: Certainty
    /// The indices of the hidden joints.
    public var face: Set<Int>
    /// The index of the neck; `nil` if it is not drawn.
    public var neck: Int?

    public init(x: Double, y: Double, radius: Double, certainty: Certainty, face: Set<Int>, neck: Int? = nil) {
      (self.x, self.y, self.radius, self.certainty) = (x, y, radius, certainty)
      (self.face, self.neck) = (face, neck)
    }
  }

  public var joints: [Joint]
  public var bones: [Bone]
  /// `nil` to draw the joints of the face as all others.
  public var head: Head?

  public init(joints: [Joint], bones: [Bone], head: Head? = nil) {
    self.joints = joints
    self.bones = bones
    self.head = head
  }

  /// Whether a joint is hidden in the head.
  func isHidden(_ joint: Int) -> Bool { head?.face.contains(joint) ?? false }

  /// The joints at both ends of a bone, and the lower of their confidences; `nil` if one is missing.
  func ends(of bone: Bone) -> (from: Joint, to: Joint, certainty: Certainty)? {
    guard joints.indices.contains(bone.from), joints.indices.contains(bone.to) else { return nil }
    let (from, to) = (joints[bone.from], joints[bone.to])
    guard from.isDrawn, to.isDrawn, let one = from.certainty, let other = to.certainty else { return nil }
    return (from, to, min(one, other))
  }
}

extension Canvas {
  /// Draws the bones and joints of a figure, each in the colour of its confidence; low confidence is also dashed and
  /// medium thinner, for readers who cannot see colours.
  func figure(_ figure: StickFigure, in frame: FigureFrame, width: Double = 4) {
    if let head = figure.head { draw(head, of: figure, in: frame, width: width) }
    for certainty in StickFigure.Certainty.allCases {
      for bone in figure.bones where !figure.isHidden(bone.from) && !figure.isHidden(bone.to) {
        guard let ends = figure.ends(of: bone), ends.certainty == certainty,
          let start = frame.point(ends.from.x, ends.from.y), let end = frame.point(ends.to.x, ends.to.y)
        else { continue }
        line(
          from: start, to: end, certainty.meaning, width: certainty == .sure ? width : 0.7 * width,
          dash: certainty == .poor ? [5, 3] : [])
      }
    }
    for (index, joint) in figure.joints.enumerated() where joint.isDrawn && !figure.isHidden(index) {
      guard let point = frame.point(joint.x, joint.y), let certainty = joint.certainty else { continue }
      disc(at: point, radius: 0.9 * width, certainty.meaning, rim: .background, rimWidth: 1)
    }
  }

  private func draw(_ head: StickFigure.Head, of figure: StickFigure, in frame: FigureFrame, width: Double) {
    guard let center = frame.point(head.x, head.y), let edge = frame.point(head.x + head.radius, head.y) else { return }
    let radius = edge.x - center.x
    disc(at: center, radius: radius, .background, rim: head.certainty.meaning, rimWidth: 0.7 * width)
    guard let neck = head.neck, figure.joints.indices.contains(neck), let certainty = figure.joints[neck].certainty,
      let start = frame.point(figure.joints[neck].x, figure.joints[neck].y)
    else { return }
    let (dx, dy) = (center.x - start.x, center.y - start.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > radius else { return }
    let part = 1 - radius / length
    line(
      from: start, to: Point(x: start.x + part * dx, y: start.y + part * dy), min(certainty, head.certainty).meaning,
      width: width)
  }
}

extension StickFigure {
  /// The legend for the colours that occur in some figures.
  static func entries(for figures: [StickFigure]) -> [LegendEntry] {
    let present = Set(
      figures.flatMap { figure in
        let seen = figure.joints.enumerated().filter { $1.isDrawn && !figure.isHidden($0) }
        return seen.compactMap(\.element.certainty) + [figure.head?.certainty].compactMap(\.self)
      })
    let words: [(Certainty, LegendEntry)] = [
      (.sure, LegendEntry(.line(Certainty.sure.meaning), "joint confidence high")),
      (.doubtful, LegendEntry(.thinLine(Certainty.doubtful.meaning), "joint confidence medium")),
      (.poor, LegendEntry(.dashedLine(Certainty.poor.meaning), "joint confidence low")),
    ]
    return words.filter { present.contains($0.0) }.map(\.1)
  }
}

/// The placement of figures in a rectangle: all at the same scale, with equal units in both directions.
struct FigureFrame {
  /// The centre of the visible area, in the figures' coordinates.
  private let center: Point
  /// Points per unit.
  private let unit: Double
  private let area: Rect

  /// - Parameters:
  ///   - places: Points that must be visible in addition to the joints.
  ///   - span: The width and height to show; `nil` for those of these figures.
  init(showing figures: [StickFigure], and places: [Point] = [], span: Size? = nil, in area: Rect) {
    let bounds = Self.bounds(of: figures, and: places)
    let shown = span ?? Size(width: bounds.width, height: bounds.height)
    center = bounds.middle
    let least = 1e-9 * max(1, abs(center.x), abs(center.y))
    unit = min(area.width / max(shown.width, least), area.height / max(shown.height, least))
    self.area = area
  }

  func point(_ x: Double, _ y: Double) -> Point? {
    let point = Point(x: area.middle.x + (x - center.x) * unit, y: area.middle.y + (y - center.y) * unit)
    return point.isDrawable ? point : nil
  }

  /// The bounding box of the drawn joints and heads; empty for none.
  static func bounds(of figures: [StickFigure], and places: [Point] = []) -> Rect {
    let joints = figures.flatMap(\.joints).filter(\.isDrawn).map { Point(x: $0.x, y: $0.y) }
    let heads = figures.compactMap(\.head).flatMap { head in
      [-head.radius, head.radius].map { Point(x: head.x + $0, y: head.y + $0) }
    }
    let all = (joints + heads + places).filter { abs($0.x) < 1e9 && abs($0.y) < 1e9 }
    let (xs, ys) = (all.map(\.x), all.map(\.y))
    return Rect(left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
  }
}

/// Figures side by side in time order, each with its time and caption, at one scale except for distorted figures. If
/// they are in one row below a time axis, a line leads from each figure up to its moment.
struct FigureRow {
  let moments: [PosedMoment]
  /// The maximum number of figures.
  var limit = 8
  /// The maximum number of rows, on a wide and on a narrow page.
  var rows = (wide: 1, narrow: 3)
  /// Whether the chart has only figures: few of them are then larger and fill the width.
  var isAlone = false

  private static let captionStyle = TextStyle.small
  private static let timeHeight = 22.0
  private static let captionLines = 2
  /// The height of a figure that is not wider than high.
  private var figureHeight: Double { isAlone && moments.count <= 6 ? 300 : 150 }
  private var figureWidths: ClosedRange<Double> { isAlone && moments.count <= 6 ? 120...330 : 88...200 }
  private static let gap = 16.0

  /// The layout of figures in a width.
  private struct Layout {
    var shown: [PosedMoment]
    var columns: Int
    var cell: Size
    /// The largest width and height of the figures, without those drawn smaller.
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
    let range = figureWidths
    let figureWidth = min(max(figureHeight * aspect, range.lowerBound), range.upperBound)
    let most = max(1, Int(width / (figureWidth + Self.gap)))
    let shown = self.picked(atMost: min(limit, most * (page.isNarrow ? rows.narrow : rows.wide)))
    let rowCount = max(1, (shown.count + most - 1) / most)
    let columns = max(1, (shown.count + rowCount - 1) / rowCount)
    let cellWidth = min(isAlone ? 330 : 170, width / Double(columns))
    let height = min(figureHeight, figureWidth / aspect)
    var layout = Layout(
      shown: shown, columns: columns, cell: Size(width: max(cellWidth, figureWidth + Self.gap), height: 0), span: span,
      figureHeight: height)
    let lines = shown.map { self.lines(of: $0, isSmaller: layout.isSmaller($0.figure), width: layout.cell.width).count }
    layout.cell.height = height + Self.timeHeight + Double(max(1, lines.max() ?? 1)) * Self.captionStyle.lineHeight + 20
    return layout
  }

  private static func size(of figure: StickFigure) -> Size {
    let bounds = FigureFrame.bounds(of: [figure])
    return Size(width: bounds.width, height: bounds.height)
  }

  /// The limit of width or height above which a figure is drawn smaller: a single distorted figure must not shrink all
  /// figures.
  private static func typical(_ sizes: [Size]) -> Double {
    let drawn = sizes.map { max($0.width, $0.height) }.filter { $0 > 0 }.sorted()
    return drawn.count < 3 ? .infinity : 2 * drawn[drawn.count / 2]
  }

  private func lines(of moment: PosedMoment, isSmaller: Bool, width: Double) -> [String] {
    let caption = isSmaller ? "\(moment.caption), drawn smaller" : moment.caption
    // Below a time axis the signal is drawn.
    let measured = isAlone ? [moment.measured].compactMap(\.self) : []
    return ([caption] + measured).flatMap {
      Self.captionStyle.lines(of: $0, width: width - 6, limit: Self.captionLines)
    }
  }

  /// The height of all rows.
  func height(ofWidth width: Double, on page: Page, belowAxis: Bool = false) -> Double {
    guard !moments.isEmpty else { return 0 }
    let layout = layout(in: width, on: page)
    return Double(max(1, layout.rows)) * layout.cell.height + (belowAxis ? Self.lead(layout) : 0)
  }

  private static func lead(_ layout: Layout) -> Double { layout.rows > 1 ? 8 : 26 }

  /// The moments shown in a width, in time order.
  func shown(in width: Double, on page: Page) -> [PosedMoment] { layout(in: width, on: page).shown }

  /// A selection in time order: first errors, evenly picked, then other moments, evenly picked.
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
  ///   - time: The axis above, whose plot ends at `top`.
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
    canvas.clipped(to: cell) { canvas.figure(moment.figure, in: frame, width: layout.figureHeight > 200 ? 5 : 3.5) }
    if !moment.figure.joints.contains(where: \.isDrawn) {
      canvas.text("no pose", at: room.middle, Anchor(.center, .middle), .note.colored(.quiet))
    }
    let x = cell.middle.x
    var y = room.bottom + 6
    canvas.text(
      "\(NumberText.fixed(moment.time, decimals: 2)) s", at: Point(x: x, y: y), Anchor(.center, .top),
      Self.captionStyle.colored(.quiet), maxWidth: cell.width - 6)
    y += Self.timeHeight
    for line in lines(of: moment, isSmaller: isSmaller, width: cell.width) {
      canvas.text(
        line, at: Point(x: x, y: y), Anchor(.center, .top),
        moment.isWrong ? Self.captionStyle.colored(.worse) : Self.captionStyle, maxWidth: cell.width - 6)
      y += Self.captionStyle.lineHeight
    }
  }

  /// The left edges of the figures: as near below their moments as they fit, or side by side without a time axis.
  private static func lefts(
    of moments: [PosedMoment], _ layout: Layout, in area: Rect, _ time: (axis: Axis, plot: Rect)?
  ) -> [Double] {
    let width = layout.cell.width
    guard let time else {
      let step = max(width, min(1.4 * width, area.width / Double(max(1, layout.columns))))
      return moments.indices.map { area.left + Double($0 % layout.columns) * step }
    }
    // The offsets must not decrease: isotonic regression by pooling adjacent violators.
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

  /// Draws the moments of the figures as vertical lines, behind later drawings.
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
    let meaning = moment.isWrong ? SemanticColor.worse : .ink
    canvas.polygon(
      [Point(x: x, y: foot - 9), Point(x: x - 5, y: foot), Point(x: x + 5, y: foot)], meaning)
    // Down between the axis' labels, then sideways to the figure.
    let bend = end.y - 26
    for y in stride(from: foot + 2, to: bend, by: 3)
    where canvas.labels.isFree(Rect(x: x - 4, y: y - 4, width: 8, height: 11)) {
      canvas.line(from: Point(x: x, y: y), to: Point(x: x, y: min(y + 3, bend)), .quiet)
    }
    canvas.line(from: Point(x: x, y: bend), to: end, .quiet)
  }
}

/// A figure at an important moment, with a caption.
public struct PosedMoment: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var time: Double
  /// One or two words: "deepest", "cue", "missed".
  public var caption: String
  public var figure: StickFigure
  /// Whether the detector is wrong here: such moments are shown first.
  public var isWrong: Bool
  /// The deciding signal here: "knee angle 96°"; `nil` for none.
  public var measured: String?

  public init(time: Double, caption: String, figure: StickFigure, isWrong: Bool = false, measured: String? = nil) {
    self.measured = measured
    self.isWrong = isWrong
    self.time = time
    self.caption = caption
    self.figure = figure
  }
}
