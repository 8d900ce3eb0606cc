import Evaluation
import Scoring
import Statistics

/// The mean gain of each metric with its interval and margin: a forest plot in which right is better.
///
/// Each metric has its own scale with 0 in the middle, as milliseconds and shares have none in common; the numbers are
/// beside it. Metrics that neither changed nor gate are named below the plot.
public struct DifferenceIntervals: Chart {
  public var title: String
  /// Dataset, its origin and the compared sides.
  public var source: String
  public var differences: [MetricDifference]
  /// The number of subjects and clips.
  public var subjects: Int
  public var clips: Int

  public init(
    title: String = "Gain in each metric", source: String, differences: [MetricDifference], subjects: Int, clips: Int
  ) {
    self.title = title
    self.source = source
    self.differences = differences
    self.subjects = subjects
    self.clips = clips
  }

  public var subtitle: String {
    [
      source, NumberText.size("clip", clips, subjects: subjects), "95 % t interval on the subjects' paired differences",
    ].joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 40
      + RowLayout.height(
        mark: 34, names: shown.map(\.name), numbers: shown.map(numbers), on: page)
      + footnote.height(ofWidth: page.bodyWidth)
  }

  private var shown: [MetricDifference] { differences.filter { $0.margin != nil || $0.isChanged } }

  public var table: ChartTable {
    ChartTable(
      ["metric"], .estimate("gain", .fixed(3), own: .signed(3), low: "from", high: "to"),
      [.init("margin", .upTo(3)), "unit", "remark"],
      rows: differences.map { difference in
        let margin: ChartTable.Cell = difference.margin.map { .number($0) } ?? .empty
        return ChartTable.row(
          [.text(difference.name)], difference.gain.cells(),
          [margin, .text(difference.unit), .text(difference.remark)])
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 40
    let shown = shown
    let layout = RowLayout(
      names: shown.map(\.name), numbers: shown.map(numbers),
      in: Rect(
        left: area.left, top: top, right: area.right, bottom: area.bottom - footnote.height(ofWidth: area.width)),
      on: canvas)
    let plot = layout.plot
    let middle = plot.middle.x
    canvas.text(
      "← worse", at: Point(x: middle - 14, y: top - 10), Anchor(.right, .bottom), .note.colored(.quiet))
    canvas.text("better →", at: Point(x: middle + 14, y: top - 10), Anchor(.left, .bottom), .note.colored(.quiet))
    for (index, difference) in shown.enumerated() {
      let y = layout.y(index)
      layout.drawTexts(of: index, on: canvas)
      draw(difference, on: canvas, at: y, plot)
      canvas.line(from: Point(x: middle, y: y - 17), to: Point(x: middle, y: y + 17), .ink, width: 1.5)
      drawMean(of: difference, on: canvas, at: y, plot)
    }
    footnote.draw(on: canvas, in: area)
  }

  private var footnote: Footnote {
    let left = differences.filter { $0.margin == nil && !$0.isChanged }
    let parts = [("unchanged", left.filter(\.isUnchanged)), ("without a gain", left.filter { !$0.isUnchanged })]
    let words = parts.filter { !$0.1.isEmpty }.map { "; \($0.0): \($0.1.map(\.name).joined(separator: ", "))" }
    return Footnote("each metric on a scale of its own, 0 in the middle" + words.joined())
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (true, LegendEntry(.disc(.ink), "mean gain of the subjects")),
      (differences.contains { $0.meaning == .better }, LegendEntry(.line(.better), "better")),
      (differences.contains { $0.meaning == .worse }, LegendEntry(.line(.worse), "worse")),
      (
        differences.contains { $0.meaning == .neutral && !$0.isUnchanged },
        LegendEntry(.line(.neutral), "interval includes 0")
      ),
      (differences.contains { $0.margin != nil }, LegendEntry(.area(.tolerance), "loss that is accepted")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  private func draw(_ difference: MetricDifference, on canvas: Canvas, at y: Double, _ plot: Rect) {
    let axis = axis(of: difference)
    if let margin = difference.margin, margin > 0, let edge = axis.position(of: -margin, in: plot) {
      canvas.fill(Rect(left: edge, top: y - 13, right: plot.middle.x, bottom: y + 13), .tolerance)
    }
    canvas.line(from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), .grid)
    if let interval = difference.gain.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), difference.meaning, width: 4)
    }
  }

  private func drawMean(of difference: MetricDifference, on canvas: Canvas, at y: Double, _ plot: Rect) {
    guard let x = axis(of: difference).position(of: difference.gain.value, in: plot) else { return }
    canvas.disc(at: Point(x: x, y: y), radius: 6, .ink, rim: .background)
  }

  private func axis(of difference: MetricDifference) -> Axis {
    let reach = 1.08 * difference.reach
    return Axis(LinearScale(reach > 0 ? -reach...reach : -1...1), edge: .bottom)
  }

