import Statistics

/// A metric over the values of two parameters: darker is better (brighter on a dark page). The plateau around the
/// optimum is outlined, and a cell has a tick for each subject without a better setting.
public struct SweepHeatMap: Chart {
  /// The best score: the highest, the lowest or the nearest to zero.
  public enum Best: Hashable, Sendable { case lowest, highest, nearestToZero }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The first along the bottom.
  public var parameters: (x: SweptParameter, y: SweptParameter)
  /// The metric with its unit and its better direction.
  public var metric: String
  /// The direction in which scores are dark.
  public var best: Best
  /// Settings with a value of both parameters, in any order; impossible settings have no score.
  public var settings: [SweptSetting]
  /// The index of the optimum in `settings`.
  public var optimum: Int?
  /// The default setting.
  public var base: SweptSetting
  public var subjects: Int
  /// The finding in words.
  public var title: String

  public init(
    topic: String, source: String, parameters: (x: SweptParameter, y: SweptParameter), metric: String, best: Best,
    settings: [SweptSetting], optimum: Int?, base: SweptSetting, subjects: Int, title: String? = nil
  ) {
    self.title =
      title ?? SweptSetting.finding(settings, of: [parameters.x, parameters.y], optimum: optimum, base: base)
    self.topic = topic
    self.source = source
    self.parameters = parameters
    self.metric = metric
    self.best = best
    self.settings = settings.filter { setting in
      [parameters.x, parameters.y].allSatisfy { setting.values[$0.name] != nil }
    }
    self.optimum = self.settings.count == settings.count ? optimum : nil
    self.base = base
    self.subjects = subjects
  }

