import Evaluation
import Scoring
import Statistics

/// A forest plot of each metric's mean gain with its interval, in margins; better is to the right.
///
/// Milliseconds and shares have no common scale, but each gating metric has a margin: at −1 all of it is lost. Metrics
/// without a change or margin are named below the plot. Without any margin each row has its own scale, with 0 in the
/// middle. Better and worse are what the comparison shows, whatever the interval.
public struct DifferenceIntervals: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the compared sides.
  public var source: String
  public var differences: [MetricDifference]
  /// The number of subjects and clips.
  public var subjects: Int
  public var clips: Int
  /// The comparison's finding, as the title; `nil` to count the changed metrics.
  public var finding: String?

  public init(
    topic: String = "Gain of B over A in each metric", source: String, differences: [MetricDifference], subjects: Int,
    clips: Int,
    finding: String? = nil
  ) {
    self.finding = finding
    self.topic = topic
    self.source = source
    self.differences = differences
    self.subjects = subjects
    self.clips = clips
  }

  public var title: String {
    if let finding { return finding }
    func count(_ verdict: MetricDifference.Verdict) -> Int { differences.count { $0.verdict == verdict } }
    let (better, worse) = (count(.better), count(.worse))
    let changed = differences.count(where: \.isChanged)
    guard changed > 0 else { return "No metric changed" }
    return better + worse == 0
      ? "No clear difference: \(NumberText.count(changed, "metric")) changed, which may be chance"
      : "\(better) of \(NumberText.count(differences.count, "metric")) better, \(worse == 0 ? "none" : "\(worse)") worse"
  }

  public var subtitle: String {
    [
      topic, source, NumberText.size("clip", clips, subjects: subjects),
      "95 % t interval on the people's paired differences",
    ].joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 40
      + RowLayout.height(
        mark: 34, names: shown.map(\.name), numbers: shown.map(numbers), on: page)
      + axis.depth + footnote.height(ofWidth: page.bodyWidth)
  }

  /// Whether rows are in margins.
  private var areInMargins: Bool { differences.contains { $0.isChanged && $0.hasMargin } }

  private var shown: [MetricDifference] { differences.filter { $0.isChanged && ($0.hasMargin || !areInMargins) } }

  public var table: ChartTable {
    ChartTable(
      ["metric"], .estimate("gain", .fixed(3), own: .signed(3), low: "from", high: "to"),
      [.init("margin", .upTo(3)), "unit", "remark"],
      rows: differences.map { difference in
        let margin: ChartTable.Cell = difference.margin.map { .number($0) } ?? .empty
        return ChartTable.row(
          [.text(difference.name)], difference.gain.cells(),
          [margin, .text(difference.unit), .text(difference.remark)])
      })
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let top = Legend(entries).drawRow(on: canvas, in: area) + 40
    let shown = shown
    let layout = RowLayout(
      names: shown.map(\.name), numbers: shown.map(numbers),
      in: Rect(
        left: area.left, top: top, right: area.right,
        bottom: area.bottom - axis.depth - footnote.height(ofWidth: area.width)),
      on: canvas)
    let plot = layout.plot
    guard let zero = axis.position(of: 0, in: plot) else { return }
    if shown.isEmpty {
      canvas.text("nothing changed", at: plot.middle, Anchor(.center, .middle), .label.colored(.quiet))
      return footnote.draw(on: canvas, in: area)
    }
    if areInMargins {
      axis.draw(on: canvas, around: plot)
      // After the grid, which lies on its edge.
      if let edge = axis.position(of: -1, in: plot) {
        canvas.tolerance(Rect(left: edge, top: plot.top, right: zero, bottom: plot.bottom))
      }
    }
    canvas.text("← worse", at: Point(x: zero - 14, y: top - 10), Anchor(.right, .bottom), .note.colored(.quiet))
    canvas.text("better →", at: Point(x: zero + 14, y: top - 10), Anchor(.left, .bottom), .note.colored(.quiet))
    canvas.line(from: Point(x: zero, y: plot.top), to: Point(x: zero, y: plot.bottom), .ink, width: 1.5)
    for (index, difference) in shown.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(difference, on: canvas, at: layout.y(index), plot)
    }
    footnote.draw(on: canvas, in: area)
  }

  private var footnote: Footnote {
    let others = differences.filter { difference in !shown.contains(difference) }
    let parts = [
      (
        "no margin, not on this scale",
        others.filter(\.isChanged).map { "\($0.name) \(numbers($0))" }
      ), ("unchanged", Self.few(others.filter(\.isUnchanged).map(\.name))),
      ("without a gain", others.filter { !$0.isChanged && !$0.isUnchanged }.map(\.name)),
    ]
    let words = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    return Footnote(
      ([areInMargins ? "" : "each metric on its own scale, 0 in the middle"] + words).filter { !$0.isEmpty }
        .joined(separator: "; "))
  }

  /// Up to six names; for more, their number.
  private static func few(_ names: [String]) -> [String] {
    names.count > 6 ? [NumberText.count(names.count, "metric")] : names
  }

  private var entries: [LegendEntry] {
    let shown = shown
    let verdicts = MetricDifference.Verdict.allCases.filter { verdict in shown.contains { $0.verdict == verdict } }
    return verdicts.map { LegendEntry($0.mark.sample($0.meaning), $0.words) }
      + (areInMargins ? [LegendEntry(.tolerance, "loss within the margin, down to −1")] : [])
  }

  private func draw(_ difference: MetricDifference, on canvas: Canvas, at y: Double, _ plot: Rect) {
    let unit = unit(of: difference)
    let meaning = difference.verdict.meaning
    func place(_ value: Double) -> Point? {
      axis.position(of: value / unit, in: plot).map { Point(x: $0, y: y) }
    }
    canvas.clipped(to: Rect(left: plot.left - 8, top: plot.top, right: plot.right + 8, bottom: plot.bottom)) {
      if let interval = difference.gain.interval, let left = place(interval.lowerBound),
        let right = place(interval.upperBound)
      {
        canvas.line(from: left, to: right, meaning, width: 4)
      }
      if let mean = place(difference.gain.value) {
        canvas.mark(difference.verdict.mark, at: mean, radius: 7, meaning, rimWidth: 1.5)
      }
    }
  }

  /// The size of 1 on the scale, in the metric's unit.
  private func unit(of difference: MetricDifference) -> Double {
    let unit = areInMargins ? difference.margin ?? 0 : difference.reach
    return unit > 0 ? unit : 1
  }

  private var axis: Axis {
    guard areInMargins else { return Axis(LinearScale(-1.08...1.08), edge: .bottom) }
    let values = shown.flatMap { difference in difference.gain.values.map { $0 / unit(of: difference) } }
    return Axis(
      LinearScale(covering: [-1, 1] + values.filter { abs($0) < 1e6 }), edge: .bottom,
      title: "gain, in margins")
  }

  /// `+0.24 (+0.06 to +0.42) reps, p 0.031`
  private func numbers(_ difference: MetricDifference) -> String {
    guard difference.gain.value.isFinite else { return NumberText.missing }
    guard !difference.isUnchanged else { return "unchanged" }
    let unit = difference.unit.isEmpty ? "" : " \(difference.unit)"
    return "\(difference.gain.signedText)\(unit)\(difference.remark.isEmpty ? "" : ", \(difference.remark)")"
  }
}

