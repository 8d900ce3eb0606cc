import Statistics

/// The square plot of precision–recall and ROC curves: a line per classifier, its operating point with whiskers, and
/// the line of chance.
struct ThresholdPlot {
  /// A classifier's points, in drawing order.
  struct Line {
    var curve: ThresholdCurve
    var points: [(x: Double, y: Estimate?)]
    var operatingPoint: (x: Estimate, y: Estimate)?
  }

  /// The value of a classifier without skill, at both ends of the plot.
  struct Chance {
    var start: Double
    var end: Double
    var words: String
  }

  var xTitle: String
  var yTitle: String
  var lines: [Line]
  var remarks: [String]
  /// The text for a plot without points.
  var emptyNote: String
  var chance: Chance?
  /// The values at both ends of the vertical axis.
  var range = 0.0...1

  func bodyHeight(on page: Page) -> Double? { SquareLayout.height(on: page, side: side(chance)) }

  func draw(on canvas: Canvas, in area: Rect) {
    let layout = SquareLayout(
      x: Axis(LinearScale(0...1), edge: .bottom, title: xTitle),
      y: Axis(LinearScale(range), edge: .left, title: yTitle), in: area, on: canvas)
    let panel = layout.panel
    panel.drawAxes(on: canvas)
    if let chance, let start = panel.point(0, chance.start), let end = panel.point(1, chance.end) {
      canvas.line(from: start, to: end, .quiet, width: 1.5, dash: [6, 4])
    }
    for line in lines { panel.drawBand(through: line.points, on: canvas) }
    for line in lines {
      let points = line.points.map { point in point.y.flatMap { panel.point(point.x, $0.value) } }
      canvas.clipped(to: panel.plot.inset(by: -3)) { canvas.path(points, line.curve.meaning, width: 2.5) }
      panel.avoid(line.points.map { (x: $0.x, y: $0.y.map { Estimate($0.value) }) }, on: canvas)
    }
    for line in lines { drawOperatingPoint(of: line, on: canvas, panel) }
    side(chance).draw(on: canvas, in: layout.side)
  }

  private func side(_ chance: Chance?) -> SideColumn {
    var side = SideColumn()
    side.legend(entries + (chance.map { [LegendEntry(.dashedLine(.quiet), $0.words)] } ?? []))
    for remark in remarks { side.paragraph(remark) }
    if !lines.contains(where: { line in line.points.contains { $0.y?.value.isFinite == true } }) {
      side.paragraph(emptyNote)
    }
    return side
  }

  private func drawOperatingPoint(of line: Line, on canvas: Canvas, _ panel: Panel) {
    guard let operatingPoint = line.operatingPoint,
      let point = panel.point(operatingPoint.x.value, operatingPoint.y.value)
    else { return }
    panel.drawWhisker(at: operatingPoint.x.value, operatingPoint.y, on: canvas, line.curve.meaning)
    panel.drawWhisker(operatingPoint.x, at: operatingPoint.y.value, on: canvas, line.curve.meaning)
    if let level = operatingPoint.x.interval, let low = panel.point(level.lowerBound, operatingPoint.y.value),
      let high = panel.point(level.upperBound, operatingPoint.y.value)
    {
      canvas.avoid(Rect(left: low.x, top: low.y - 6, right: high.x, bottom: high.y + 6))
    }
    if let level = operatingPoint.y.interval, let low = panel.point(operatingPoint.x.value, level.lowerBound),
      let high = panel.point(operatingPoint.x.value, level.upperBound)
    {
      canvas.avoid(Rect(left: low.x - 6, top: high.y, right: high.x + 6, bottom: low.y))
    }
    canvas.disc(at: point, radius: 8, line.curve.meaning, rim: .background)
    let threshold = line.curve.operatingPoint?.threshold ?? .nan
    guard threshold.isFinite else { return }
    canvas.label(
      "threshold \(NumberText.plain(threshold, decimals: 3))",
      beside: Rect(x: point.x - 8, y: point.y - 8, width: 16, height: 16), .note, within: panel.plot)
  }

