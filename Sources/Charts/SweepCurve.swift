import Datasets
import Evaluation
import Scoring
import Statistics

/// A metric over the values of one parameter: the default's loss, the optimum, the plateau around it, and the subjects
/// with another optimum.
///
/// Below the curve each subject has a row with a tick at every value that is best for them, which reveals a threshold
/// that suits only one person.
public struct SweepCurve: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  public var parameter: SweptParameter
  /// The metric with its unit and its better direction.
  public var metric: String
  /// Settings with a value of the parameter, in any order.
  public var settings: [SweptSetting]
  /// The index of the optimum in `settings`.
  public var optimum: Int?
  /// The default: the parameter's value and its score, which may be missing from the settings.
  public var base: SweptSetting
  public var subjects: [String]
  /// Whether the settings differ only in this parameter and form a curve, not a cloud.
  public var isCurve: Bool
  /// The finding in words.
  public var title: String

  /// The maximum number of rows for subjects.
  public static let rowLimit = 24

  public init(
    topic: String, source: String, parameter: SweptParameter, metric: String, settings: [SweptSetting], optimum: Int?,
    base: SweptSetting, subjects: [String], isCurve: Bool = true, title: String? = nil
  ) {
    self.title = title ?? SweptSetting.finding(settings, of: [parameter], optimum: optimum, base: base)
    self.topic = topic
    self.source = source
    self.parameter = parameter
    self.metric = metric
    self.settings = settings
    self.optimum = optimum
    self.base = base
    self.subjects = subjects
    self.isCurve = isCurve
  }

  public var subtitle: String {
    let missing = settings.count { $0.value == nil }
    return [
      topic, source, NumberText.size("setting", settings.count, subjects: nil),
      NumberText.count(subjects.count, "person"),
      missing > 0 ? "\(missing) without a value" : nil, "optimum chosen on these people: optimistic",
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    let legend = Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 14
    return max(page.isNarrow ? legend + 460 : 570, legend + 400) + strip
  }

  public var table: ChartTable {
    SweptSetting.table([parameter], metric, settings, optimum: optimum, base: base)
  }

  private let rowHeight = 20.0
  private var rows: [String] { Array(subjects.prefix(Self.rowLimit)) }
  /// The height of the subjects' rows with their heading.
  private var strip: Double { rows.isEmpty ? 0 : rowHeight * Double(rows.count) + 44 }
  private var ordered: [SweptSetting] {
    settings.filter { parameter.value(in: $0).isFinite }.sorted { parameter.value(in: $0) < parameter.value(in: $1) }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let names = rows.map { canvas.width(of: $0, .small) }.max() ?? 0
    let scores = (ordered + [base]).compactMap(\.score)
    // Intervals are drawn only along a curve.
    let bounds = isCurve ? scores.compactMap(\.interval).flatMap { [$0.lowerBound, $0.upperBound] } : []
    let y = LinearScale(covering: scores.map(\.value) + bounds)
    let x = scale(covering: (ordered + [base]).map(parameter.value).filter(\.isFinite))
    let upper = Rect(
      left: area.left + min(names, 0.2 * area.width), top: top, right: area.right, bottom: area.bottom - strip)
    let panel = Panel(
      x: Axis(x, edge: .bottom, title: parameter.title), y: Axis(y, edge: .left, title: metric), in: upper, on: canvas)
    let plateaus = drawPlateaus(on: canvas, panel)
    let scored = isCurve ? ordered.map { (x: parameter.value(in: $0), y: $0.score) } : []
    // The intervals have one colour, on the plateau and beside it.
    panel.drawBand(through: scored, on: canvas, .background, opacity: 1)
    panel.drawAxes(on: canvas)
    for plateau in plateaus { canvas.toleranceEdge(plateau) }
    panel.drawBand(through: scored, on: canvas)
    drawBase(on: canvas, panel)
    drawScores(on: canvas, panel)
    drawLabels(on: canvas, panel)
    drawRows(on: canvas, panel, Rect(left: area.left, top: upper.bottom + 6, right: area.right, bottom: area.bottom))
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (true, LegendEntry(isCurve ? .line(.prediction) : .disc(.prediction), "mean of the people")),
      (isCurve && ordered.contains { $0.score?.interval != nil }, LegendEntry(.shade(.uncertain), "95 % t interval")),
      (optimum != nil, LegendEntry(.disc(.better), "optimum")),
      (
        optimum != nil,
        isCurve
          ? LegendEntry(.tolerance, "plateau: loss from the optimum within noise")
          : LegendEntry(.disc(.truth), "loss from the optimum within noise")
      ),
      (true, LegendEntry(.dashedLine(.ink), "default")),
      (isCurve && settings.contains { $0.value == nil }, LegendEntry(.shade(.neutral), "impossible or undefined")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  /// The scale, with some space to keep marks off the plot's edge.
  private func scale(covering values: [Double]) -> LinearScale {
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let room = (high - low) * 0.03
    return LinearScale((low - room)...(high + room))
  }

  /// Shades each value of the plateau, and each without a score, halfway to its neighbours.
  ///
  /// - Returns: The areas of the plateau.
  private func drawPlateaus(on canvas: Canvas, _ panel: Panel) -> [Rect] {
    guard isCurve else { return [] }
    let places = ordered.map { panel.x.position(of: parameter.value(in: $0), in: panel.plot) ?? panel.plot.left }
    // Neighbours on the plateau share one area.
    var (plateaus, plateau): ([Rect], Rect?) = ([], nil)
    func close() {
      if let plateau {
        canvas.tolerance(plateau)
        plateaus.append(plateau)
      }
      plateau = nil
    }
    for (index, setting) in ordered.enumerated() {
      guard setting.isOnPlateau || setting.value == nil else {
        close()
        continue
      }
      let (left, right) = (places[max(0, index - 1)], places[min(places.count - 1, index + 1)])
      let room = Rect(
        left: (left + places[index]) / 2 - (index == 0 ? 6 : 0), top: panel.plot.top,
        right: (right + places[index]) / 2 + (index == places.count - 1 ? 6 : 0), bottom: panel.plot.bottom)
      if setting.value == nil {
        close()
        canvas.fill(room, .neutral, opacity: 0.3)
      } else {
        plateau = Rect(left: plateau?.left ?? room.left, top: room.top, right: room.right, bottom: room.bottom)
      }
    }
    close()
    return plateaus
  }

  private func drawBase(on canvas: Canvas, _ panel: Panel) {
    let value = parameter.value(in: base)
    guard value.isFinite, let x = panel.x.position(of: value, in: panel.plot) else { return }
    let (top, bottom) = (Point(x: x, y: panel.plot.top), Point(x: x, y: panel.plot.bottom))
    canvas.line(from: top, to: bottom, .ink, width: 1.5, dash: [6, 4])
    guard let score = base.value, let point = panel.point(value, score) else { return }
    canvas.disc(at: point, radius: 5, .ink, rim: .background)
    canvas.avoid(Rect(x: x - 1, y: panel.plot.top, width: 2, height: panel.plot.height))
  }

  private func drawScores(on canvas: Canvas, _ panel: Panel) {
    let points = ordered.map { place(of: $0, panel) }
    if isCurve { canvas.path(points, .prediction, width: 2.5) }
    for (setting, point) in zip(ordered, points) where !isCurve || points.count <= 80 {
      guard let point else { continue }
      let isNear = !isCurve && setting.isOnPlateau
      canvas.disc(
        at: point, radius: isCurve ? 3.5 : 4.5, isNear ? .truth : .prediction, rim: .background, rimWidth: 1)
    }
    for point in points.compactMap({ $0 }) {
      canvas.avoid(Rect(x: point.x - 5, y: point.y - 5, width: 10, height: 10))
    }
  }

  /// After all marks, which labels avoid.
  private func drawLabels(on canvas: Canvas, _ panel: Panel) {
    if let optimum, settings.indices.contains(optimum), let point = place(of: settings[optimum], panel) {
      canvas.disc(at: point, radius: 8, .better, rim: .background)
      label("optimum \(text(settings[optimum]))", at: point, on: canvas, panel)
    }
    if let point = place(of: base, panel) { label("default \(text(base))", at: point, on: canvas, panel) }
  }

  private func place(of setting: SweptSetting, _ panel: Panel) -> Point? {
    setting.value.flatMap { panel.point(parameter.value(in: setting), $0) }
  }

  /// `102: 0.3`
  private func text(_ setting: SweptSetting) -> String {
    "\(NumberText.plain(parameter.value(in: setting), decimals: 4)): "
      + NumberText.plain(setting.value ?? .nan, decimals: 3)
  }

  private func label(_ text: String, at point: Point, on canvas: Canvas, _ panel: Panel) {
    canvas.label(
      text, beside: Rect(x: point.x - 8, y: point.y - 8, width: 16, height: 16), .note, within: panel.plot)
  }

  private func drawRows(on canvas: Canvas, _ panel: Panel, _ area: Rect) {
    guard !rows.isEmpty else { return }
    let hidden = subjects.count - rows.count
    canvas.text(
      "best values for each person"
        + (hidden > 0 ? "; \(NumberText.count(hidden, "more person")) not shown" : ""),
      at: Point(x: panel.plot.left, y: area.top + 8), Anchor(.left, .top), .note.colored(.quiet),
      maxWidth: panel.plot.width)
    let first = area.top + 44
    let names = TextStyle.small.shortened(rows, to: panel.plot.left - area.left - 12)
    for (row, subject) in rows.enumerated() {
      let y = first + rowHeight * Double(row)
      canvas.text(
        names[row], at: Point(x: panel.plot.left - 12, y: y), Anchor(.right, .middle), .small,
        maxWidth: panel.plot.left - area.left - 12)
      canvas.line(from: Point(x: panel.plot.left, y: y), to: Point(x: panel.plot.right, y: y), .grid)
      for setting in ordered where setting.bestFor.contains(subject) {
        guard let x = panel.x.position(of: parameter.value(in: setting), in: panel.plot) else { continue }
        canvas.line(from: Point(x: x, y: y - 6), to: Point(x: x, y: y + 6), .neutral, width: 3)
      }
    }
  }
}

/// A parameter that a sweep varies.
public struct SweptParameter: Hashable, Sendable {
  public var name: String
  /// Empty for a plain number.
  public var unit: String

  public init(_ name: String, unit: String = "") { (self.name, self.unit) = (name, unit) }

  /// `bottomAngle (degrees)`
  var title: String { unit.isEmpty ? name : "\(name) (\(unit))" }

  /// Not a number if the setting has none.
  func value(in setting: SweptSetting) -> Double { setting.values[name] ?? .nan }
}

/// A setting of a sweep and its score.
public struct SweptSetting: Hashable, Sendable {
  /// The values of the swept parameters, by their names.
  public var values: [String: Double]
  /// The metric's value; `nil` if the setting is impossible or the metric undefined.
  public var score: Estimate?
  /// Whether the setting cannot be distinguished from the optimum.
  public var isOnPlateau: Bool
  /// The subjects for whom no other setting is better.
  public var bestFor: [String]

  public init(values: [String: Double], score: Estimate?, isOnPlateau: Bool = false, bestFor: [String] = []) {
    self.values = values
    self.score = score
    self.isOnPlateau = isOnPlateau
    self.bestFor = bestFor
  }

  /// The score, if it is finite.
  var value: Double? { score.flatMap { $0.value.isFinite ? $0.value : nil } }

  /// Whether another setting is clearly better than the default: `Best: 112 (0.5, default 1)`.
  static func finding(
    _ settings: [SweptSetting], of parameters: [SweptParameter], optimum: Int?, base: SweptSetting
  ) -> String {
    func text(_ setting: SweptSetting) -> String {
      parameters.map { NumberText.plain($0.value(in: setting), decimals: 4) }.joined(separator: ", ")
    }
    func score(_ setting: SweptSetting) -> String { NumberText.plain(setting.value ?? .nan, decimals: 3) }
    guard let optimum, settings.indices.contains(optimum) else { return "No setting has a value" }
    let best = settings[optimum]
    if best.values == base.values { return "The default, \(text(best)), scores best: \(score(best))" }
    let values = "\(score(best)), default \(score(base))"
    return base.isOnPlateau
      ? "No clear gain over the default: \(text(best)) scores best (\(values)), which may be chance"
      : "Best: \(text(best)) (\(values))"
  }

  /// One row per setting.
  static func table(
    _ parameters: [SweptParameter], _ metric: String, _ settings: [SweptSetting], optimum: Int?, base: SweptSetting
  ) -> ChartTable {
    ChartTable(
      parameters.map { ChartTable.Column($0.title, .upTo(6)) }, .estimate(metric, .upTo(3)),
      ["plateau", "mark", "best for people"],
      rows: settings.enumerated().map { index, setting in
        let mark: ChartTable.Cell = index == optimum ? "optimum" : setting.values == base.values ? "default" : .empty
        return ChartTable.row(
          parameters.map { .number($0.value(in: setting)) }, (setting.score ?? Estimate(.nan)).cells(),
          [setting.isOnPlateau ? "plateau" : .empty, mark, .count(setting.bestFor.count)])
      })
  }
}

extension ChartRecipe {
  static let sweep = ChartRecipe(
    "sweep", "A metric over one parameter as a curve, over two as a heat map.",
    needs: "--from a sweep.json (default: the suite's newest)", takes: [.from]
  ) { context in
    let file = try context.studyFile("sweep", remedy: "--sweep <kind>.<detector>.<parameter>=<values>")
    let results = try SweepResults(file: file)
    return context.pictures(
      results.pictures, bench: results.bench, suite: results.suite, content: results.datasets.contents, file: file)
  }
}

extension SweepResults {
  /// A curve for one parameter, a heat map for a grid of two, and for a sample or more parameters a cloud for each.
  public var pictures: [ReportPicture] {
    guard axes.count > 1 else { return axes.indices.map { curve($0, file: "curve.png", isCurve: true) } }
    if axes.count == 2, sampling == nil { return [heatMap] }
    return axes.indices.map { curve($0, file: "\(axes[$0].parameter).png", isCurve: false) }
  }

  /// Whether another setting is clearly better than the default, on these subjects.
  public var finding: String {
    let (unit, name) = (metric.unit, Metric.plainName(of: metric.name))
    guard let optimum else { return "No setting has a value of \(name): these clips have no labels for it" }
    let best = settings[optimum]
    let words = axes.map { "\($0.parameter) \(NumberText.plain($0.value(in: best.values)))" }.joined(separator: ", ")
    if best.values == base.values {
      return "The default, \(words), scores best: \(name) \(NumberText.quantity(best.value, unit: unit))"
    }
    let values =
      "\(name) \(NumberText.value(best.value, unit: unit)), default \(NumberText.quantity(base.value, unit: unit))"
    return
      (base.isOnPlateau
      ? "No clear gain over the default: \(words) scores best (\(values)), which may be chance"
      : "Best: \(words) (\(values))") + (phantomWords(best) ?? "")
  }

  /// `, but phantoms 2.6 → 6.3 a minute`; `nil` without such time or if there are no more of them.
  private func phantomWords(_ best: Setting) -> String? {
    guard let before = base.phantoms, let after = best.phantoms, after > before else { return nil }
    return ", but phantoms \(NumberText.plain(before, decimals: 1)) → \(NumberText.plain(after, decimals: 1)) a minute"
  }

  private func parameter(_ axis: Int) -> SweptParameter { SweptParameter(axes[axis].parameter, unit: axes[axis].unit) }

  private var source: String { "\(datasets.sources) · \(detector)" }

  /// Subjects, without the dataset name if all of the sweep are of one dataset.
  private func shortNames(_ names: [[String]]) -> [[String]] {
    let datasets = Set(subjects.map { SlashedName($0)?.owner ?? $0 })
    return datasets.count > 1 ? names : names.map { $0.map(SlashedName.name(of:)) }
  }

  private func values(_ values: [String: Double], of axes: [Int]) -> [String: Double] {
    values.filter { name, _ in axes.contains { self.axes[$0].parameter == name } }
  }

  private func swept(_ settings: [Setting], axes: [Int]) -> [SweptSetting] {
    zip(settings, shortNames(settings.map(\.bestFor))).map { setting, bestFor in
      SweptSetting(
        values: values(setting.values, of: axes),
        score: setting.value.map { Estimate($0, lower: setting.interval?.low, upper: setting.interval?.high) },
        isOnPlateau: setting.isOnPlateau, bestFor: bestFor)
    }
  }

  /// The scored settings in their order, followed by the impossible ones.
  private func settings(axes: [Int]) -> [SweptSetting] {
    swept(settings, axes: axes)
      + contradictions.map { contradiction in
        SweptSetting(values: values(contradiction.values, of: axes), score: nil)
      }
  }

  private func curve(_ axis: Int, file: String, isCurve: Bool) -> ReportPicture {
    let title = "\(Metric.plainName(of: metric.name)) by \(axes[axis].parameter)"
    return ReportPicture(
      file: file, heading: title,
      chart: SweepCurve(
        topic: title.capitalizedFirst, source: source, parameter: parameter(axis), metric: metric.title,
        settings: settings(axes: [axis]), optimum: optimum, base: swept([base], axes: [axis])[0],
        subjects: shortNames([subjects])[0], isCurve: isCurve, title: finding))
  }

  private var heatMap: ReportPicture {
    let title = "\(Metric.plainName(of: metric.name)) by \(axes[0].parameter) and \(axes[1].parameter)"
    let best: SweepHeatMap.Best =
      switch metric.direction {
      case .higherIsBetter: .highest
      case .lowerIsBetter: .lowest
      case .zeroIsBest: .nearestToZero
      }
    return ReportPicture(
      file: "heat-map.png", heading: title,
      chart: SweepHeatMap(
        topic: title.capitalizedFirst, source: source, parameters: (parameter(0), parameter(1)), metric: metric.title,
        best: best,
        settings: settings(axes: [0, 1]), optimum: optimum, base: swept([base], axes: [0, 1])[0],
        subjects: subjects.count,
        title: finding))
  }
}
