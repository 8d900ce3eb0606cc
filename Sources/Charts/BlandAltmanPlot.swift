import Datasets
import Evaluation
import Pipeline
import Scoring
import Statistics

/// The difference between two measurements over their mean, with the bias and the limits that contain 95 % of
/// differences. Each subject's mean of repeated measures is marked; with few subjects, lines connect it to the single
/// measures, which are not independent.
///
/// - Source: Bland and Altman, Agreement between methods of measurement with multiple observations per individual,
/// 2007.
public struct BlandAltmanPlot: Chart {
  /// One thing measured twice.
  public struct Pair: Hashable, Sendable {
    public var subject: String
    /// The values of the tested method and of the reference; NaN if missing.
    public var measured: Double
    public var reference: Double

    public init(subject: String, measured: Double, reference: Double) {
      self.subject = subject
      self.measured = measured
      self.reference = reference
    }

    var isComplete: Bool { mean.isFinite && difference.isFinite }
    var mean: Double { measured / 2 + reference / 2 }
    var difference: Double { measured - reference }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and both methods.
  public var source: String
  /// The measured quantity, with its unit.
  public var quantity: String
  /// The name of the difference: `measured − reference`.
  public var difference: String
  /// The kind of item measured, in the singular.
  public var kind: String
  public var pairs: [Pair]
  /// Measured − reference.
  public var bias: Estimate?
  /// The limits of agreement for repeated measures.
  public var lowerLimit: Estimate?
  public var upperLimit: Estimate?
  /// Texts printed beside the plot.
  public var remarks: [String]

  public init(
    topic: String, source: String, quantity: String, difference: String = "measured − reference", kind: String = "rep",
    pairs: [Pair], bias: Estimate? = nil, lowerLimit: Estimate? = nil, upperLimit: Estimate? = nil,
    remarks: [String] = []
  ) {
    self.topic = topic
    self.source = source
    self.quantity = quantity
    self.difference = difference
    self.kind = kind
    self.pairs = pairs
    self.bias = bias
    self.lowerLimit = lowerLimit
    self.upperLimit = upperLimit
    self.remarks = remarks
  }

  /// `No clear bias; most differences lie between −26.1 and +27.1`
  public var title: String {
    guard let bias, bias.value.isFinite else { return "No \(kind) has both values" }
    let signed = { NumberText.signed($0, decimals: 1) }
    guard let interval = bias.interval else {
      let people = Set(pairs.filter(\.isComplete).map(\.subject)).count
      return "Off by \(signed(bias.value)) on average, without an interval: \(NumberText.count(people, "person"))"
    }
    let finding = interval.contains(0) ? "No clear bias" : "Biased by \(signed(bias.value))"
    guard let lower = lowerLimit?.value, let upper = upperLimit?.value, lower.isFinite, upper.isFinite else {
      return finding
    }
    return "\(finding); 95 % of differences lie between \(signed(lower)) and \(signed(upper))"
  }

