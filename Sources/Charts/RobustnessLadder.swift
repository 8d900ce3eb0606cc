import Evaluation
import Pipeline
import Scoring
import Statistics

/// A metric under a perturbation of growing strength: each step with its interval, the recorded value and the accepted
/// loss.
public struct RobustnessLadder: Chart {
  public struct Step: Hashable, Sendable {
    /// The strength of the perturbation; 0 for none.
    public var strength: Double
    public var score: Estimate
    /// The perturbation as text; `nil` for its strength.
    public var text: String?

    public init(strength: Double, score: Estimate, text: String? = nil) {
      (self.strength, self.score, self.text) = (strength, score, text)
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The perturbation, with the unit of its strength.
  public var perturbation: String
  /// The metric with its unit and its better direction.
  public var metric: String
  /// Of the metric; empty for a share.
  public var unit: String
  public var isHigherBetter: Bool
  /// The steps in any order.
  public var steps: [Step]
  /// The recorded value; `nil` for the value at strength 0.
  public var baseline: Double?
  /// The largest harmless loss, at least 0; `nil` for none.
  public var margin: Double?
  /// Further values that the axis covers, for charts on one scale.
  public var shared: [Double]
  /// A sentence below the plot on why a perturbation helps; empty for none.
  public var remark: String
  public var clips: Int
  public var subjects: Int?

  public init(
    topic: String, source: String, perturbation: String, metric: String, unit: String = "", isHigherBetter: Bool,
    steps: [Step],
    baseline: Double? = nil, margin: Double? = nil, shared: [Double] = [], remark: String = "", clips: Int,
    subjects: Int? = nil
  ) {
    (self.shared, self.remark) = (shared, remark)
    self.topic = topic
    self.source = source
    self.perturbation = perturbation
    self.metric = metric
    self.unit = unit
    self.isHigherBetter = isHigherBetter
    self.steps = steps
    self.baseline = baseline
    self.margin = margin
    self.clips = clips
    self.subjects = subjects
  }

  /// `Exact counts: 0.61 → 0.33 at dropout 40%; beyond the margin from dropout 20%`; of too few people only how many there
  /// are.
  public var title: String {
    if let few = NumberText.tooFew(subjects, "clip", clips) { return few }
    let disturbed = ordered.filter { $0.score.value.isFinite && $0.strength != 0 }
    guard let last = disturbed.last, let reference else { return "No step has a value to compare" }
    let values = [reference, last.score.value].map(words)
    let gain = (last.score.value - reference) * (isHigherBetter ? 1 : -1)
    let lost = disturbed.filter { isTooFar($0) == true }
    let doubtful = disturbed.filter { isTooFar($0) == false && isWithin($0) == false }
    let clearly = doubtful.isEmpty ? "" : "clearly "
    // From where on every stronger step loses more than the margin.
    let from = disturbed.reversed().prefix { isTooFar($0) == true }.count
    let all = lost.enumerated().map { $0 == 0 ? words($1) : strength($1) }.joined(separator: ", ")
    let verdict =
      if let first = lost.first {
        if from == 0 {
          ", but \(clearly)beyond the margin at \(all)"
        } else if lost.count == 1 {
          "; \(clearly)beyond the margin only there"
        } else {
          "; \(clearly)beyond the margin \(from == lost.count ? "from \(words(first))" : "at \(all)")"
        }
      } else if let first = doubtful.first {
        "; beyond the margin at \(words(first))\(doubtful.count > 1 ? " and \(doubtful.count - 1) more" : ""), which may be chance"
      } else if gain > 0 {
        ", better than as recorded"
      } else {
        limit == nil ? "" : ", within the margin"
      }
    return
      "\(metric.metricName.capitalizedFirst): \(values.joined(separator: " → "))\(unit.isEmpty ? "" : " \(unit)") at \(words(last))\(verdict)"
  }

  private func words(_ value: Double) -> String {
    unit.isEmpty ? NumberText.fixed(value, decimals: 2) : NumberText.value(value, unit: unit)
  }

  /// `dropout 40%`
  private func words(_ step: Step) -> String {
    step.text?.replacing("=", with: " ") ?? NumberText.significant(step.strength)
  }

  /// `40%`
  private func strength(_ step: Step) -> String {
    step.text?.split(separator: "=").last.map(String.init) ?? NumberText.significant(step.strength)
  }

  public var subtitle: String {
    let missing = steps.count { !$0.score.value.isFinite }
    return [
      topic, source, NumberText.size("clip", clips, subjects: subjects), NumberText.count(steps.count, "step"),
      missing > 0 ? "\(missing) without a value" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init(perturbation, .upTo(4))], .estimate(metric, .fixed(3)), ["within the margin"],
      rows: ordered.map { step in
        let isWithin = isWithin(step)
        let verdict: ChartTable.Cell =
          isWithin == nil ? .undefined : isWithin == true ? "yes" : isTooFar(step) == true ? "no" : "may be chance"
        return ChartTable.row([.number(step.strength)], step.score.cells(), [verdict])
      })
  }