  /// `+0.24 [+0.06, +0.42] reps, p 0.031`
  private func numbers(_ difference: MetricDifference) -> String {
    guard difference.gain.value.isFinite else { return NumberText.missing }
    guard !difference.isUnchanged else { return "unchanged" }
    let unit = difference.unit.isEmpty ? "" : " \(difference.unit)"
    return "\(difference.gain.signedText)\(unit)\(difference.remark.isEmpty ? "" : ", \(difference.remark)")"
  }
}

/// How much a metric improved, with its interval and the accepted loss.
public struct MetricDifference: Hashable, Sendable {
  /// `squat-states count.mae`
  public var name: String
  /// `reps`; empty for a plain number.
  public var unit: String
  /// The mean gain; NaN if undefined.
  public var gain: Estimate
  /// `nil` for a metric that does not gate.
  public var margin: Double?
  /// The text beside the numbers: `p 0.031`.
  public var remark: String

  public init(name: String, unit: String, gain: Estimate, margin: Double? = nil, remark: String = "") {
    self.name = name
    self.unit = unit
    self.gain = gain
    self.margin = margin
    self.remark = remark
  }

  /// The greatest distance from 0 of anything in this row.
  var reach: Double {
    let bounds = gain.interval.map { [$0.lowerBound, $0.upperBound] } ?? []
    return ([gain.value, margin ?? 0] + bounds).filter { $0.isFinite && abs($0) < 1e300 }.map(abs).max() ?? 0
  }

  /// Whether both the gain and its interval are 0.
  var isUnchanged: Bool { gain.value == 0 && gain.interval == 0...0 }

  /// Whether there is a gain or interval other than 0.
  var isChanged: Bool { gain.value.isFinite && !isUnchanged }

  /// Better or worse if the whole interval is on that side.
  var meaning: SemanticColor {
    guard let interval = gain.interval else { return .neutral }
    return interval.lowerBound > 0 ? .better : interval.upperBound < 0 ? .worse : .neutral
  }
}

extension ChartRecipe {
  static let gains = ChartRecipe(
    "gains", "Gain in each metric over another run or the baseline, with interval and margin.",
    needs: "a run and --with another or the baseline; or --from a compare.json",
    takes: [.run, .with, .from]
  ) { context in
    let compared = try context.comparison()
    return [Picture(compared.record.gains.chart, notes: compared.notes, metadata: compared.metadata)]
  }
}

extension ComparisonRecord {
  /// The charts that this comparison has data for, in the order of the report.
  public var pictures: [ReportPicture] { [gains] + changes }

  /// The gain in each metric that the suite names.
  var gains: ReportPicture {
    ReportPicture(
      file: "gains.png", heading: "Gain in each metric",
      chart: DifferenceIntervals(
        source: datasets.sources, differences: metrics.filter(\.isListed).map(difference), subjects: subjects,
        clips: clips))
  }

  private func difference(_ metric: MetricChange) -> MetricDifference {
    var remarks: [String] = []
    if metric.isPooled == true { remarks.append("pooled") }
    if let p = metric.p { remarks.append("p \(NumberText.probability(p))") }
    if let adjusted = metric.adjustedP { remarks.append("Holm \(NumberText.probability(adjusted))") }
    return MetricDifference(
      name: Metric.plainName(of: metric.metric) + (detectors.count > 1 ? ", \(metric.detector)" : ""),
      unit: metric.unit,
      gain: Estimate(metric.gain ?? .nan, lower: metric.low, upper: metric.high), margin: metric.margin,
      remark: remarks.joined(separator: ", "))
  }
}

extension ChartContext {
  struct Compared {
    var record: ComparisonRecord
    var metadata: [(key: String, value: String)]
    var notes: [String]
  }

  /// The comparison from a file, or of the run with the selected one.
  func comparison() throws -> Compared {
    if let file {
      let record = try ComparisonRecord(file: file)
      return Compared(
        record: record,
        metadata: [
          ("Software", "bench \(record.bench)"), ("Suite", record.suite), ("Content", record.datasets.contents),
          ("Before", record.before), ("After", record.after),
        ], notes: ["from \(file)", "A: \(record.before); B: \(record.after)"])
    }
    let run = try storedRun()
    let before: ComparisonSide
    let words: String
    if other == "baseline" {
      before = .baseline(try project.baseline(ofSuite: suite))
      words = "the baseline"
    } else {
      let stored = try store.run(named: other, ofSuite: suite)
      before = .run(stored.results, id: stored.id)
      words = "run \(stored.id)"
    }
    let record = ComparisonRecord(
      try Comparison(from: before, to: .run(run.results, id: run.id)), before: words, after: "run \(run.id)",
      bench: bench)
    return Compared(
      record: record, metadata: run.metadata + [("Before", record.before)],
      notes: ["A: \(record.before); B: \(record.after)"])
  }
}
