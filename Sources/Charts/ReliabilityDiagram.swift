import Evaluation
import Pipeline
import Statistics

/// The observed share of right predictions at each level of a classifier's confidence, or of correct items at each
/// score, with its interval; below it the number of predictions at that level.
///
/// Predictions with a confidence of 0.8 should be right in 80 % of cases: a line shows this. A form score is not a
/// confidence and has no such line.
public struct ReliabilityDiagram: Chart {
  /// Predictions with about the same confidence.
  public struct Bin: Hashable, Sendable {
    /// The mean stated confidence, 0 to 1.
    public var stated: Double
    /// The correct share, 0 to 1.
    public var observed: Estimate
    public var count: Int

    public init(stated: Double, observed: Estimate, count: Int) {
      self.stated = stated
      self.observed = observed
      self.count = count
    }

    /// The smallest number of items for a filled mark.
    static let least = 10
    var isSmall: Bool { count < Self.least }
    var isComplete: Bool { stated.isFinite && observed.value.isFinite && count > 0 }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the classifier.
  public var source: String
  /// The kind of item, in the singular.
  public var kind: String
  public var bins: [Bin]
  public var subjects: Int?
  /// Whether the levels are stated confidences; otherwise they are scores, drawn from 0 to 100 points.
  public var isConfidence: Bool
  /// Texts printed beside the plot: calibration error, Brier score, with their intervals.
  public var remarks: [String]

  public init(
    topic: String = "Reliability of the confidence", source: String, kind: String = "rep", bins: [Bin],
    subjects: Int? = nil, isConfidence: Bool = true, remarks: [String] = []
  ) {
    self.isConfidence = isConfidence
    self.topic = topic
    self.source = source
    self.kind = kind
    self.bins = bins
    self.subjects = subjects
    self.remarks = remarks
  }

  /// `Overconfident: 0.80 stated, 0.62 right`, or `Correct: 58 % of reps scored 80 or more, 43 % of those below`.
  public var title: String {
    let shown = ordered.filter(\.isComplete)
    func mean(_ bins: some Collection<Bin>, _ value: (Bin) -> Double) -> Double {
      bins.reduce(0) { $0 + value($1) * Double($1.count) } / Double(max(1, bins.reduce(0) { $0 + $1.count }))
    }
    guard !shown.isEmpty else { return "No \(kind) has a \(isConfidence ? "confidence" : "score")" }
    if isConfidence {
      let (stated, right) = (mean(shown, \.stated), mean(shown, \.observed.value))
      let numbers = "\(NumberText.fixed(stated, decimals: 2)) stated, \(NumberText.fixed(right, decimals: 2)) right"
      // Half a bin of the usual ten.
      return abs(stated - right) <= 0.05
        ? "Well calibrated: \(numbers)" : "\(stated > right ? "Over" : "Under")confident: \(numbers)"
    }
    func percent(_ share: Double) -> String { "\(NumberText.fixed(100 * share, decimals: 0)) %" }
    // The first bin of the better scored half.
    let half = shown.reduce(0) { $0 + $1.count } / 2
    var below = 0
    let split = shown.firstIndex { bin in
      below += bin.count
      return below > half
    }
    guard shown.count > 1, let split = split.map({ max(1, $0) }) else {
      return "Correct: \(percent(mean(shown, \.observed.value))) of \(kind)s, all scored about alike"
    }
    return "Correct: \(percent(mean(shown[split...], \.observed.value))) of \(kind)s scored about "
      + "\(NumberText.fixed(100 * shown[split].stated, decimals: 0)) or more, "
      + "\(percent(mean(shown[..<split], \.observed.value))) of those below"
  }