/// A metric's gain with its interval and the margin.
public struct MetricDifference: Hashable, Sendable {
  /// `squat-states count.mae`
  public var name: String
  /// `reps`; empty for a plain number.
  public var unit: String
  /// The mean gain; NaN if undefined.
  public var gain: Estimate
  /// `nil` for a metric that does not gate.
  public var margin: Double?
  /// The direction that is shown for people; `nil` if it may be chance.
  public var shown: ShownChange?
  /// The text beside the numbers: `p 0.031`.
  public var remark: String

  public init(
    name: String, unit: String, gain: Estimate, margin: Double? = nil, shown: ShownChange? = nil, remark: String = ""
  ) {
    self.name = name
    self.unit = unit
    self.gain = gain
    self.margin = margin
    self.shown = shown
    self.remark = remark
  }

  /// The greatest distance from 0 of the gain, its interval and the margin.
  var reach: Double {
    let bounds = gain.interval.map { [$0.lowerBound, $0.upperBound] } ?? []
    return ([gain.value, margin ?? 0] + bounds).filter { $0.isFinite && abs($0) < 1e300 }.map(abs).max() ?? 0
  }

  /// Whether both the gain and its interval are 0.
  var isUnchanged: Bool { gain.value == 0 && gain.interval == 0...0 }

  /// Whether there is a gain or interval other than 0.
  var isChanged: Bool { gain.value.isFinite && !isUnchanged }

  var hasMargin: Bool { (margin ?? 0) > 0 }