  public var subtitle: String {
    let missing = settings.count { $0.value == nil }
    return [
      topic, source, NumberText.size("setting", settings.count, subjects: nil), NumberText.count(subjects, "person"),
      missing > 0 ? "\(missing) without a value" : nil, "optimum chosen on these people: optimistic",
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    SweptSetting.table([parameters.x, parameters.y], metric, settings, optimum: optimum, base: base)
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let grid = SweepGrid(settings, of: parameters)
    let keyWidth = canvas.page.isNarrow ? 118.0 : 150
    // Ticks for all subjects or for none: a part of them would mislead.
    let mostTicks = settings.map(\.bestFor.count).max() ?? 0
    let cellWidth = (area.width - keyWidth - 60) / Double(max(1, grid.columns.count))
    let tickStep = min(5, 0.76 * cellWidth / Double(max(1, mostTicks)))
    let areTicked = mostTicks > 0 && tickStep >= 1.5
    var top = Legend(entries(grid, areTicked: areTicked)).drawRow(on: canvas, in: area) + 14
    // On a narrow page only a word fits below the key.
    if canvas.page.isNarrow {
      let words = "shades: \(metric)"
      top =
        canvas.paragraph(words, in: Rect(left: area.left, top: top - 4, right: area.right, bottom: area.bottom), .note)
        + 10
    }
    let panel = Panel(
      x: Axis(CategoryScale(grid.columns.map(Self.text)), edge: .bottom, title: parameters.x.title),
      y: Axis(CategoryScale(grid.rows.map(Self.text)), edge: .left, title: parameters.y.title),
      in: Rect(left: area.left, top: top, right: area.right - keyWidth, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    let losses = settings.compactMap(\.value).map(loss)
    let shades = LinearScale((losses.min() ?? 0)...(losses.max() ?? 0))
    let cells = grid.places.compactMap { place in
      grid.cells[place].map { (setting: settings[$0], rect: grid.rect(place, in: panel.plot)) }
    }
    // Numbers in all cells or in none: some numbers would mislead.
    let areNumbered = cells.allSatisfy { canFit(number(of: $0.setting), in: $0.rect, on: canvas) }
    for cell in cells {
      draw(cell.setting, on: canvas, cell.rect, shades, isNumbered: areNumbered)
      if areTicked { drawTicks(cell.setting, on: canvas, cell.rect, shades, step: tickStep) }
    }
    let edges = grid.edges(around: { settings[$0].isOnPlateau }, in: panel.plot)
    // On a line of the page's colour, to be visible on any shade.
    for (meaning, width) in [(SemanticColor.background, 6.0), (.ink, 3)] {
      for edge in edges { canvas.line(from: edge.start, to: edge.end, meaning, width: width) }
    }
    mark(base, .ink, dash: [6, 4], grid, on: canvas, panel)
    if let optimum, settings.indices.contains(optimum) {
      mark(settings[optimum], .better, dash: [], grid, on: canvas, panel)
    }
    drawKey(
      shades, on: canvas,
      Rect(
        left: panel.plot.right + (canvas.page.isNarrow ? 20 : 40), top: panel.plot.top, right: area.right,
        bottom: panel.plot.bottom))
  }

  private static func text(_ value: Double) -> String { NumberText.plain(value, decimals: 4) }

  private func entries(_ grid: SweepGrid, areTicked: Bool) -> [LegendEntry] {
    let candidates = [
      (optimum != nil, LegendEntry(.outlinedBar(.better), "optimum")),
      (optimum != nil, LegendEntry(.line(.ink), "plateau: loss within noise")),
      (grid.place(of: base) != nil, LegendEntry(.dashedLine(.ink), "default")),
      (settings.contains { $0.value == nil }, LegendEntry(.shade(.neutral), "impossible or undefined")),
      (areTicked, LegendEntry(.tick(.ink), "best value for a person")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  /// The cost of a score.
  private func loss(_ score: Double) -> Double {
    switch best {
    case .lowest: score
    case .highest: -score
    case .nearestToZero: abs(score)
    }
  }

  /// The darkness from 0 to 1, the best score.
  private func darkness(_ score: Double, _ shades: LinearScale) -> Double {
    1 - (shades.fraction(of: loss(score)) ?? 1)
  }

  /// The colour of a score; the best has the highest contrast.
  private static func shade(_ part: Double, on canvas: Canvas) -> Color {
    SequentialScale.blue.color(canvas.theme[.background].luminance > 0.5 ? part : 1 - part)
  }

  /// The number, with the same decimals in all cells.
  private func number(of setting: SweptSetting) -> String { NumberText.fixed(setting.value ?? .nan, decimals: 2) }

  private func canFit(_ number: String, in cell: Rect, on canvas: Canvas) -> Bool {
    canvas.width(of: number, .note) + 10 < cell.width && TextStyle.note.lineHeight + 22 < cell.height
  }

  private func draw(
    _ setting: SweptSetting, on canvas: Canvas, _ cell: Rect, _ shades: LinearScale, isNumbered: Bool
  ) {
    guard let value = setting.value else { return canvas.fill(cell, .neutral, opacity: 0.3) }
    let shade = Self.shade(darkness(value, shades), on: canvas)
    canvas.fill(cell, shade: shade)
    if isNumbered {
      let style = TextStyle.note.colored(canvas.theme.text(on: shade))
      canvas.text(number(of: setting), at: cell.middle, Anchor(.center, .middle), style)
    }
  }

  /// A tick for each subject that the setting suits best, below the number.
  private func drawTicks(
    _ setting: SweptSetting, on canvas: Canvas, _ cell: Rect, _ shades: LinearScale, step: Double
  ) {
    guard let value = setting.value, cell.height >= 18 else { return }
    let color = canvas.theme.text(on: Self.shade(darkness(value, shades), on: canvas))
    for tick in setting.bestFor.indices {
      let left = cell.left + 0.12 * cell.width + step * Double(tick)
      canvas.fill(Rect(x: left, y: cell.bottom - 14, width: 0.6 * step, height: 7), color)
    }
  }

  /// Frames a setting's cell, on white, to be visible on any shade.
  private func mark(
    _ setting: SweptSetting, _ meaning: SemanticColor, dash: [Double], _ grid: SweepGrid, on canvas: Canvas,
    _ panel: Panel
  ) {
    guard let place = grid.place(of: setting) else { return }
    let cell = grid.rect(place, in: panel.plot).inset(by: 1)
    canvas.outline(cell, .background, width: 6)
    canvas.outline(cell.inset(by: 1.5), meaning, width: 3, dash: dash)
  }

  /// The shades and their meaning, the best on top.
  private func drawKey(_ shades: LinearScale, on canvas: Canvas, _ area: Rect) {
    guard settings.contains(where: { $0.value != nil }) else {
      canvas.paragraph("No setting has a value.", in: area, .note)
      return
    }
    let steps = 64
    let height = min(area.height, 300)
    for step in 0..<steps {
      let part = Double(step) / Double(steps - 1)
      let y = area.top + height * Double(steps - 1 - step) / Double(steps)
      canvas.fill(
        Rect(x: area.left, y: y, width: 22, height: height / Double(steps) + 0.5),
        shade: Self.shade(part, on: canvas))
    }
    let ends = [shades.domain.lowerBound, shades.domain.upperBound].map { best == .highest ? -$0 : $0 }
    for (value, anchor) in zip(ends, [Anchor(.left, .top), Anchor(.left, .bottom)]) {
      let y = anchor.vertical == .top ? area.top : area.top + height
      let text = (best == .nearestToZero ? "±" : "") + NumberText.significant(value)
      canvas.text(text, at: Point(x: area.left + 30, y: y), anchor, .tick, maxWidth: area.width - 30)
    }
    let note = Rect(left: area.left, top: area.top + height + 16, right: area.right, bottom: area.bottom)
    if !canvas.page.isNarrow { canvas.paragraph(metric, in: note, .note) }
  }
}

/// The cells of the settings of two swept parameters.
struct SweepGrid {
  struct Place: Hashable {
    var column: Int
    /// Counted from the bottom.
    var row: Int
  }

  let columns: [Double]
  let rows: [Double]
  let parameters: (x: SweptParameter, y: SweptParameter)
  /// Indices of the settings; the last one of those with the same values.
  let cells: [Place: Int]

  init(_ settings: [SweptSetting], of parameters: (x: SweptParameter, y: SweptParameter)) {
    func values(_ parameter: SweptParameter) -> [Double] {
      Set(settings.map(parameter.value).filter(\.isFinite)).sorted()
    }
    (columns, rows, self.parameters) = (values(parameters.x), values(parameters.y), parameters)
    var cells: [Place: Int] = [:]
    for (index, setting) in settings.enumerated() {
      if let place = Self.place(of: setting, columns, rows, parameters) { cells[place] = index }
    }
    self.cells = cells
  }

  /// In a fixed order, unlike a dictionary's: the same input gives the same picture.
  var places: [Place] { cells.keys.sorted { ($0.row, $0.column) < ($1.row, $1.column) } }

  func place(of setting: SweptSetting) -> Place? { Self.place(of: setting, columns, rows, parameters) }

  private static func place(
    of setting: SweptSetting, _ columns: [Double], _ rows: [Double],
    _ parameters: (x: SweptParameter, y: SweptParameter)
  ) -> Place? {
    guard let column = columns.firstIndex(of: parameters.x.value(in: setting)),
      let row = rows.firstIndex(of: parameters.y.value(in: setting))
    else { return nil }
    return Place(column: column, row: row)
  }

  func rect(_ place: Place, in plot: Rect) -> Rect {
    let width = plot.width / Double(max(1, columns.count))
    let height = plot.height / Double(max(1, rows.count))
    return Rect(
      x: plot.left + width * Double(place.column), y: plot.bottom - height * Double(place.row + 1), width: width,
      height: height)
  }

  /// The outline of the cells for which `isInside` holds.
  func edges(around isInside: (Int) -> Bool, in plot: Rect) -> [(start: Point, end: Point)] {
    func holds(_ place: Place) -> Bool { cells[place].map(isInside) ?? false }
    return places.filter(holds).flatMap { place -> [(start: Point, end: Point)] in
      let cell = rect(place, in: plot)
      let corners = [
        Point(x: cell.left, y: cell.top), Point(x: cell.right, y: cell.top), Point(x: cell.right, y: cell.bottom),
        Point(x: cell.left, y: cell.bottom),
      ]
      let sides = [(0, 1, 0, 1), (1, 2, 1, 0), (2, 3, 0, -1), (3, 0, -1, 0)]
      return sides.compactMap { from, to, right, up in
        holds(Place(column: place.column + right, row: place.row + up)) ? nil : (corners[from], corners[to])
      }
    }
  }
}
