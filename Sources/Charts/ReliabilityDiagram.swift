import Evaluation
import Pipeline
import Statistics

/// Whether a stated confidence is reliable: how often a classifier is right, with its interval, for each level of
/// confidence; and below, how often it stated that level.
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

    var isComplete: Bool { stated.isFinite && observed.value.isFinite && count > 0 }
  }

  public var title: String
  /// Dataset, its origin and the classifier.
  public var source: String
  /// The subject of the confidences, in the singular.
  public var kind: String
  public var bins: [Bin]
  public var subjects: Int?
  /// Results to print beside the plot, worded by the caller: calibration error, Brier score, with their intervals.
  public var remarks: [String]

  public init(
    title: String = "Reliability of the confidence", source: String, kind: String = "rep", bins: [Bin],
    subjects: Int? = nil, remarks: [String] = []
  ) {
    self.title = title
    self.source = source
    self.kind = kind
    self.bins = bins
    self.subjects = subjects
    self.remarks = remarks
  }

  public var subtitle: String {
    let count = bins.reduce(0) { $0 + max(0, $1.count) }
    return [source, NumberText.size(kind, count, subjects: subjects), NumberText.count(bins.count, "bin")]
      .joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      [.init("stated", .fixed(3))], .estimate("observed", .fixed(3)), ["\(kind)s"],
      rows: ordered.map { ChartTable.row([.number($0.stated)], $0.observed.cells(), [.count($0.count)]) })
  }

  private let histogramHeight = 96.0
  private var ordered: [Bin] { bins.sorted { $0.stated < $1.stated || $1.stated.isNaN && !$0.stated.isNaN } }

  public func bodyHeight(on page: Page) -> Double? { SquareLayout.height(on: page, side: side) }

  public func draw(on canvas: Canvas, in area: Rect) {
    let shown = ordered.filter(\.isComplete)
    let unit = LinearScale(0...1)
    // With room for half a bar beyond both ends.
    let wide = LinearScale(-0.03...1.03)
    let x = Axis(wide, edge: .bottom, title: "stated confidence")
    let layout = SquareLayout(
      x: x, y: Axis(unit, edge: .left, title: "share that is right"), in: area, on: canvas)
    let full = layout.panel
    let upper = Rect(
      left: full.plot.left, top: full.plot.top, right: full.plot.right, bottom: full.plot.bottom - histogramHeight - 14)
    let lower = Rect(
      left: full.plot.left, top: upper.bottom + 14, right: full.plot.right, bottom: full.plot.bottom)
    let panel = Panel(x: Axis(wide, edge: .bottom), y: full.y, plot: upper)
    let most = shown.map(\.count).max() ?? 1
    let counts = Panel(x: x, y: Axis(LinearScale(0...Double(most), isWhole: true), edge: .left), plot: lower)
    // The grid runs through both; its labels are below the lower one.
    x.draw(on: canvas, around: full.plot)
    canvas.fill(Rect(left: upper.left - 1, top: upper.bottom, right: upper.right + 1, bottom: lower.top), .background)
    panel.y.draw(on: canvas, around: upper)
    counts.y.draw(on: canvas, around: lower)
    panel.drawIdentity(on: canvas, over: 0...1)
    for bin in shown { panel.drawWhisker(at: bin.stated, bin.observed, on: canvas) }
    canvas.clipped(to: upper.inset(by: -8)) {
      canvas.path(shown.map { panel.point($0.stated, $0.observed.value) }, .prediction, width: 2)
      for bin in shown {
        guard let point = panel.point(bin.stated, bin.observed.value) else { continue }
        canvas.disc(at: point, radius: 6, .prediction, rim: .background)
      }
    }
    for bin in shown {
      guard let top = counts.point(bin.stated, Double(bin.count)), top.x >= lower.left, top.x <= lower.right else {
        continue
      }
      canvas.fill(Rect(left: top.x - 8, top: top.y, right: top.x + 8, bottom: lower.bottom), .neutral)
    }
    side.draw(on: canvas, in: layout.side)
  }

  private var side: SideColumn {
    var side = SideColumn()
    var entries = [
      LegendEntry(.line(.truth), "right as often as stated"), LegendEntry(.disc(.prediction), "one bin"),
      LegendEntry(.bar(.neutral), "\(kind)s in the bin"),
    ]
    if bins.contains(where: { $0.observed.interval != nil }) {
      entries.insert(LegendEntry(.line(.uncertain), "95 % interval"), at: 2)
    }
    side.legend(entries)
    side.paragraph("Below the line: overconfident.", .note)
    side.space(14)
    for remark in remarks { side.paragraph(remark) }
    if !bins.contains(where: \.isComplete) { side.paragraph("No \(kind) has a confidence.") }
    return side
  }
}

extension ChartRecipe {
  static let reliability = ChartRecipe(
    "reliability", "Calibration of scores: is a score of 80 right for 80 % of the reps?",
    needs: "a run with scores of 0 to 100 and faults labelled by people; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let (detector, curve) = try context.faults(run.results)
    guard !curve.bins.isEmpty else {
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "grades of 0 to 100, to read as a chance", found: "others")
    }
    let chart = ReliabilityDiagram(
      title: "Calibration of \(detector)'s scores", source: run.results.source(detector),
      bins: curve.bins.map { .init(stated: $0.stated, observed: Estimate($0.sound), count: $0.count) },
      subjects: curve.subjects,
      remarks: curve.calibrationError.map {
        [
          "calibration error \(NumberText.value($0.value, unit: "")) "
            + (NumberText.interval($0.interval, unit: "").map { "(95 % \($0))" } ?? "(no interval)")
        ]
      } ?? [])
    return [Picture(chart, metadata: run.metadata)]
  }
}