  public var subtitle: String {
    let count = bins.reduce(0) { $0 + max(0, $1.count) }
    return [topic, source, NumberText.size(kind, count, subjects: subjects), NumberText.count(bins.count, "bin")]
      .joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init(isConfidence ? "stated" : "score / 100", .fixed(3))], .estimate("observed", .fixed(3)), ["\(kind)s"],
      rows: ordered.map { ChartTable.row([.number($0.stated)], $0.observed.cells(), [.count($0.count)]) })
  }

  private let histogramHeight = 96.0
  private var ordered: [Bin] { bins.sorted { $0.stated < $1.stated || $1.stated.isNaN && !$0.stated.isNaN } }

  public func bodyHeight(on page: Page) -> Double? { SquareLayout.height(on: page, side: side) }

  public func draw(on canvas: Canvas, in area: Rect) {
    let shown = ordered.filter(\.isComplete)
    let unit = LinearScale(0...1)
    let most = isConfidence ? 1.0 : 100
    // With space for half a bar beyond both ends.
    let wide = LinearScale(-0.03 * most...1.03 * most)
    let x = Axis(wide, edge: .bottom, title: isConfidence ? "stated confidence" : "score (points)")
    let layout = SquareLayout(
      x: x, y: Axis(unit, edge: .left, title: isConfidence ? "share that is right" : "share of correct \(kind)s"),
      in: area, on: canvas)
    let full = layout.panel
    let upper = Rect(
      left: full.plot.left, top: full.plot.top, right: full.plot.right, bottom: full.plot.bottom - histogramHeight - 14)
    let lower = Rect(
      left: full.plot.left, top: upper.bottom + 14, right: full.plot.right, bottom: full.plot.bottom)
    let panel = Panel(x: Axis(wide, edge: .bottom), y: full.y, plot: upper)
    let highest = shown.map(\.count).max() ?? 1
    let counts = Panel(x: x, y: Axis(LinearScale(0...Double(highest), isWhole: true), edge: .left), plot: lower)
    // The grid crosses both plots; its labels are below the lower one.
    x.draw(on: canvas, around: full.plot)
    canvas.fill(Rect(left: upper.left - 1, top: upper.bottom, right: upper.right + 1, bottom: lower.top), .background)
    panel.y.draw(on: canvas, around: upper)
    counts.y.draw(on: canvas, around: lower)
    if isConfidence { panel.drawIdentity(on: canvas, over: 0...1) }
    for bin in shown { panel.drawWhisker(at: most * bin.stated, bin.observed, on: canvas) }
    canvas.clipped(to: upper.inset(by: -8)) {
      for bin in shown {
        guard let point = panel.point(most * bin.stated, bin.observed.value) else { continue }
        if bin.isSmall {
          canvas.disc(at: point, radius: 6, .background, rim: .prediction, rimWidth: 2.5)
        } else {
          canvas.disc(at: point, radius: 7, .prediction, rim: .background)
        }
      }
    }
    for bin in shown {
      guard let top = counts.point(most * bin.stated, Double(bin.count)), top.x >= lower.left, top.x <= lower.right
      else {
        continue
      }
      canvas.fill(Rect(left: top.x - 8, top: top.y, right: top.x + 8, bottom: lower.bottom), .neutral)
    }
    side.draw(on: canvas, in: layout.side)
  }

  private var side: SideColumn {
    var side = SideColumn()
    let shown = bins.filter(\.isComplete)
    let candidates = [
      (isConfidence, LegendEntry(.line(.truth), "perfect calibration")),
      (shown.contains { !$0.isSmall }, LegendEntry(.disc(.prediction), "\(kind)s around this level")),
      (shown.contains(where: \.isSmall), LegendEntry(.ring(.prediction), "fewer than \(Bin.least) \(kind)s")),
      (shown.contains { $0.observed.interval != nil }, LegendEntry(.line(.uncertain), "95 % interval")),
      (!shown.isEmpty, LegendEntry(.bar(.neutral), "number of \(kind)s")),
    ]
    side.legend(candidates.filter(\.0).map(\.1))
    side.paragraph(
      isConfidence
        ? "Below the line: overconfident."
        : "A score is not a probability: 80 points need not mean 80 % correct. Higher scores should be correct more "
          + "often.", .note)
    side.space(14)
    for remark in remarks { side.paragraph(remark) }
    if !bins.contains(where: \.isComplete) { side.paragraph("No \(kind) has a confidence.") }
    return side
  }
}

extension ChartRecipe {
  static let reliability = ChartRecipe(
    "reliability", "How often reps are correct at each score.",
    needs: "a run with scores of 0 to 100 and labelled faults; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let (detector, curve) = try context.faults(run.results)
    guard !curve.bins.isEmpty else {
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "scores of 0 to 100", found: "scores outside this range")
    }
    let chart = ReliabilityDiagram(
      topic: "Correct reps by their score", source: run.results.judgedSource(detector),
      bins: curve.bins.map { .init(stated: $0.stated, observed: Estimate($0.sound), count: $0.count) },
      subjects: curve.subjects, isConfidence: false)
    return [Picture(chart, metadata: run.metadata)]
  }
}
