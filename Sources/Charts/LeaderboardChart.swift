import Evaluation
import Pipeline
import Scoring
import Statistics

/// The best detector of each exercise in each dataset, with other detectors, offline peaks, the trivial predictor and
/// people.
public struct LeaderboardChart: Chart {
  public struct Row: Hashable, Sendable {
    /// The exercise, with its dataset if several have the exercise.
    public var name: String
    /// The best detector; `nil` if there is none.
    public var best: String?
    public var score: Estimate
    /// The other detectors' scores.
    public var others: [Double]
    public var offlinePeaks: Double?
    public var trivial: Double?
    public var people: Double?

    /// The scores of predictors that are not detectors.
    fileprivate var references: [Double] { [offlinePeaks, trivial, people].compactMap(\.self) }
  }

  public var title: String
  /// Datasets and their origin.
  public var source: String
  /// The metric with its unit and its better direction.
  public var axisTitle: String
  public var rows: [Row]
  public var clips: Int
  /// The least and the most people of an exercise; `nil` if unknown.
  public var people: ClosedRange<Int>?

  public var subtitle: String {
    let counts = people.map { people in
      (people.count == 1 ? "" : "\(people.lowerBound) to ") + NumberText.count(people.upperBound, "person")
        + " in each exercise"
    }
    return
      ([source, NumberText.count(clips, "clip")] + [counts].compactMap(\.self)
      + ["best detector of each exercise, 95 % interval over people"]).joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 20 + axis.depth
      + RowLayout.height(mark: 34, names: rows.map(\.name), numbers: rows.map(numbers), on: page)
  }

  public var table: ChartTable {
    ChartTable(
      ["exercise", "best detector"], .estimate("score", .fixed(3), low: "from", high: "to"),
      [.init("offline peaks", .fixed(3)), .init("trivial predictor", .fixed(3)), .init("people", .fixed(3))],
      rows: rows.map { row in
        func cell(_ value: Double?) -> ChartTable.Cell { value.map { .number($0) } ?? .empty }
        return ChartTable.row(
          [.text(row.name), .text(row.best ?? "none")], row.score.cells(),
          [cell(row.offlinePeaks), cell(row.trivial), cell(row.people)])
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 20
    let axis = axis
    let layout = RowLayout(
      names: rows.map(\.name), numbers: rows.map(numbers),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom - axis.depth), on: canvas, gap: 20)
    axis.draw(on: canvas, around: layout.plot)
    for (index, row) in rows.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(row, on: canvas, at: layout.y(index), layout.plot, axis)
    }
  }

  private var axis: Axis {
    let values = rows.flatMap { $0.score.values + $0.others + $0.references }
    return Axis(LinearScale(covering: [0] + values), edge: .bottom, title: axisTitle)
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (rows.contains { $0.best != nil }, LegendEntry(.disc(.prediction), "best detector")),
      (rows.contains { !$0.others.isEmpty }, LegendEntry(.smallDisc(.neutral), "other detectors")),
      (rows.contains { $0.offlinePeaks != nil }, LegendEntry(.ring(.ink), "offline peaks")),
      (rows.contains { $0.trivial != nil }, LegendEntry(.dottedLine(.ink), "trivial predictor")),
      (rows.contains { $0.people != nil }, LegendEntry(.disc(.truth), "people")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  private func draw(_ row: Row, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    func place(_ value: Double?) -> Point? {
      value.flatMap { axis.position(of: $0, in: plot) }.map { Point(x: $0, y: y) }
    }
    if let interval = row.score.interval, let left = place(interval.lowerBound), let right = place(interval.upperBound)
    {
      canvas.line(from: left, to: right, .prediction, width: 4)
    }
    if let x = place(row.trivial)?.x {
      canvas.line(from: Point(x: x, y: y - 12), to: Point(x: x, y: y + 12), .ink, width: 1.5, dash: [2, 4])
    }
    for other in row.others {
      if let point = place(other) { canvas.disc(at: point, radius: 5, .neutral, rim: .background, rimWidth: 1) }
    }
    if let point = place(row.offlinePeaks) { canvas.disc(at: point, radius: 9, .background, rim: .ink, rimWidth: 2) }
    if let point = place(row.score.value) { canvas.disc(at: point, radius: 7, .prediction, rim: .background) }
    if let point = place(row.people) { canvas.disc(at: point, radius: 6, .truth, rim: .background) }
  }

  /// `exercise-squat 0.75 (0.43 to 0.93)`
  private func numbers(_ row: Row) -> String {
    guard let best = row.best else { return "no detector" }
    return "\(best) \(row.score.text())"
  }
}

extension ChartRecipe {
  static let leaderboard = ChartRecipe(
    "leaderboard", "The best detector of each exercise, with other detectors, a trivial predictor and people.",
    needs: "--from a file that bench leaderboard --json wrote", takes: [.from]
  ) { context in
    guard let file = context.file else {
      throw EvaluationError.usage(
        "leaderboard: expected --from with a file that bench leaderboard --json wrote, found none")
    }
    let board = try Leaderboard(file: file)
    return [
      Picture(
        LeaderboardChart(board), notes: ["from \(file)"],
        metadata: [("Software", "bench \(board.bench)"), ("Content", board.datasets.contents)])
    ]
  }
}

extension LeaderboardChart {
  public init(_ board: Leaderboard) {
    let (better, all) = board.beatsOfflinePeaks
    let metric = board.metrics[0]
    let isEachOnce = Set(board.sections.map(\.exercise)).count == board.sections.count
    let counts = board.sections.map(\.people)
    let unit = board.sections.lazy.compactMap { $0.rows.first?.values.first?.unit }.first ?? ""
    self.init(
      title: all > 0
        ? "The best detector is ahead of an offline peak counter in \(better) of \(NumberText.count(all, isEachOnce ? "exercise" : "case"))"
        : "\(Metric.plainName(of: metric)): the best detector of each exercise",
      source: board.datasets.sources, axisTitle: metricTitle(metric, unit: unit, board.direction),
      rows: board.sections.map { section in
        let best = section.best(.detector)
        return Row(
          name: section.exercise + (isEachOnce ? "" : ", \(section.dataset)"), best: best?.row.name,
          score: Estimate(best?.value.value ?? .nan, lower: best?.value.low, upper: best?.value.high),
          others: section.rows.filter { $0.role == .detector }.dropFirst().compactMap { $0.values.first?.value },
          offlinePeaks: section.best(.offlinePeaks)?.value.value, trivial: section.best(.trivial)?.value.value,
          people: section.best(.people)?.value.value)
      }, clips: board.sections.reduce(0) { $0 + $1.clips }, people: counts.min().map { $0...(counts.max() ?? $0) })
  }
}