  private var entries: [LegendEntry] {
    var entries = lines.map { LegendEntry(.line($0.curve.meaning), $0.curve.name) }
    if lines.contains(where: { line in line.points.contains { $0.y?.interval != nil } }) {
      entries.append(LegendEntry(.shade(.uncertain), "95 % interval"))
    }
    if let first = lines.first(where: { $0.operatingPoint != nil }) {
      entries.append(LegendEntry(.disc(first.curve.meaning), "operating point"))
    }
    return entries
  }
}

/// The data of a precision–recall or ROC curve: classifiers at each of their thresholds, on positive and negative
/// items.
public struct Classification: Hashable, Sendable {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detected class.
  public var source: String
  public var curves: [ThresholdCurve]
  /// The kind of item, in the singular.
  public var kind: String
  /// The numbers of positive and of negative items.
  public var positives: Int
  public var negatives: Int
  public var subjects: Int?
  /// The area under the curve; `nil` if undefined.
  public var area: Estimate?
  /// Texts printed beside the plot: the area under the curve with its interval.
  public var remarks: [String]

  public init(
    topic: String, source: String, curves: [ThresholdCurve], kind: String = "rep", positives: Int, negatives: Int,
    subjects: Int? = nil, area: Estimate? = nil, remarks: [String] = []
  ) {
    self.area = area
    self.topic = topic
    self.source = source
    self.curves = curves
    self.kind = kind
    self.positives = max(0, positives)
    self.negatives = max(0, negatives)
    self.subjects = subjects
    self.remarks = remarks
  }

  /// The share of positive items; `nil` without items.
  var positiveShare: Double? {
    positives + negatives > 0 ? Double(positives) / Double(positives + negatives) : nil
  }

  /// Whether the area is above chance: `The score may be no better than chance: area 0.61, chance 0.50`
  func title(_ measure: String, chance: Double?) -> String {
    let words = { NumberText.fixed($0, decimals: 2) }
    guard let area, area.value.isFinite, let chance else {
      return positives == 0 || negatives == 0
        ? "Only one class: \(positives) positive, \(negatives) negative" : topic
    }
    let numbers = "\(measure) \(words(area.value)), chance \(words(chance))"
    guard let interval = area.interval else {
      return "\(measure.capitalizedFirst) \(words(area.value)), chance \(words(chance))"
    }
    if interval.lowerBound > chance { return "The score is better than chance: \(numbers)" }
    return interval.upperBound < chance
      ? "The score is worse than chance: \(numbers)" : "The score may be no better than chance: \(numbers)"
  }

  var subtitle: String {
    [topic, source, NumberText.size(kind, positives + negatives, subjects: subjects), "\(positives) positive"]
      .joined(separator: " · ")
  }
}

/// A classifier at each of its thresholds, and at its operating point.
public struct ThresholdCurve: Hashable, Sendable {
  public var name: String
  public var meaning: SemanticColor
  /// The rates at each threshold, in any order.
  public var rates: [ThresholdRates]
  /// The threshold in use; `nil` if none is chosen.
  public var operatingPoint: ThresholdRates?

  public init(
    name: String, meaning: SemanticColor = .prediction, rates: [ThresholdRates], operatingPoint: ThresholdRates? = nil
  ) {
    self.name = name
    self.meaning = meaning
    self.rates = rates
    self.operatingPoint = operatingPoint
  }
}

/// A classifier's rates at one threshold, with intervals if known. All from 0 to 1; NaN if undefined.
public struct ThresholdRates: Hashable, Sendable {
  public var threshold: Double
  /// The detected share of the positives: the true positive rate.
  public var recall: Estimate
  /// The positive share of the detections.
  public var precision: Estimate
  /// The detected share of the negatives.
  public var falsePositiveRate: Estimate

  public init(
    threshold: Double, recall: Estimate, precision: Estimate = Estimate(.nan),
    falsePositiveRate: Estimate = Estimate(.nan)
  ) {
    self.threshold = threshold
    self.recall = recall
    self.precision = precision
    self.falsePositiveRate = falsePositiveRate
  }
}
