import Datasets
import Evaluation
import Scoring
import Statistics

/// A few scores of the same metric with their intervals, stacked on one scale.
public struct ScoreEstimates: Chart {
  public struct Row: Hashable, Sendable {
    public var name: String
    public var score: Estimate
    public var meaning: SemanticColor

    public init(name: String, score: Estimate, meaning: SemanticColor) {
      self.name = name
      self.score = score
      self.meaning = meaning
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The metric with its unit and its better direction.
  public var axisTitle: String
  public var rows: [Row]
  public var subjects: Int
  /// The finding in words.
  public var title: String

  public init(topic: String, source: String, axisTitle: String, rows: [Row], subjects: Int, title: String? = nil) {
    let best = rows.filter(\.score.value.isFinite)
    self.title =
      title
      ?? (best.isEmpty
        ? "No score is defined"
        : best.map { "\($0.name) \(NumberText.fixed($0.score.value, decimals: 2))" }.joined(separator: ", ")
          .capitalizedFirst)
    self.topic = topic
    self.source = source
    self.axisTitle = axisTitle
    self.rows = rows
    self.subjects = subjects
  }

  public var subtitle: String {
    [topic, source, NumberText.count(subjects, "person"), "mean over people with 95 % t intervals"]
      .joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    8 + axis.depth
      + RowLayout.height(
        mark: page.isNarrow ? 34 : 56, names: rows.map(\.name), numbers: rows.map { numbers($0.score) }, on: page)
  }

  public var table: ChartTable {
    ChartTable(
      ["score"], .estimate("mean", .fixed(3), low: "from", high: "to"),
      rows: rows.map { ChartTable.row([.text($0.name)], $0.score.cells()) })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let axis = axis
    let layout = RowLayout(
      names: rows.map(\.name), numbers: rows.map { numbers($0.score) },
      in: Rect(left: area.left, top: area.top + 8, right: area.right, bottom: area.bottom - axis.depth), on: canvas,
      gap: 20)
    axis.draw(on: canvas, around: layout.plot)
    for (index, row) in rows.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(row, on: canvas, at: layout.y(index), layout.plot, axis)
    }
  }

  private var axis: Axis {
    let bounds = rows.compactMap(\.score.interval).flatMap { [$0.lowerBound, $0.upperBound] }
    return Axis(LinearScale(covering: rows.map(\.score.value) + bounds), edge: .bottom, title: axisTitle)
  }

  private func draw(_ row: Row, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    if let interval = row.score.interval, let left = axis.position(of: interval.lowerBound, in: plot),
      let right = axis.position(of: interval.upperBound, in: plot)
    {
      canvas.line(from: Point(x: left, y: y), to: Point(x: right, y: y), row.meaning, width: 4)
    }
    guard let x = axis.position(of: row.score.value, in: plot) else { return }
    canvas.disc(at: Point(x: x, y: y), radius: 7, row.meaning, rim: .background)
  }

  /// `2.13 (1.62 to 2.65)`
  private func numbers(_ score: Estimate) -> String {
    let value = NumberText.fixed(score.value, decimals: 2)
    guard let interval = score.interval else { return value }
    return
      "\(value) (\(NumberText.fixed(interval.lowerBound, decimals: 2)) to \(NumberText.fixed(interval.upperBound, decimals: 2)))"
  }
}

extension ChartRecipe {
  static let tuning = ChartRecipe(
    "tuning", "Expected and in-sample score of a tuned detector, and the values each fold chose.",
    needs: "--from a tune.json (default: the suite's newest)", takes: [.from]
  ) { context in
    let file = try context.studyFile("tune", remedy: "--detector <detector> --metric <metric>")
    let results = try TuneResults(file: file)
    return context.pictures(
      results.pictures, bench: results.bench, suite: results.suite, content: results.datasets.contents, file: file)
  }
}

extension TuneResults {
  /// The expected score, the choices, and the result of each left-out subject.
  public var pictures: [ReportPicture] {
    [
      ReportPicture(file: "scores.png", heading: "Expected and in-sample score", chart: ScoreEstimates(self)),
      ReportPicture(file: "choices.png", heading: "Values chosen by fold", chart: ChosenValues(self)),
      ReportPicture(
        file: "people.png", heading: "Each person left out: default → tuned on the others",
        chart: PairedDots(
          topic: "\(Metric.plainName(of: metric.name)): default → tuned on the others", source: chartSource,
          kind: "person",
          axisTitle: metric.title,
          values: folds.map {
            PairedValue(
              name: shortName($0.leftOut), before: $0.baseScore ?? .nan, after: $0.score ?? .nan, gain: $0.gain ?? .nan)
          })),
    ]
  }

  /// Whether tuning helped on people it had not seen.
  public var finding: String {
    let (unit, name) = (metric.unit, Metric.plainName(of: metric.name))
    guard let gain, let interval = gain.interval else {
      return base.bySubject.values.allSatisfy { $0 == nil }
        ? "Nothing to tune on: nobody has a value of \(name)" : "Too few people to judge the tuning"
    }
    let likely = mayBeChance ? "probably " : ""
    let verb = interval.low > 0 ? "\(likely)helped" : interval.high < 0 ? "\(likely)harmed" : "did not clearly help"
    return "Tuning \(verb) on people it had not seen: \(name) \(NumberText.value(expectedOfBase?.value, unit: unit)) → "
      + "\(NumberText.quantity(expected?.value, unit: unit)), gain \(NumberText.signed(gain.value, unit: unit)) "
      + "(95 % \(NumberText.bounds(interval, unit: unit)))"
  }

  var chartSource: String { "\(datasets.sources) · \(tuning.detector)" }

  /// The subject, without the dataset name if there is only one dataset.
  private func shortName(_ subject: String) -> String {
    SlashedName.name(of: subject, amongDatasets: datasets.count)
  }
}

extension ScoreEstimates {
  init(_ results: TuneResults) {
    func row(_ name: String, _ mean: TuneResults.Mean?, _ meaning: SemanticColor) -> Row {
      Row(
        name: name,
        score: Estimate(mean?.value ?? .nan, lower: mean?.interval?.low, upper: mean?.interval?.high),
        meaning: meaning)
    }
    self.init(
      topic: "\(Metric.plainName(of: results.metric.name).capitalizedFirst), expected and in-sample",
      source: results.chartSource,
      axisTitle: results.metric.title,
      rows: [
        row("default, same people", results.expectedOfBase, .neutral),
        row("tuned, expected on new people", results.expected, .prediction),
        Row(
          name: "tuned, in-sample (optimistic)", score: Estimate(results.inSample.value ?? .nan), meaning: .uncertain),
      ], subjects: results.folds.count, title: results.finding)
  }
}

extension NumberText {
  /// `0.1 to 0.7`, or `n/a`.
  public static func bounds(_ bounds: SweepResults.Bounds?, unit: String) -> String {
    guard let bounds else { return "n/a" }
    return "\(value(bounds.low, unit: unit)) to \(value(bounds.high, unit: unit))"
  }
}