  /// The conclusion, from the change that is shown, or else from the interval and the margin.
  enum Verdict: CaseIterable {
    case better, worse, holds, open

    var meaning: SemanticColor {
      switch self {
      case .better: .better
      case .worse: .worse
      case .holds: .prediction
      case .open: .uncertain
      }
    }

    var mark: Mark {
      switch self {
      case .better: .disc
      case .worse: .square
      case .holds: .diamond
      case .open: .ring
      }
    }

    var words: String {
      switch self {
      case .better: "better"
      case .worse: "worse"
      case .holds: "no loss beyond the margin"
      case .open: "open: may be chance"
      }
    }
  }

  var verdict: Verdict {
    switch shown {
    case .better: return .better
    case .worse: return .worse
    case nil: break
    }
    guard let interval = gain.interval else { return .open }
    return margin.map { interval.lowerBound >= -$0 } ?? false ? .holds : .open
  }
}

extension ChartRecipe {
  static let gains = ChartRecipe(
    "gains", "Gain in each metric over another run or the baseline, with interval and margin.",
    needs: "a run and --with another or the baseline; or --from a compare.json",
    takes: [.run, .with, .from]
  ) { context in
    let compared = try context.comparison()
    return [Picture(compared.record.gains.chart, notes: compared.notes, metadata: compared.metadata)]
  }
}

extension ComparisonRecord {
  /// The charts that this comparison has data for, in the order of the report.
  public var pictures: [ReportPicture] { [gains] + changes }

  /// The gain in each metric of the suite.
  var gains: ReportPicture {
    ReportPicture(
      file: "gains.png", heading: "Gain in each metric",
      chart: DifferenceIntervals(
        topic: "Gain of B (\(after)) over A (\(before)) in each metric", source: datasets.sources,
        differences: metrics.filter(\.isListed).map(difference), subjects: subjects,
        clips: clips, finding: finding))
  }

  private var finding: String {
    MetricChange.finding(metrics, names: names, isBrief: true) ?? "No metric changed"
  }

  private func difference(_ metric: MetricChange) -> MetricDifference {
    var remarks: [String] = []
    if metric.isPooled { remarks.append("pooled") }
    if let p = metric.p { remarks.append("p \(NumberText.probability(p))") }
    if let adjusted = metric.adjustedP { remarks.append("Holm \(NumberText.probability(adjusted))") }
    return MetricDifference(
      name: Metric.plainName(of: metric.metric) + (detectors.count > 1 ? ", \(metric.detector)" : ""),
      unit: metric.unit,
      gain: Estimate(metric.gain ?? .nan, lower: metric.interval?.low, upper: metric.interval?.high),
      margin: metric.margin,
      shown: metric.shown, remark: remarks.joined(separator: ", "))
  }
}

extension MetricChange {
  /// The better side, its decisive metric and the number of people: `B is better: count error 1.000 → 0.667 reps,
  /// better for 7 of 12 people`, or that nothing can be compared; `nil` if nothing changed. Where no loss is shown but the
  /// usual gate would stop, B may be worse. A value that is worse than its floor is the finding, whatever else changed.
  ///
  /// - Parameters:
  ///   - side: The later side in words.
  ///   - isBrief: Where some metrics are worse and others better, names neither people nor detectors.
  package static func finding(
    _ metrics: [MetricChange], names: ComparisonNames, of side: String = "B", isBrief: Bool = false
  ) -> String? {
    let listed = metrics.filter(\.isListed)
    guard !listed.isEmpty else { return "A and B have no metric in common" }
    let start = side.prefix(1).uppercased() + side.dropFirst()
    if let low = listed.first(where: \.isBelowFloor), let floor = low.floor {
      let of = names.metric(low) == low.metric ? "" : " of \(low.detector)"
      let values = [low.after, floor].map { NumberText.quantity($0, unit: low.unit) }
      return "\(start) is worse than a floor: \(Metric.plainName(of: low.metric))\(of) \(values[0]), floor \(values[1])"
    }
    // A loss may be likely where people's changes cancel out.
    let changed = listed.filter {
      !$0.isUnchanged && (($0.gain ?? 0) != 0 || ($0.probabilityOfLoss ?? 0) > GateRule.stopAt)
    }
    guard !changed.isEmpty else {
      // No gain is no proof of no change.
      let open = listed.filter { !$0.isUnchanged && $0.gain == nil }
      return open.isEmpty
        ? nil : "Not comparable: " + open.map(names.metric).joined(separator: ", ")
    }
    // Only gating metrics decide.
    let gating = changed.filter { $0.margin != nil }
    let shown = (gating.isEmpty ? changed : gating).filter(\.isShown)
    let (losses, gains) = (shown.filter { ($0.gain ?? 0) < 0 }, shown.filter { ($0.gain ?? 0) > 0 })
    let doubts = losses.isEmpty ? gating.filter { !$0.isShown && ($0.probabilityOfLoss ?? 0) > GateRule.stopAt } : []
    let isShort = isBrief && !(losses.isEmpty && doubts.isEmpty) && !gains.isEmpty
    let worse = words(losses.isEmpty ? doubts : losses, names, isBrief: isShort)
    let better = words(gains, names, isBrief: isShort)
    let verb = losses.isEmpty ? "may be" : "is"
    switch (worse, better) {
    case (let worse?, let better?): return "Mixed: \(side) \(verb) worse in \(worse); better in \(better)"
    case (let worse?, nil): return "\(start) \(verb) worse: \(worse)"
    case (nil, let better?): return "\(start) is better: \(better)"
    case (nil, nil):
      return "No clear difference: "
        + (changed.count == 1
          ? "1 metric changed, which may be chance" : "\(changed.count) metrics changed, and each change may be chance")
    }
  }

