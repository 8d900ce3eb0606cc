import Evaluation
import Pipeline
import Statistics

/// The probability of each outcome by the number of subjects: how many to record, before recording them.
public struct PowerCurve: Chart {
  /// One line of the chart.
  public struct Series: Hashable, Sendable {
    public var name: String
    public var meaning: SemanticColor
    /// 0…1, one for each number of subjects, with the intervals of simulation error.
    public var chances: [Estimate]

    public init(_ name: String, _ meaning: SemanticColor, chances: [Estimate]) {
      self.name = name
      self.meaning = meaning
      self.chances = chances
    }
  }

  public var title: String
  /// What the simulation draws from.
  public var source: String
  public var subjects: [Int]
  public var series: [Series]
  /// The probability to reach, 0…1.
  public var goal: Double

  public init(title: String, source: String, subjects: [Int], series: [Series], goal: Double = 0.8) {
    self.title = title
    self.source = source
    self.subjects = subjects
    self.series = series
    self.goal = goal
  }

  public var subtitle: String { source }

  public var table: ChartTable {
    ChartTable(
      ["subjects"], series.flatMap { [ChartTable.Column].estimate($0.name, .fixed(3)) },
      rows: subjects.enumerated().map { index, count in
        ChartTable.row(
          [.count(count)],
          series.flatMap { ($0.chances.count > index ? $0.chances[index] : Estimate(.nan)).cells() })
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    var entries = series.map { LegendEntry(.line($0.meaning), $0.name) }
    if series.contains(where: { $0.chances.contains { $0.interval != nil } }) {
      entries.append(LegendEntry(.shade(.uncertain), "95 % interval"))
    }
    entries.append(LegendEntry(.dashedLine(.quiet), "\(NumberText.plain(goal * 100, decimals: 2)) %"))
    let bottom = Legend(entries).drawRow(on: canvas, in: area)
    let panel = Panel(
      x: Axis(LinearScale(covering: [0] + subjects.map(Double.init), isWhole: true), edge: .bottom, title: "subjects"),
      y: Axis(LinearScale(0...1), edge: .left, title: "chance"),
      in: Rect(left: area.left, top: bottom + 12, right: area.right, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    if let y = panel.y.position(of: goal, in: panel.plot) {
      canvas.line(
        from: Point(x: panel.plot.left, y: y), to: Point(x: panel.plot.right, y: y), .quiet, width: 1.5, dash: [6, 4])
    }
    for line in series {
      panel.drawBand(through: zip(subjects, line.chances).map { (x: Double($0), y: $1) }, on: canvas)
    }
    for line in series {
      let points = zip(subjects, line.chances).map { panel.point(Double($0), $1.value) }
      canvas.path(points, line.meaning, width: 2.5)
      for point in points {
        if let point { canvas.disc(at: point, radius: 4, line.meaning, rim: .background, rimWidth: 1) }
      }
    }
  }
}

/// How many subjects a gate on a metric would need: its outcomes with a loss and without one, for more or fewer
/// subjects.
///
/// `bench power` and `bench draw power` print and draw the same.
public struct PowerReport: Encodable, Sendable {
  public static let subjects = [5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200]

  public var suite: String
  /// The data of the values: `SYNTHETIC squat-sample`.
  public var source: String
  public var detector: String
  public var metric: String
  public var unit: String
  /// The accepted loss, in the metric's unit.
  public var margin: Double
  /// The true loss to be detected.
  public var loss: Double
  public var gatingMetrics: Int
  public var subjectsAtHand: Int
  /// The standard deviation of the gains drawn from.
  public var spread: Double
  /// Whether the gains are those of a change, or differences between people.
  public var isChange: Bool
  public var seed: UInt64
  public var whenLost: [PowerStudy.Shares]
  public var whenUnharmed: [PowerStudy.Shares]
  /// The fewest subjects for which the loss is detected, and for which a change without loss passes, four times in
  /// five; `nil` for more than `PowerStudy.mostSubjects`.
  public var subjectsToShow: Int?
  public var subjectsToPass: Int?

  /// - Parameters:
  ///   - source: The data of the values: `SYNTHETIC squat-sample`.
  ///   - gains: The gains of a change, by subject; `nil` for the differences between any two of the current values.
  ///   - loss: `nil` for the margin plus one standard deviation of the gains.
  /// - Throws: `EvaluationError.missing` if all gains are equal, `EvaluationError.usage` for a loss within the margin.
  public init(
    suite: String, source: String, metric: Metric, values: [Double], gains: [Double]? = nil, margin: Double,
    loss: Double? = nil, gatingMetrics: Int, seed: UInt64 = 1
  ) throws {
    let question = PowerQuestion(
      values: values, gains: gains, margin: margin, loss: loss, gatingMetrics: gatingMetrics)
    guard let question else {
      throw EvaluationError.missing(
        what: "metric \(metric.name) of \(metric.detector)",
        expected: gains == nil ? "values that differ between subjects" : "gains that differ between subjects",
        found: "\((gains ?? values).count) subjects, all equal")
    }
    let (study, loss) = (question.study, question.loss)
    guard loss > margin else {
      throw EvaluationError.usage("--loss \(loss): expected more than the margin of \(margin), which is accepted")
    }
    (self.suite, self.source) = (suite, source)
    (detector, self.metric, unit) = (metric.detector, metric.name, metric.unit)
    (self.margin, self.loss, self.gatingMetrics, self.seed) = (margin, loss, gatingMetrics, seed)
    (subjectsAtHand, spread, isChange) = (values.count, study.spread, gains != nil)
    whenLost = Self.subjects.map { study.shares(loss: loss, subjects: $0, seed: seed) }
    whenUnharmed = Self.subjects.map { study.shares(loss: 0, subjects: $0, seed: seed) }
    subjectsToShow = question.subjectsToShow(seed: seed)
    subjectsToPass = question.subjectsToPass(seed: seed)
  }

  public struct Metric: Sendable {
    public var detector: String
    public var name: String
    public var unit: String

    public init(detector: String, name: String, unit: String) {
      (self.detector, self.name, self.unit) = (detector, name, unit)
    }
  }

  /// `count.mae of squat-states: a loss of 1.186 reps at margin 0.2`
  public var title: String {
    "\(metric) of \(detector): a loss of \(NumberText.quantity(loss, unit: unit)) at margin \(NumberText.plain(margin))"
  }

  /// The source of the gains.
  public var origin: String {
    (isChange ? "gains of this change" : "differences between subjects")
      + ", standard deviation \(NumberText.value(spread, unit: unit)), \(subjectsAtHand) subjects at hand"
  }

  public var chart: any Chart {
    func estimates(_ shares: [PowerStudy.Shares], _ share: KeyPath<PowerStudy.Shares, Double>) -> [Estimate] {
      shares.map { Estimate(SimulatedShare($0[keyPath: share], of: PowerStudy.simulations)) }
    }
    return PowerCurve(
      title: "Power of \(title)",
      source: "\(source) · \(origin) · \(PowerStudy.simulations) simulated releases each",
      subjects: whenLost.map(\.subjects),
      series: [
        PowerCurve.Series("detects the loss", .worse, chances: estimates(whenLost, \.regression)),
        PowerCurve.Series("passes a change without a loss", .better, chances: estimates(whenUnharmed, \.pass)),
      ])
  }
}

extension ChartRecipe {
  static let power = ChartRecipe(
    "power", "Chance to detect a loss, by number of subjects.",
    needs: "a run; --metric (default: the first that gates); --detector", takes: [.run, .detector, .metric]
  ) { context in
    let run = try context.storedRun()
    let gating = run.results.metrics.filter { $0.margin != nil }
    let wanted = gating.first {
      (context.metric ?? $0.metric) == $0.metric && (context.detector ?? $0.detector) == $0.detector
    }
    guard let metric = wanted, let margin = metric.margin else {
      let names = [context.metric, context.detector].compactMap(\.self).joined(separator: " of ")
      throw EvaluationError.missing(
        what: names.isEmpty ? "run \(run.id)" : names, expected: "a metric that gates",
        found: gating.isEmpty ? "none" : gating.map { "\($0.metric) of \($0.detector)" }.joined(separator: ", "))
    }
    let report = try PowerReport(
      suite: run.results.suite, source: run.results.datasets.sources,
      metric: PowerReport.Metric(detector: metric.detector, name: metric.metric, unit: metric.unit),
      values: metric.sample, margin: margin,
      gatingMetrics: gating.count)
    return [Picture(report.chart, metadata: run.metadata)]
  }
}
