import Evaluation
import Pipeline
import Scoring
import Statistics

/// The probability of each outcome by the number of subjects, for planning how many subjects to record.
public struct PowerCurve: Chart {
  /// One line of the chart.
  public struct Series: Hashable, Sendable {
    public var name: String
    public var meaning: SemanticColor
    /// Probabilities from 0 to 1, one per number of subjects, with intervals of the simulation error.
    public var chances: [Estimate]

    public init(_ name: String, _ meaning: SemanticColor, chances: [Estimate]) {
      self.name = name
      self.meaning = meaning
      self.chances = chances
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The data of the simulation.
  public var source: String
  public var subjects: [Int]
  public var series: [Series]
  /// The probability to reach, 0 to 1.
  public var goal: Double
  /// The finding; `nil` for the smallest number of subjects with which the first line reaches the goal.
  public var finding: String?

  public init(
    topic: String, source: String, subjects: [Int], series: [Series], goal: Double = 0.8, finding: String? = nil
  ) {
    self.finding = finding
    self.topic = topic
    self.source = source
    self.subjects = subjects
    self.series = series
    self.goal = goal
  }

  public var title: String {
    if let finding { return finding }
    guard let line = series.first, let most = subjects.max() else { return "Nothing was simulated" }
    let goal = "\(NumberText.plain(goal * 100, decimals: 2)) %"
    let enough = zip(subjects, line.chances).filter { $0.1.value >= self.goal }.min { $0.0 < $1.0 }
    return enough.map { people, chance in
      "With \(NumberText.count(people, "person")) the gate \(line.name) in "
        + "\(NumberText.fixed(100 * chance.value, decimals: 0)) % of cases"
    }
      ?? "Even with \(NumberText.count(most, "person")) the gate \(line.name) in less than \(goal) of cases"
  }

  public var subtitle: String { "\(topic) · \(source)" }

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
    // Lines differ by their marks too, for print in grey.
    let entries = series.enumerated().map { index, line in
      LegendEntry(index.isMultiple(of: 2) ? .disc(line.meaning) : .ring(line.meaning), line.name)
    }
    let hasIntervals = series.contains { $0.chances.contains { $0.interval != nil } }
    let bottom = Legend(
      entries + (hasIntervals ? [LegendEntry(.shade(.uncertain), "95 % interval")] : [])
        + [LegendEntry(.dashedLine(.quiet), "\(NumberText.plain(goal * 100, decimals: 2)) %")]
    ).drawRow(on: canvas, in: area)
    let panel = Panel(
      x: Axis(LinearScale(covering: [0] + subjects.map(Double.init), isWhole: true), edge: .bottom, title: "people"),
      y: Axis(PercentScale(), edge: .left, title: "share of simulated releases"),
      in: Rect(left: area.left, top: bottom + 12, right: area.right, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    panel.drawLevel(goal, on: canvas, .quiet, dash: [6, 4])
    panel.avoid([0, Double(subjects.max() ?? 0)].map { (x: $0, y: Estimate(goal)) }, on: canvas)
    for line in series {
      panel.drawBand(through: zip(subjects, line.chances).map { (x: Double($0), y: $1) }, on: canvas)
    }
    for (index, line) in series.enumerated() {
      let points = zip(subjects, line.chances).map { panel.point(Double($0), $1.value) }
      canvas.path(points, line.meaning, width: 2.5)
      for point in points.compactMap(\.self) {
        if index.isMultiple(of: 2) {
          canvas.disc(at: point, radius: 5, line.meaning, rim: .background, rimWidth: 1)
        } else {
          canvas.disc(at: point, radius: 4, .background, rim: line.meaning, rimWidth: 2)
        }
      }
      panel.avoid(zip(subjects, line.chances).map { (x: Double($0), y: Estimate($1.value)) }, on: canvas)
    }
    for line in series where finding == nil {
      guard let enough = zip(subjects, line.chances).first(where: { $0.1.value >= goal }),
        let point = panel.point(Double(enough.0), enough.1.value), let level = panel.point(Double(enough.0), goal)
      else { continue }
      // Just below the level a label has space, which it has not between the level and a mark near it.
      let bottom = level.y < point.y + 16 ? level.y + 2 : point.y + 5
      canvas.label(
        "\(NumberText.fixed(100 * enough.1.value, decimals: 0)) % with \(NumberText.count(enough.0, "person"))",
        beside: Rect(left: point.x - 5, top: point.y - 5, right: point.x + 5, bottom: max(bottom, point.y + 5)), .note,
        within: panel.plot)
    }
  }
}

/// Shares from 0 to 1, labelled in per cent.
struct PercentScale: Scale {
  private let scale = LinearScale(0...1)

  func fraction(of value: Double) -> Double? { scale.fraction(of: value) }

  func ticks(atMost limit: Int) -> [Tick] {
    scale.ticks(atMost: limit).map {
      Tick(value: $0.value, label: "\(NumberText.plain(100 * $0.value, decimals: 2)) %")
    }
  }
}

/// The number of subjects that a gate on a metric needs, from simulated outcomes with and without a loss for each
/// number of subjects.
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
  /// The standard deviation of the resampled gains.
  public var spread: Double
  /// Whether the gains are from a change; otherwise they are differences between people.
  public var isChange: Bool
  public var seed: UInt64
  public var whenLost: [PowerStudy.Shares]
  public var whenUnharmed: [PowerStudy.Shares]
  /// The smallest numbers of subjects with which the loss is detected, and a change without loss passes, in 80 % of
  /// simulations; `nil` for more than `PowerStudy.mostSubjects`.
  public var subjectsToShow: Int?
  public var subjectsToPass: Int?
  /// Those with which a change without loss stops a release in at most one of ten simulations, and the loss in at least
  /// 19 of 20.
  public var subjectsToSpare: Int?
  public var subjectsToStop: Int?

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
        expected: "\(gains == nil ? "values" : "gains") that differ between people",
        found: (gains ?? values).isEmpty
          ? "nobody with a value" : "\(NumberText.count((gains ?? values).count, "person")), all equal")
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
    subjectsToSpare = study.subjectsToSpare(seed: seed)
    subjectsToStop = study.subjectsToStop(loss: loss, seed: seed)
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
    (isChange ? "gains of this change" : "differences between people")
      + ", standard deviation \(NumberText.value(spread, unit: unit)), \(NumberText.count(subjectsAtHand, "person")) at hand"
  }