  public var subtitle: String {
    let missing = pairs.count { !$0.isComplete }
    return [
      topic, source, NumberText.size(kind, pairs.count, subjects: Set(pairs.map(\.subject)).count),
      missing > 0 ? "\(missing) without both values" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  public var table: ChartTable {
    ChartTable(
      ["person", .init("mean", .upTo(3)), .init("difference", .signed(3))],
      rows: pairs.map { [.text($0.subject), .number($0.mean), .number($0.difference)] })
  }

  private var levels: [(name: String, estimate: Estimate)] {
    [("upper limit", upperLimit), ("bias", bias), ("lower limit", lowerLimit)]
      .compactMap { name, estimate in estimate.map { (name, $0) } }.filter { $0.estimate.value.isFinite }
  }

  public func bodyHeight(on page: Page) -> Double? {
    page.isNarrow ? head.height(ofWidth: page.bodyWidth, isNarrow: true) + 0.9 * page.width : nil
  }

  /// On a narrow page the numbers of the levels are above the plot, and their names on the lines.
  private var head: SideColumn {
    var head = SideColumn()
    head.legend(entries)
    for level in levels { head.row(level.name, level.estimate.signedText) }
    for remark in remarks { head.paragraph(remark, .note) }
    return head
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let shown = pairs.filter(\.isComplete)
    let isNarrow = canvas.page.isNarrow
    var top = area.top
    if isNarrow {
      head.draw(on: canvas, in: area)
      top += head.height(ofWidth: area.width, isNarrow: true)
    } else {
      top = Legend(entries).drawRow(on: canvas, in: area) + 8
      if !remarks.isEmpty {
        let lines = Rect(left: area.left, top: top, right: area.right, bottom: top + 2 * TextStyle.label.lineHeight)
        top = canvas.paragraph(remarks.joined(separator: " · "), in: lines, .label) + 6
      }
    }
    let names = levels.map { canvas.width(of: text($0, isNarrow: isNarrow), .note) + 8 }.max() ?? 0
    let panel = Panel(
      x: Axis(LinearScale(covering: shown.map(\.mean)), edge: .bottom, title: "mean of both: \(quantity)"),
      y: Axis(
        LinearScale(covering: [0] + shown.map(\.difference) + levels.flatMap(\.estimate.values)), edge: .left,
        title: difference),
      in: Rect(left: area.left, top: top, right: area.right - min(0.28 * area.width, names), bottom: area.bottom),
      on: canvas)
    panel.drawAxes(on: canvas)
    for level in levels { drawInterval(level.estimate, on: canvas, panel) }
    panel.drawLevel(0, on: canvas, .truth, width: 1.5)
    for level in levels {
      let isBias = level.name == "bias"
      panel.drawLevel(
        level.estimate.value, on: canvas, isBias ? .prediction : .ink, width: 2, dash: isBias ? [] : [7, 5])
    }
    drawSubjects(shown, on: canvas, panel)
    drawNames(on: canvas, panel, right: area.right)
    if shown.isEmpty {
      canvas.text("No \(kind) has both values.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  private func text(_ level: (name: String, estimate: Estimate), isNarrow: Bool) -> String {
    isNarrow ? level.name.replacing(" limit", with: "") : "\(level.name) \(level.estimate.signedText)"
  }

  private func drawInterval(_ estimate: Estimate, on canvas: Canvas, _ panel: Panel) {
    guard let interval = estimate.interval, let low = panel.y.position(of: interval.lowerBound, in: panel.plot),
      let high = panel.y.position(of: interval.upperBound, in: panel.plot)
    else { return }
    let band = Rect(
      left: panel.plot.left, top: max(high, panel.plot.top), right: panel.plot.right,
      bottom: min(low, panel.plot.bottom))
    canvas.fill(band, .uncertain, opacity: 0.3)
  }

  private func drawSubjects(_ shown: [Pair], on canvas: Canvas, _ panel: Panel) {
    var names: [String] = []
    for pair in shown where !names.contains(pair.subject) && names.count < 500 { names.append(pair.subject) }
    let bySubject = Dictionary(grouping: shown, by: \.subject)
    let radius = shown.count > 300 ? 3.0 : 4.5
    // With few subjects each is named, unless the names would hide the points on a narrow page.
    let areNamed = names.count <= (canvas.page.isNarrow ? 5 : 15)
    // Many spokes would hide the points; the squares show the same.
    for name in names where Self.hasSpokes(shown) {
      let own = bySubject[name] ?? []
      guard own.count > 1, let center = center(of: own, panel) else { continue }
      for pair in own {
        guard let point = panel.point(pair.mean, pair.difference) else { continue }
        canvas.line(from: center, to: point, .neutral, width: 1, opacity: 0.6)
      }
    }
    for pair in shown {
      guard let point = panel.point(pair.mean, pair.difference) else { continue }
      canvas.disc(at: point, radius: radius, .prediction, opacity: 0.85, rim: .background, rimWidth: 1)
      canvas.avoid(Rect(x: point.x - radius, y: point.y - radius, width: 2 * radius, height: 2 * radius))
    }
    let marks = names.compactMap { name in
      center(of: bySubject[name] ?? [], panel).map { center in
        (name: name, rect: Rect(x: center.x - 5, y: center.y - 5, width: 10, height: 10))
      }
    }
    for mark in marks where (bySubject[mark.name]?.count ?? 0) > 1 {
      canvas.fill(mark.rect, .ink, radius: 1)
      canvas.avoid(mark.rect)
    }
    guard areNamed else { return }
    let short = TextStyle.small.shortened(marks.map(\.name), to: 0.3 * panel.plot.width)
    for (mark, name) in zip(marks, short) {
      canvas.label(
        name, beside: mark.rect, TextStyle.small, within: panel.plot, apart: 8, from: marks.map(\.rect))
    }
  }

  private static func hasSpokes(_ shown: [Pair]) -> Bool { shown.count <= 60 }

  private func center(of pairs: [Pair], _ panel: Panel) -> Point? {
    let count = Double(pairs.count)
    guard count > 0 else { return nil }
    return panel.point(
      pairs.reduce(0) { $0 + $1.mean / count }, pairs.reduce(0) { $0 + $1.difference / count })
  }

  /// Names each line at its right end, moved slightly if two are close.
  private func drawNames(on canvas: Canvas, _ panel: Panel, right: Double) {
    for level in levels {
      guard let y = panel.y.position(of: level.estimate.value, in: panel.plot) else { continue }
      for offset in [0, 24, -24, 48, -48] as [Double] {
        let place = Point(x: panel.plot.right + 8, y: y + offset)
        let room = right - place.x
        let text = text(level, isNarrow: canvas.page.isNarrow)
        if canvas.text(text, at: place, Anchor(.left, .middle), .note, maxWidth: room) != nil { break }
      }
    }
  }

  private var entries: [LegendEntry] {
    let candidates = [
      (true, LegendEntry(.disc(.prediction), "one \(kind)")),
      (Set(pairs.map(\.subject)).count < pairs.count, LegendEntry(.square(.ink), "mean of a person")),
      (
        Self.hasSpokes(pairs.filter(\.isComplete)) && Set(pairs.map(\.subject)).count < pairs.count,
        LegendEntry(.line(.neutral), "from a person's mean to each \(kind)")
      ),
      (true, LegendEntry(.line(.truth), "no difference")),
      (levels.contains { $0.estimate.interval != nil }, LegendEntry(.shade(.uncertain), "95 % interval")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}

/// A detector's differences from the labels, by subject: the bias and the limits that contain 95 % of the differences.
///
/// The bias is the mean of the subjects' mean differences, like a run's `count.bias`: see `AgreementLimits`.
public struct GradeLimits: Sendable {
  public struct Pair: Hashable, Sendable {
    public var subject: String
    public var predicted: Double
    /// The mean of the raters, or the true count.
    public var truth: Double
  }

  public typealias Level = AgreementLimits.Level

  public let pairs: [Pair]
  public let bias: Level?
  public let lower: Level?
  public let upper: Level?
  /// Whether grades are compared, not counts.
  public let areGrades: Bool

  /// - Returns: `nil` without labelled grades or counts for the detector's predictions.
  public init?(_ results: RunResults, detector: String) {
    let grades = results.clips.flatMap { clip in
      (clip.outcomes[detector]?.graded ?? []).compactMap { graded in
        graded.predicted.flatMap { grade in
          graded.mean.map { Pair(subject: clip.person, predicted: grade, truth: $0) }
        }
      }
    }
    let counts = results.clips.compactMap { clip -> Pair? in
      guard let truth = clip.trueCount, let count = clip.outcomes[detector]?.count else { return nil }
      return Pair(subject: clip.person, predicted: Double(count), truth: Double(truth))
    }
    areGrades = !grades.isEmpty
    pairs = grades.isEmpty ? counts : grades
    guard !pairs.isEmpty else { return nil }
    let differences = Dictionary(grouping: pairs, by: \.subject).sorted { $0.key < $1.key }
      .map { $0.value.map { $0.predicted - $0.truth } }
    let limits = AgreementLimits(differencesBySubject: differences)
    (bias, lower, upper) = (limits?.bias, limits?.lower, limits?.upper)
  }
}

extension ChartRecipe {
  static let limits = ChartRecipe(
    "limits", "Bland-Altman plot: detector minus people, with bias and limits of agreement.",
    needs: "a run; --detector", takes: [.run, .detector]
  ) { context in
    let run = try context.storedRun()
    let detector = try context.detector(in: run.results, having: "clips graded or counted by people") {
      name in
      run.results.clips.contains { clip in
        clip.countError(name) != nil || clip.outcomes[name]?.graded.contains { $0.predicted != nil } ?? false
      }
    }
    guard let chart = BlandAltmanPlot(run.results, detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades or counts", found: "none")
    }
    return [Picture(chart, metadata: run.metadata)]
  }
}

extension BlandAltmanPlot {
  /// The items graded by both people and a detector, otherwise the items counted by both; `nil` without any.
  public init?(_ results: RunResults, _ detector: String) {
    guard let limits = GradeLimits(results, detector: detector) else { return nil }
    let people = Set(limits.pairs.map(\.subject))
    let shown = results.showing { people.contains($0.person) }
    self.init(
      topic: "\(detector) minus people", source: shown.source(detector),
      quantity: limits.areGrades ? "grade (points)" : "count (reps)",
      difference: "\(detector) − \(limits.areGrades ? "raters' mean (points)" : "true count (reps)")",
      kind: limits.areGrades ? "rep" : "clip",
      pairs: limits.pairs.map { pair in
        Pair(
          subject: SlashedName.name(of: pair.subject, amongDatasets: shown.datasets.count),
          measured: pair.predicted, reference: pair.truth)
      }, bias: Estimate(limits.bias), lowerLimit: Estimate(limits.lower), upperLimit: Estimate(limits.upper))
  }
}

extension BlandAltmanPlot {
  /// Two raters of a dataset, without a run.
  public init(_ pair: RaterAgreement.Pair, criterion: String, source: String) {
    let (first, second) = (pair.raters[0], pair.raters[1])
    self.init(
      topic: "\(second) minus \(first)", source: source, quantity: "\(criterion) (points)",
      difference: "\(second) − \(first) (points)", kind: "item",
      pairs: pair.items.map { Pair(subject: $0.subject, measured: $0.second, reference: $0.first) },
      bias: Estimate(pair.limits?.bias), lowerLimit: Estimate(pair.limits?.lower),
      upperLimit: Estimate(pair.limits?.upper))
  }
}

extension Estimate {
  fileprivate init?(_ level: AgreementLimits.Level?) {
    guard let level else { return nil }
    self.init(level.value, lower: level.interval?.low, upper: level.interval?.high)
  }
}