  /// `exact counts 0.633 → 0.333, worse for 9 of 10 people (and 3 other metrics)`: gating metrics first, then the
  /// metric that changed for most people in proportion to its subjects; of metrics without a shown change the most
  /// likely loss, with its probability. `nil` for none.
  private static func words(_ metrics: [MetricChange], _ names: ComparisonNames, isBrief: Bool) -> String? {
    func rank(_ place: Int, _ change: MetricChange) -> (Int, Double, Double, Int) {
      let people = Double(max(change.people?.worse ?? 0, change.people?.better ?? 0)) / Double(max(1, change.subjects))
      return (change.margin == nil ? 1 : 0, change.isShown ? 0 : -(change.probabilityOfLoss ?? 0), -people, place)
    }
    let first = metrics.enumerated().min { rank($0.offset, $0.element) < rank($1.offset, $1.element) }
    guard let change = first?.element else { return nil }
    let likelihood = change.isShown ? "" : change.likelihood.map { ", \($0)" } ?? ""
    if isBrief { return change.valuesWords(of: "", from: change.before, to: change.after) + likelihood }
    let of = names.metric(change) == change.metric ? "" : " of \(change.detector)"
    let sides = [("worse", change.people?.worse), ("better", change.people?.better)]
    let gain = change.gain ?? 0
    let told = gain == 0 ? sides : [gain < 0 ? sides[0] : sides[1]]
    let people = told.compactMap { word, count in count.map { ", \(word) for \($0)" } }.joined()
    let forWhom = people.isEmpty ? "" : "\(people) of \(NumberText.count(change.subjects, "person"))"
    let others = metrics.count - 1
    return change.valuesWords(of: of, from: change.before, to: change.after) + forWhom + likelihood
      + (others > 0 ? " (and \(NumberText.count(others, "other metric")))" : "")
  }
}

extension ChartContext {
  struct Compared {
    var record: ComparisonRecord
    var metadata: [(key: String, value: String)]
    var notes: [String]
  }

  /// The comparison in a file, or of the run with the selected other run.
  func comparison() throws -> Compared {
    if let file {
      let record = try ComparisonRecord(file: file)
      return Compared(
        record: record,
        metadata: [
          ("Software", "bench \(record.bench)"), ("Suite", record.suite), ("Content", record.datasets.contents),
          ("Before", record.before), ("After", record.after),
        ], notes: ["from \(file)", "A: \(record.before); B: \(record.after)"])
    }
    let run = try storedRun()
    let before: ComparisonSide
    let words: String
    if other == "baseline" {
      before = .baseline(try project.baseline(ofSuite: suite))
      words = "the baseline"
    } else {
      let stored = try store.run(named: other, ofSuite: suite)
      before = .run(stored.results, id: stored.id)
      words = "run \(stored.id)"
    }
    let record = ComparisonRecord(
      try Comparison(from: before, to: .run(run.results, id: run.id)), before: words, after: "run \(run.id)",
      bench: bench)
    return Compared(
      record: record, metadata: run.metadata + [("Before", record.before)],
      notes: ["A: \(record.before); B: \(record.after)"])
  }
}