  /// The required number of subjects: `15 subjects are needed to detect a loss of 0.390 in exact counts of squat-states
  /// four times in five; 12 at hand`
  public var finding: String {
    let needed =
      subjectsToShow.map { NumberText.count($0, "person") } ?? "More than \(PowerStudy.mostSubjects) people"
    return "\(needed) \(subjectsToShow == 1 ? "is" : "are") needed to detect a loss of "
      + "\(NumberText.quantity(loss, unit: unit)) in \(Scoring.Metric.plainName(of: metric)) of \(detector) four times in "
      + "five; \(subjectsAtHand) at hand"
  }

  public var chart: any Chart {
    func estimates(_ shares: [PowerStudy.Shares], _ share: KeyPath<PowerStudy.Shares, Double>) -> [Estimate] {
      shares.map { Estimate(SimulatedShare($0[keyPath: share], of: PowerStudy.simulations)) }
    }
    return PowerCurve(
      topic: "Power at margin \(NumberText.plain(margin))",
      source: "\(source) · \(origin) · \(PowerStudy.simulations) simulated releases each",
      subjects: whenLost.map(\.subjects),
      series: [
        PowerCurve.Series("detects the loss", .prediction, chances: estimates(whenLost, \.regression)),
        PowerCurve.Series("passes a change without a loss", .better, chances: estimates(whenUnharmed, \.pass)),
      ], finding: finding)
  }
}

extension ChartRecipe {
  static let power = ChartRecipe(
    "power", "Chance to detect a loss, by number of people.",
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