  /// All values that the axis covers.
  private var values: [Double] { ordered.flatMap(\.score.values) + [reference, limit].compactMap { $0 } }

  private var ordered: [Step] {
    steps.filter(\.strength.isFinite).sorted { $0.strength < $1.strength }
  }

  private var reference: Double? {
    let value = baseline ?? steps.first { $0.strength == 0 }?.score.value
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The worst accepted value.
  private var limit: Double? {
    guard let reference, let margin, margin.isFinite, margin >= 0 else { return nil }
    return isHigherBetter ? reference - margin : reference + margin
  }

  /// Whether a step loses at most the margin; `nil` if unknown.
  private func isWithin(_ step: Step) -> Bool? {
    guard let limit, step.score.value.isFinite else { return nil }
    return isHigherBetter ? step.score.value >= limit : step.score.value <= limit
  }

  /// Whether a step loses more than the margin at both bounds of its interval, if it has one; `nil` if unknown.
  ///
  /// Conservative, as the interval is that of the value, not of its difference from the recorded one.
  private func isTooFar(_ step: Step) -> Bool? {
    guard let limit, let isWithin = isWithin(step) else { return nil }
    guard !isWithin, let interval = step.score.interval else { return !isWithin }
    return isHigherBetter ? interval.upperBound <= limit : interval.lowerBound >= limit
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let scores = ordered.map(\.score)
    let strengths = ordered.map(\.strength)
    let (low, high) = (strengths.min() ?? 0, strengths.max() ?? 1)
    let room = (high - low) * 0.04
    let note = remark.isEmpty ? 0 : Footnote(remark).height(ofWidth: area.width)
    let panel = Panel(
      x: Axis(
        LinearScale((low - room)...(high + room), isWhole: steps.allSatisfy { $0.strength == $0.strength.rounded() }),
        edge: .bottom, title: perturbation),
      y: Axis(
        LinearScale(covering: shared + values), edge: .left, title: metric),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom - note), on: canvas)
    panel.drawAxes(on: canvas)
    // After the grid, which may lie on its edge.
    drawMargin(on: canvas, panel)
    if let reference { panel.drawLevel(reference, on: canvas, .ink, dash: [6, 4]) }
    for step in ordered { panel.drawWhisker(at: step.strength, step.score, on: canvas) }
    canvas.path(ordered.map { panel.point($0.strength, $0.score.value) }, .prediction, width: 2.5)
    for step in ordered {
      guard let point = panel.point(step.strength, step.score.value) else { continue }
      let isTooFar = isTooFar(step) == true
      canvas.mark(
        isTooFar ? .square : .disc, at: point, radius: 7, isTooFar ? .worse : .prediction, rimWidth: 1.5)
    }
    if !remark.isEmpty { Footnote(remark).draw(on: canvas, in: area) }
    if !scores.contains(where: \.value.isFinite) {
      canvas.text("No step has a value.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  private func drawMargin(on canvas: Canvas, _ panel: Panel) {
    guard let reference, let limit, let one = panel.y.position(of: reference, in: panel.plot),
      let other = panel.y.position(of: limit, in: panel.plot)
    else { return }
    canvas.tolerance(
      Rect(left: panel.plot.left, top: min(one, other), right: panel.plot.right, bottom: max(one, other)))
  }

  private var entries: [LegendEntry] {
    let isFar = ordered.contains { isTooFar($0) == true }
    let candidates = [
      (true, LegendEntry(.disc(.prediction), "perturbed")),
      (ordered.contains { $0.score.interval != nil }, LegendEntry(.line(.uncertain), "95 % interval")),
      (isFar, LegendEntry(.square(.worse), "loses more than the margin")),
      (
        reference != nil,
        LegendEntry(.dashedLine(.ink), "recorded: \(words(reference ?? .nan))")
      ),
      (limit != nil, LegendEntry(.tolerance, "margin")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}

extension ChartRecipe {
  static let robustness = ChartRecipe(
    "robustness", "Each detector's score as noise, dropped frames or other perturbations grow.",
    needs: "a run of --robustness; --detector; --metric", takes: [.run, .detector, .metric],
    inReport: { run in
      RobustnessLadder.first(of: run.results.robustness?.ladders ?? []).map { ladder in
        ReportPicture(
          file: "robustness-\(ladder.perturbation)-\(ladder.detector).png",
          heading: "\(ladder.detector) under \(ladder.perturbation)\(ladder.outlook ?? "")",
          chart: RobustnessLadder(ladder, of: run.results), part: .robustness, isAside: true)
      }
    }
  ) { context in
    let run = try context.storedRun { $0.robustness != nil }
    guard let robustness = run.results.robustness else {
      throw EvaluationError.missing(
        what: "run \(run.id)", expected: "scores under perturbations",
        found: "none; make them with: bench run --suite \(context.suite) --robustness")
    }
    let wanted = robustness.ladders.filter { ladder in
      (context.detector == nil || ladder.detector == context.detector)
        && (context.metric == nil || ladder.metric == context.metric)
    }
    guard !wanted.isEmpty else {
      let known = Set(robustness.ladders.map { "\($0.detector) \($0.metric)" }).sorted().joined(separator: ", ")
      throw EvaluationError.usage(
        "expected a detector and metric of the run's ladders (\(known)), found "
          + [context.detector, context.metric].compactMap(\.self).joined(separator: " "))
    }
    return RobustnessLadder.first(of: wanted).map { ladder in
      Picture(
        RobustnessLadder(ladder, of: run.results), part: "\(ladder.perturbation)-\(ladder.detector)",
        metadata: run.metadata)
    }
  }
}

extension RobustnessLadder {
  /// The first metric of each pair of perturbation and detector.
  static func first(of ladders: [Robustness.Ladder]) -> [Robustness.Ladder] {
    var shown: Set<String> = []
    return ladders.filter { shown.insert("\($0.perturbation) \($0.detector)").inserted }
  }

  init(_ ladder: Robustness.Ladder, of results: RunResults) {
    let alike = (results.robustness?.ladders ?? []).filter { $0.metric == ladder.metric }
    let better = ladder.direction == .higherIsBetter ? "higher is better" : "lower is better"
    let unit = ladder.unit.isEmpty ? "" : "\(ladder.unit), "
    let values = results.metric(ladder.detector, ladder.metric)?.bySubject ?? [:]
    let scored = results.showing { (values[$0.person] ?? nil) != nil }
    self.init(
      topic: "\(ladder.detector): \(Metric.plainName(of: ladder.metric)) under \(ladder.perturbation)",
      source: scored.datasets.sources,
      perturbation: ladder.axis, metric: "\(Metric.plainName(of: ladder.metric)) (\(unit)\(better))",
      unit: ladder.unit, isHigherBetter: ladder.direction == .higherIsBetter,
      steps: ladder.points, baseline: ladder.undisturbed.value, margin: ladder.margin,
      shared: alike.flatMap { $0.points.flatMap(\.score.values) }, remark: ladder.whyItHelps(results),
      clips: scored.clips.count, subjects: scored.subjectCount)
  }
}

extension Robustness.Ladder {
  /// The surviving share of the score, as the end of a heading; `nil` if unknown.
  fileprivate var outlook: String? {
    guard let survives, let last = steps.last else { return nil }
    return ": \(NumberText.fixed(survives * 100, decimals: 0)) % of \(metric) survives \(last.text)"
  }

  /// Why the score is better under the strongest perturbation than as recorded; empty if it is not.
  fileprivate func whyItHelps(_ results: RunResults) -> String {
    guard let before = undisturbed.value, let after = steps.last?.score.value,
      direction == .higherIsBetter ? after > before : after < before
    else { return "" }
    guard Metric.Topic(of: metric) == .count, let bias = results.metric(detector, "count.bias"), let error = bias.value,
      error != 0
    else {
      return "A better score under perturbation is not robustness. Look for a threshold that it helps to cross."
    }
    return
      "On the recorded poses it counts \(NumberText.quantity(abs(error), unit: bias.unit)) too "
      + "\(error < 0 ? "few" : "many") on average. A perturbation \(error < 0 ? "raises" : "lowers") all counts if the "
      + "signal crosses a threshold \(error < 0 ? "more" : "less") often. This gain is not robustness."
  }

  /// The steps, with the recorded value at 0, except for the time between frames, which is never 0.
  fileprivate var points: [RobustnessLadder.Step] {
    let recorded =
      perturbation == LowerFrameRate.profile.name
      ? [] : [RobustnessLadder.Step(strength: 0, score: Estimate(undisturbed))]
    return recorded
      + steps.map { RobustnessLadder.Step(strength: $0.strength, score: Estimate($0.score), text: $0.text) }
  }
}

extension Estimate {
  fileprivate init(_ score: Robustness.Score) {
    self.init(score.value ?? .nan, lower: score.low, upper: score.high)
  }
}
