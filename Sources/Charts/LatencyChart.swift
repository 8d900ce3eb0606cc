import Evaluation
import Pipeline
import Statistics

/// The three latencies, each in its own panel with its own axis: the cost of one update, the delay of a report in
/// recording time, and the delay from camera to cue.
public struct LatencyChart: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The source of the times: dataset, its origin and the machine.
  public var source: String
  /// Nanoseconds per frame, measured in blocks of frames.
  public var updateCost: LatencyPanel
  /// The time between two frames of the camera, in nanoseconds: a detector that needs more falls behind. `nil` if
  /// unknown.
  public var frameBudget: Double?
  /// The clock's reading for an empty interval, in nanoseconds per frame; lower costs cannot be measured.
  public var clockFloor: Double?
  /// Milliseconds of recording time from an event to its report; negative if reported ahead.
  public var reportLateness: LatencyPanel
  /// Milliseconds from the frame of a report, if every frame is processed, to its cue live; negative if the cue comes
  /// earlier, because dropped frames change what a detector sees.
  public var cameraToCue: LatencyPanel
  /// The number of people with a report; `nil` if unknown.
  public var subjects: Int?

  public init(
    topic: String = "Latency", source: String, updateCost: LatencyPanel,
    frameBudget: Double? = nil, clockFloor: Double? = nil,
    reportLateness: LatencyPanel, cameraToCue: LatencyPanel, subjects: Int? = nil
  ) {
    self.topic = topic
    self.source = source
    self.updateCost = updateCost
    self.frameBudget = frameBudget
    self.clockFloor = clockFloor
    self.reportLateness = reportLateness
    self.cameraToCue = cameraToCue
    self.subjects = subjects
  }

  /// `9 of 10 frames use at most 0.002 % of their 33.3 ms (exercise-squat); half of the cues come within 30.0 ms`
  public var title: String {
    let parts = [costFinding, cueFinding].compactMap { $0 }
    return parts.isEmpty ? "No latency was measured" : parts.joined(separator: "; ").capitalizedFirst
  }

  private var costFinding: String? {
    let ends = updateCost.series.compactMap { series in series.quantiles.last.map { (series.name, $0) } }
    guard let (name, slowest) = ends.max(by: { $0.1.value < $1.1.value }), slowest.value.isFinite else { return nil }
    guard let frameBudget, frameBudget > 0 else {
      return "\(name) is slowest: \(slowest.name) \(LogScale.duration(nanoseconds: slowest.value)) a frame"
    }
    let percent = 100 * slowest.value / frameBudget
    guard percent <= 100 else {
      return "\(name) is too slow: \(slowest.name) takes \(NumberText.significant(percent)) % of a frame's time"
    }
    let share = percent < 0.001 ? "less than 0.001" : "at most \(NumberText.significant(percent))"
    let frames = Self.frames[slowest.name] ?? "\(slowest.name) of the frames"
    return "\(frames) use \(share) % of their \(LogScale.duration(nanoseconds: frameBudget)) (\(name))"
  }

  /// The frames that need at most a quantile's time.
  private static let frames = [
    "p50": "half of the frames", "p90": "9 of 10 frames", "p99": "99 of 100 frames", "p99.9": "999 of 1000 frames",
  ]

  private var cueFinding: String? {
    let median = cameraToCue.series.first?.quantiles.first { $0.name == "p50" }
    return median.map { median in
      let size = NumberText.fixed(abs(median.value), decimals: 1)
      return median.value < 0
        ? "half of the cues come at least \(size) ms early" : "half of the cues come within \(size) ms"
    }
  }

  public var subtitle: String {
    let blocks = updateCost.count("block").map { "\($0) of \(UpdateCost.blockSize) frames" }
    let sizes = [blocks, reportLateness.count("report", subjects: subjects), cameraToCue.count("cue")]
    return ([topic, source] + sizes.compactMap { $0 }).joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    panels.reduce(footnote.height(ofWidth: page.bodyWidth)) { $0 + $1.height(on: page) }
  }

  private var footnote: Footnote {
    Footnote(
      "A bar twice as high has four times the samples. Lines: quantiles (90 % of samples are below p90)."
        + (clockFloor.map { " Timer overhead: \(LogScale.duration(nanoseconds: $0)) a frame." } ?? "")
        + (isCueEarlier ? " A cue is early if frames before it were dropped." : ""))
  }

  /// One row per panel, series and quantile.
  public var table: ChartTable {
    ChartTable(
      ["latency", "detector", "samples", "quantile", "value", "unit"],
      rows: panels.flatMap { panel -> [[ChartTable.Cell]] in
        switch panel.content {
        case .unavailable(let reason):
          [[.text(panel.name), .undefined, .count(0), .undefined, .text(reason), .empty]]
        case .measured(let series):
          series.flatMap { series in
            series.quantiles.map { quantile in
              [
                .text(panel.name), .text(series.name), .count(series.finite.count), .text(quantile.name),
                .number(quantile.value, panel.format), .text(panel.unit),
              ]
            }
          }
        }
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let names = panels.flatMap { $0.content.series.map { canvas.width(of: $0.name, .note) } }
    let gutter = min(240, max(100, names.max() ?? 0))
    var y = area.top
    for panel in panels {
      let bottom = y + panel.height(on: canvas.page)
      panel.draw(on: canvas, in: Rect(left: area.left, top: y, right: area.right, bottom: bottom), gutter: gutter)
      y = bottom
    }
    footnote.draw(on: canvas, in: area)
  }

  /// A scale from 0, with some space beyond the largest value.
  private static func scale(covering values: [Double]) -> LinearScale {
    let finite = [0] + values.filter { abs($0) < 1e12 }
    let (least, most) = (finite.min() ?? 0, finite.max() ?? 1)
    let room = 0.02 * max(most - least, 1)
    return LinearScale((least < 0 ? least - room : 0)...(most > 0 ? most + room : room))
  }

  /// The report is that of a replay of every frame; live, late frames are dropped, and the cue may come earlier.
  private var isCueEarlier: Bool { cameraToCue.values.contains { $0 < 0 } }

  private var cameraHeading: String { "Delay from camera to cue: ms\(isCueEarlier ? " (below 0: early)" : "")" }

  private var panels: [DistributionPanel] {
    let costs = updateCost.values + [frameBudget ?? .nan]
    let duration: @Sendable (Double) -> String = { LogScale.duration(nanoseconds: $0) }
    let milliseconds: @Sendable (Double) -> String = {
      $0.isFinite ? "\(NumberText.fixed($0, decimals: 1)) ms" : NumberText.missing
    }
    return [
      DistributionPanel(
        name: "update cost", heading: "Processing time per frame (log scale)", content: updateCost,
        scale: LogScale(covering: costs, label: duration),
        unit: "ns", format: .significant, label: { LogScale.duration(nanoseconds: $0, keepingZeros: true) },
        line: frameBudget.map { Threshold(label: "time between frames: \(duration($0))", value: $0) }),
      DistributionPanel(
        name: "report lateness", heading: "Reporting delay: ms (below 0: early)",
        content: reportLateness, scale: Self.scale(covering: reportLateness.values),
        unit: "ms", format: .fixed(1), label: milliseconds),
      DistributionPanel(
        name: "camera to cue", heading: cameraHeading, content: cameraToCue,
        scale: Self.scale(covering: cameraToCue.values), unit: "ms", format: .fixed(1), label: milliseconds),
    ]
  }
}

/// One detector's samples of one latency, and quantiles of them.
public struct LatencySeries: Hashable, Sendable {
  /// A quantile with enough samples: its name ("p99") and its value in the samples' unit.
  public struct Quantile: Hashable, Sendable {
    public var name: String
    public var value: Double

    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// The detector.
  public var name: String
  /// The samples in the panel's unit, in any order; values that are not finite are omitted.
  public var samples: [Double]
  /// The quantiles in rising order, at most four.
  public var quantiles: [Quantile]

  public init(name: String, samples: [Double], quantiles: [Quantile]) {
    self.name = name
    self.samples = samples
    self.quantiles = quantiles
  }

  var finite: [Double] { samples.filter(\.isFinite) }
}

/// The content of one panel of a `LatencyChart`.
public enum LatencyPanel: Hashable, Sendable {
  case measured([LatencySeries])
  /// No measurement, with the reason.
  case unavailable(String)

  var series: [LatencySeries] {
    switch self {
    case .measured(let series): series
    case .unavailable: []
    }
  }

  /// All values that the panel's scale must contain.
  var values: [Double] { series.flatMap { $0.samples + $0.quantiles.map(\.value) } }

  /// "480 blocks", "12 reports of 4 people", or `nil` if nothing was measured.
  func count(_ singular: String, subjects: Int? = nil) -> String? {
    series.isEmpty ? nil : NumberText.size(singular, series.reduce(0) { $0 + $1.finite.count }, subjects: subjects)
  }
}

/// A heading, one row per series with its histogram and quantiles, and one axis below. The numbers on the right are the
/// quantiles.
struct DistributionPanel {
  /// The name in the table.
  let name: String
  let heading: String
  let content: LatencyPanel
  let scale: any Scale
  /// The values' unit, and the table's format.
  let unit: String
  let format: ChartTable.Format
  /// Formats a quantile.
  let label: @Sendable (Double) -> String
  /// A line across all rows.
  var line: Threshold?

  private static let headingHeight = 32.0
  private static let rowHeight = 44.0
  private static let columnWidth = 96.0

  /// The height of a panel.
  func height(on page: Page) -> Double {
    guard !content.series.isEmpty else {
      let lines = TextStyle.label.lines(of: reason, width: page.bodyWidth).count
      return Self.headingHeight + TextStyle.label.lineHeight * Double(max(1, lines)) + 16
    }
    return headingHeight(on: page) + rowHeight(on: page, width: page.bodyWidth) * Double(content.series.count)
      + Axis(scale, edge: .bottom).depth + 20
  }

  /// The height of a row: on a narrow page, name and quantiles are above the bars, side by side if all of them fit,
  /// otherwise stacked.
  private func rowHeight(on page: Page, width: Double) -> Double {
    Self.rowHeight + TextStyle.note.lineHeight * Double(page.isNarrow ? textLines(ofWidth: width) : 0)
  }

  private func textLines(ofWidth width: Double) -> Int {
    let style = TextStyle.note
    return content.series.allSatisfy { style.width(of: $0.name) + style.width(of: words($0)) + 22 <= width } ? 1 : 2
  }

  /// `p50 240 ns, p90 261 ns`
  private func words(_ series: LatencySeries) -> String {
    series.quantiles.prefix(4).map { "\($0.name) \(label($0.value))" }.joined(separator: ", ")
  }

  /// On a narrow page the line's name is below the heading.
  private func headingHeight(on page: Page) -> Double {
    Self.headingHeight + (page.isNarrow && line != nil ? TextStyle.note.lineHeight : 0)
  }

  /// - Parameters:
  ///   - gutter: The space for the series' names, which on a narrow page are above their rows.
  func draw(on canvas: Canvas, in area: Rect, gutter: Double) {
    let top = Point(x: area.left, y: area.top + 12)
    let series = content.series
    let page = canvas.page
    guard !series.isEmpty else {
      canvas.text(heading, at: top, Anchor(.left, .middle), .heading, maxWidth: area.width)
      canvas.paragraph(
        reason, in: Rect(left: area.left, top: area.top + Self.headingHeight, right: area.right, bottom: area.bottom),
        .label.colored(.quiet))
      return
    }
    let columns = page.isNarrow ? [] : columnNames
    let right = area.right - Double(columns.count) * Self.columnWidth
    canvas.text(heading, at: top, Anchor(.left, .middle), .heading, maxWidth: right - area.left)
    let rowHeight = rowHeight(on: page, width: area.width)
    let plotTop = area.top + headingHeight(on: page)
    let plot = Rect(
      left: area.left + (page.isNarrow ? 12 : gutter + 12), top: plotTop, right: right - (page.isNarrow ? 12 : 8),
      bottom: plotTop + rowHeight * Double(series.count))
    let axis = Axis(scale, edge: .bottom)
    axis.draw(on: canvas, around: plot)
    drawLine(on: canvas, plot, axis, labelTop: area.top + 1 + (page.isNarrow ? Self.headingHeight - 4 : 0))
    for (index, column) in columns.enumerated() {
      canvas.text(
        column, at: Point(x: right + Double(index + 1) * Self.columnWidth, y: top.y), Anchor(.right, .middle),
        .note.colored(.quiet))
    }
    // Long names keep the parts that tell them apart.
    let names = TextStyle.note.shortened(
      series.map(\.name), to: page.isNarrow ? area.width : plot.left - 12 - area.left)
    for (index, series) in series.enumerated() {
      let row = Rect(
        left: plot.left, top: plot.top + Double(index + 1) * rowHeight - Self.rowHeight, right: plot.right,
        bottom: plot.top + Double(index + 1) * rowHeight)
      drawBars(of: series, on: canvas, in: row)
      if page.isNarrow {
        drawTexts(of: series, names[index], on: canvas, above: row, right: area.right)
      } else {
        drawTexts(of: series, names[index], on: canvas, beside: row, columns: columns)
      }
      drawQuantiles(of: series, on: canvas, in: row, axis)
    }
  }

  /// The quantiles that any series has, in the order in which they first appear.
  private var columnNames: [String] {
    var names: [String] = []
    for quantile in content.series.flatMap(\.quantiles) where !names.contains(quantile.name) {
      names.append(quantile.name)
    }
    return Array(names.prefix(4))
  }

  private var reason: String {
    let words = if case .unavailable(let reason) = content { reason } else { "not measured" }
    return "\(NumberText.missing): \(words)"
  }

  private func drawLine(on canvas: Canvas, _ plot: Rect, _ axis: Axis, labelTop: Double) {
    guard let line, let x = axis.position(of: line.value, in: plot) else { return }
    canvas.line(
      from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), .neutral, width: 1.5, dash: [6, 4])
    let legend = Legend([LegendEntry(.dashedLine(.neutral), line.label)])
    let left = plot.right - legend.width(on: canvas)
    legend.drawRow(on: canvas, in: Rect(left: left, top: labelTop, right: plot.right + 1, bottom: plot.top))
  }

  private func drawBars(of series: LatencySeries, on canvas: Canvas, in row: Rect) {
    canvas.line(from: Point(x: row.left, y: row.bottom), to: Point(x: row.right, y: row.bottom), .grid)
    let bins = 160
    let histogram = Histogram(of: series.finite, on: scale, bins: bins)
    let width = row.width / Double(bins)
    let height = row.height - 18
    for (bin, count) in histogram.counts.enumerated() where count > 0 {
      // The square root makes a single late sample visible beside a thousand early ones.
      let part = (Double(count) / Double(histogram.greatest)).squareRoot()
      let bar = Rect(
        x: row.left + Double(bin) * width, y: row.bottom - part * height, width: width, height: part * height)
      canvas.fill(bar, .prediction, opacity: 0.6)
    }
  }

  private func drawTexts(
    of series: LatencySeries, _ name: String, on canvas: Canvas, beside row: Rect, columns: [String]
  ) {
    canvas.text(name, at: Point(x: row.left - 12, y: row.bottom - 14), Anchor(.right, .middle), .note)
    for quantile in series.quantiles.prefix(4) {
      guard let column = columns.firstIndex(of: quantile.name) else { continue }
      let x = row.right + 8 + Double(column + 1) * Self.columnWidth
      canvas.text(
        label(quantile.value), at: Point(x: x, y: row.bottom - 14), Anchor(.right, .middle), .note)
    }
  }

  private func drawTexts(
    of series: LatencySeries, _ name: String, on canvas: Canvas, above row: Rect, right: Double
  ) {
    let lines = textLines(ofWidth: right - row.left + 12)
    let last = row.top - TextStyle.note.lineHeight / 2 + 4
    let first = last - TextStyle.note.lineHeight * Double(lines - 1)
    // The grid and the line across all rows must not cross the texts.
    canvas.fill(
      Rect(left: row.left - 12, top: first - TextStyle.note.lineHeight / 2, right: right, bottom: row.top + 4),
      .background)
    let room = right - row.left + 12
    canvas.text(words(series), at: Point(x: right, y: last), Anchor(.right, .middle), .note, maxWidth: room)
    canvas.text(name, at: Point(x: row.left - 12, y: first), Anchor(.left, .middle), .note, maxWidth: room)
  }

  /// One stroke each, with names if there is room for all of them.
  private func drawQuantiles(of series: LatencySeries, on canvas: Canvas, in row: Rect, _ axis: Axis) {
    let style = TextStyle.small
    let strokes = series.quantiles.prefix(4).compactMap { quantile in
      axis.position(of: quantile.value, in: row).map { (name: quantile.name, x: $0) }
    }
    let areApart = zip(strokes, strokes.dropFirst()).allSatisfy { left, right in
      right.x - left.x > (canvas.width(of: left.name, style) + canvas.width(of: right.name, style)) / 2 + 5
    }
    for stroke in strokes {
      let top = Point(x: stroke.x, y: row.top + 16)
      canvas.line(from: top, to: Point(x: stroke.x, y: row.bottom), .ink, width: 2)
      guard areApart else { continue }
      canvas.text(stroke.name, at: Point(x: top.x, y: top.y - 1), Anchor(.center, .bottom), style)
    }
  }
}

extension ChartRecipe {
  static let latency = ChartRecipe(
    "latency", "Processing time per frame, reporting delay, and delay from camera to cue.", needs: "a run",
    takes: [.run],
    inReport: { run in
      [
        ReportPicture(
          file: "latency.png", heading: "Latency", chart: LatencyChart(run.results), part: .latency, isAside: true)
      ]
    }
  ) { context in
    let run = try context.storedRun()
    return [Picture(LatencyChart(run.results), metadata: run.metadata)]
  }
}

extension LatencyChart {
  /// The costs of all timed detectors, and the delays of the one that counts.
  public init(_ results: RunResults) {
    // How late and how early reports are at the median: one of them is 0.
    func delays(_ get: (ClipResult.Outcome) -> [Double], _ metric: String, early: String? = nil) -> LatencyPanel {
      guard let counter = results.counter else { return .unavailable("no detector counts reps") }
      let samples = results.clips.compactMap { $0.outcomes[counter] }.flatMap(get)
      guard !samples.isEmpty else { return .unavailable("no rep is matched") }
      let before = early.flatMap { results.metric(counter, $0)?.pooled } ?? 0
      let median = results.metric(counter, metric)?.pooled.map { $0 - before }
      return .measured([
        LatencySeries(name: counter, samples: samples, quantiles: median.map { [.init("p50", $0)] } ?? [])
      ])
    }
    let costs = results.measured.sorted { $0.key < $1.key }.filter { !$0.value.samples.isEmpty }
    self.init(
      source: results.datasets.sources,
      updateCost: costs.isEmpty
        ? .unavailable("no clip is as long as a block of frames")
        : .measured(
          costs.map { name, cost in
            LatencySeries(
              name: name, samples: cost.samples,
              quantiles: cost.quantiles.sorted { $0.value < $1.value }.map { .init($0.key, $0.value) })
          }),
      frameBudget: results.camera.fps > 0 ? 1e9 / results.camera.fps : nil,
      clockFloor: costs.compactMap(\.value.clockFloor).max(),
      reportLateness: delays(\.reportDelays, "latency.report", early: "latency.early"),
      cameraToCue: delays(\.liveDelays, "latency.live"),
      subjects: results.counter.map { counter in
        results.showing { !($0.outcomes[counter]?.reportDelays ?? []).isEmpty }.subjectCount
      })
  }
}
