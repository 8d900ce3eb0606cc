import Evaluation
import Pipeline
import Scoring
import Statistics

/// A metric under a perturbation of growing strength: each step with its interval, with the undisturbed value and the
/// accepted loss.
public struct RobustnessLadder: Chart {
  public struct Step: Hashable, Sendable {
    /// The strength of the perturbation; 0 is none.
    public var strength: Double
    public var score: Estimate

    public init(strength: Double, score: Estimate) {
      self.strength = strength
      self.score = score
    }
  }

  public var title: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The perturbation, with the unit of its strength.
  public var perturbation: String
  /// The metric with its unit and its better direction.
  public var metric: String
  public var isHigherBetter: Bool
  /// In any order.
  public var steps: [Step]
  /// The undisturbed value; `nil` takes the step of strength 0.
  public var baseline: Double?
  /// The accepted loss, at least 0; `nil` for none.
  public var margin: Double?
  public var clips: Int
  public var subjects: Int?

  public init(
    title: String, source: String, perturbation: String, metric: String, isHigherBetter: Bool, steps: [Step],
    baseline: Double? = nil, margin: Double? = nil, clips: Int, subjects: Int? = nil
  ) {
    self.title = title
    self.source = source
    self.perturbation = perturbation
    self.metric = metric
    self.isHigherBetter = isHigherBetter
    self.steps = steps
    self.baseline = baseline
    self.margin = margin
    self.clips = clips
    self.subjects = subjects
  }

  public var subtitle: String {
    let missing = steps.count { !$0.score.value.isFinite }
    return [
      source, NumberText.size("clip", clips, subjects: subjects), NumberText.count(steps.count, "step"),
      missing > 0 ? "\(missing) without a value" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init(perturbation, .upTo(4))], .estimate(metric, .fixed(3)), ["within the margin"],
      rows: ordered.map { step in
        let verdict: ChartTable.Cell = isTooFar(step).map { $0 ? "no" : "yes" } ?? .undefined
        return ChartTable.row([.number(step.strength)], step.score.cells(), [verdict])
      })
  }

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

  /// Whether a step loses more than is accepted; `nil` if unknown.
  private func isTooFar(_ step: Step) -> Bool? {
    guard let limit, step.score.value.isFinite else { return nil }
    return isHigherBetter ? step.score.value < limit : step.score.value > limit
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let scores = ordered.map(\.score)
    let strengths = ordered.map(\.strength)
    let (low, high) = (strengths.min() ?? 0, strengths.max() ?? 1)
    let room = (high - low) * 0.04
    let panel = Panel(
      x: Axis(
        LinearScale((low - room)...(high + room), isWhole: steps.allSatisfy { $0.strength == $0.strength.rounded() }),
        edge: .bottom, title: perturbation),
      y: Axis(
        LinearScale(covering: scores.flatMap(\.values) + [reference, limit].compactMap { $0 }), edge: .left,
        title: metric),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom), on: canvas)
    drawMargin(on: canvas, panel)
    panel.drawAxes(on: canvas)
    if let reference { panel.drawLevel(reference, on: canvas, .ink, dash: [6, 4]) }
    for step in ordered { panel.drawWhisker(at: step.strength, step.score, on: canvas) }
    canvas.path(ordered.map { panel.point($0.strength, $0.score.value) }, .prediction, width: 2.5)
    for step in ordered {
      guard let point = panel.point(step.strength, step.score.value) else { continue }
      let isTooFar = isTooFar(step) == true
      let mark = Rect(x: point.x - 7, y: point.y - 7, width: 14, height: 14)
      if isTooFar {
        canvas.fill(mark, .worse, radius: 1)
      } else {
        canvas.disc(at: point, radius: 7, .prediction, rim: .background)
      }
    }
    if !scores.contains(where: \.value.isFinite) {
      canvas.text("No step has a value.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  private func drawMargin(on canvas: Canvas, _ panel: Panel) {
    guard let reference, let limit, let one = panel.y.position(of: reference, in: panel.plot),
      let other = panel.y.position(of: limit, in: panel.plot)
    else { return }
    canvas.fill(
      Rect(left: panel.plot.left, top: min(one, other), right: panel.plot.right, bottom: max(one, other)), .tolerance)
  }

  private var entries: [LegendEntry] {
    let far = ordered.first { isTooFar($0) == true }.map { NumberText.significant($0.strength) }
    let candidates = [
      (true, LegendEntry(.disc(.prediction), "under the disturbance")),
      (ordered.contains { $0.score.interval != nil }, LegendEntry(.line(.uncertain), "95 % interval")),
      (far != nil, LegendEntry(.bar(.worse), "exceeds the accepted loss, first at \(far ?? "")")),
      (reference != nil, LegendEntry(.dashedLine(.ink), "undisturbed")),
      (limit != nil, LegendEntry(.area(.tolerance), "loss that is accepted")),
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
  /// For each perturbation and detector, its first metric among these.
  static func first(of ladders: [Robustness.Ladder]) -> [Robustness.Ladder] {
    var shown: Set<String> = []
    return ladders.filter { shown.insert("\($0.perturbation) \($0.detector)").inserted }
  }

  init(_ ladder: Robustness.Ladder, of results: RunResults) {
    let better = ladder.direction == .higherIsBetter ? "higher is better" : "lower is better"
    let unit = ladder.unit.isEmpty ? "" : "\(ladder.unit), "
    self.init(
      title: "\(ladder.detector): \(Metric.plainName(of: ladder.metric)) under \(ladder.perturbation)",
      source: results.datasets.sources,
      perturbation: ladder.axis, metric: "\(Metric.plainName(of: ladder.metric)) (\(unit)\(better))",
      isHigherBetter: ladder.direction == .higherIsBetter,
      steps: ladder.points, baseline: ladder.undisturbed.value, margin: ladder.margin,
      clips: results.clips.count, subjects: results.subjectCount)
  }
}

extension Robustness.Ladder {
  /// How much of the score survives, as the end of a heading; `nil` if unknown.
  fileprivate var outlook: String? {
    guard let survives, let last = steps.last else { return nil }
    return ": \(NumberText.fixed(survives * 100, decimals: 0)) % of \(metric) survives \(last.text)"
  }

  /// With the recorded value at 0, except for the time between frames, which is never 0.
  fileprivate var points: [RobustnessLadder.Step] {
    let recorded =
      perturbation == LowerFrameRate.profile.name
      ? [] : [RobustnessLadder.Step(strength: 0, score: Estimate(undisturbed))]
    return recorded + steps.map { RobustnessLadder.Step(strength: $0.strength, score: Estimate($0.score)) }
  }
}

extension Estimate {
  fileprivate init(_ score: Robustness.Score) {
    self.init(score.value ?? .nan, lower: score.low, upper: score.high)
  }
}
