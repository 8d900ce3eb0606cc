import Datasets
import Evaluation
import Pipeline
import Scoring
import Statistics

/// A line from before to after for each person or clip, the largest loss first. It shows those that improved, got worse,
/// changed sides at the same distance from the true value, or did not change.
public struct PairedDots: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Dataset, its origin and the detector.
  public var source: String
  /// The kind of a row: `person`, `clip`.
  public var kind: String
  /// The quantity of the values, with its unit.
  public var axisTitle: String
  public var values: [PairedValue]
  /// Whether values are counts, which need ticks at whole numbers.
  public var isWhole: Bool

  /// The maximum number of rows. Of more, the largest changes either way are shown, and none without a change.
  public static let limit = 30

  public init(
    topic: String, source: String, kind: String, axisTitle: String, values: [PairedValue], isWhole: Bool = false
  ) {
    self.topic = topic
    self.source = source
    self.kind = kind
    self.axisTitle = axisTitle
    self.values = values
    self.isWhole = isWhole
  }

  /// `Exact counts better for 2 of 12 people, worse for none`
  public var title: String {
    let complete = values.filter(\.isComplete)
    let judged = complete.filter { $0.outcome != .unjudged }
    func count(_ outcome: PairedValue.Outcome) -> Int { judged.count { $0.outcome == outcome } }
    let (better, worse, other) = (count(.better), count(.worse), count(.otherSide))
    guard !complete.isEmpty else { return "No \(kind) has both values" }
    guard !judged.isEmpty else { return "\(NumberText.count(complete.count, kind)) changed, none with a true value" }
    guard better + worse + other > 0 else {
      return "No change for any of \(NumberText.count(judged.count, kind))"
    }
    guard better + worse > 0 else {
      return "As far off on the other side for \(other) of \(NumberText.count(judged.count, kind))"
    }
    return "\(quantity) better for \(better == 0 ? "none" : "\(better)") of "
      + "\(NumberText.count(judged.count, kind)), worse for " + (worse == 0 ? "none" : "\(worse)")
  }

  private var quantity: String { isWhole ? "Counts" : axisTitle.metricName.capitalizedFirst }

  public var subtitle: String {
    let complete = values.filter(\.isComplete)
    let outcomes = PairedValue.Outcome.allCases.map { outcome in
      (complete.count { $0.outcome == outcome }, outcome.rawValue)
    }
    let parts = (outcomes + [(values.count - complete.count, NumberText.missing)]).filter { $0.0 > 0 }.map {
      "\($0.0) \($0.1)"
    }
    return
      ([topic, source, NumberText.count(values.count, kind)] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")]))
      .joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 14
      + RowLayout.height(mark: 27, names: shown.map(\.name), numbers: shown.map(numbers), on: page) + axis.depth
      + footnote.height(ofWidth: page.bodyWidth)
  }

  /// One row per item, the worst first, incomplete items last.
  public var table: ChartTable {
    ChartTable(
      [
        .init(kind), .init("before", .upTo(3)), .init("after", .upTo(3)),
        .init("true", .upTo(3)),
        .init("gain", .signed(3)),
      ],
      rows: (ordered + values.filter { !$0.isComplete }).map {
        let truth: ChartTable.Cell = $0.truth.map { .number($0) } ?? .empty
        return [.text($0.name), .number($0.before), .number($0.after), truth, .number($0.gain)]
      })
  }

  private var ordered: [PairedValue] { values.filter(\.isComplete).sorted(by: PairedValue.worstFirst) }

  private var shown: [PairedValue] {
    let ordered = ordered
    guard ordered.count > Self.limit else { return ordered }
    let changed = ordered.filter { $0.outcome != .unchanged }
    let rows = changed.isEmpty ? ordered : changed
    func size(_ index: Int) -> Double { rows[index].gain.isFinite ? abs(rows[index].gain) : 0 }
    let largest = rows.indices.sorted { size($0) != size($1) ? size($0) > size($1) : $0 < $1 }
    return largest.prefix(Self.limit).sorted().map { rows[$0] }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let shown = shown
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let axis = axis
    let layout = RowLayout(
      names: shown.map(\.name), numbers: shown.map(numbers),
      in: Rect(
        left: area.left, top: top, right: area.right,
        bottom: area.bottom - axis.depth - footnote.height(ofWidth: area.width)),
      on: canvas, gap: 22)
    axis.draw(on: canvas, around: layout.plot)
    for (index, value) in shown.enumerated() {
      layout.drawTexts(of: index, on: canvas)
      draw(value, on: canvas, at: layout.y(index), layout.plot, axis)
    }
    footnote.draw(on: canvas, in: area)
  }

  private var axis: Axis {
    let places = shown.flatMap { [$0.before, $0.after] + ($0.truth.map { [$0] } ?? []) }
    return Axis(LinearScale(covering: places, isWhole: isWhole), edge: .bottom, title: axisTitle)
  }

  /// `5 → 6 (5)`
  private func numbers(_ value: PairedValue) -> String {
    [value.before, value.after].map { NumberText.fixed($0, decimals: isWhole ? 0 : 2) }.joined(separator: " → ")
      + (value.truth.map { " (\(NumberText.plain($0, decimals: 2)))" } ?? "")
  }

  private var entries: [LegendEntry] {
    let shown = shown
    let outcomes = Set(shown.map(\.outcome))
    let alike = [PairedValue.Outcome.unchanged, .otherSide].filter(outcomes.contains).map(\.rawValue)
    let candidates = [
      (true, LegendEntry(.smallDisc(.quiet), "before")),
      (outcomes.contains(.better), LegendEntry(.disc(.better), "after, better")),
      (outcomes.contains(.worse), LegendEntry(.square(.worse), "after, worse")),
      (!alike.isEmpty, LegendEntry(.diamond(.neutral), "after, \(alike.joined(separator: " or "))")),
      (outcomes.contains(.unjudged), LegendEntry(.ring(.neutral), "after, no true value")),
      (shown.contains { $0.truth != nil }, LegendEntry(.tick(.truth), "true")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  private func draw(_ value: PairedValue, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    guard let start = axis.position(of: value.before, in: plot), let end = axis.position(of: value.after, in: plot)
    else { return }
    if let truth = value.truth.flatMap({ axis.position(of: $0, in: plot) }) {
      canvas.fill(Rect(left: truth - 2, top: y - 11, right: truth + 2, bottom: y + 11), .truth)
    }
    let (before, after) = (Point(x: start, y: y), Point(x: end, y: y))
    canvas.line(from: before, to: after, value.outcome.meaning, width: 4)
    canvas.mark(.disc, at: before, radius: 5, .quiet)
    canvas.mark(value.outcome.mark, at: after, radius: 7, value.outcome.meaning)
  }

  private var footnote: Footnote { Footnote(remainder) }

  /// The number of items whose change of sides is told below the plot.
  private static let toldLimit = 3

  /// `s04_front_1 from one too few to one too many`, and how many more.
  private var otherSides: [String] {
    let other = shown.filter { $0.outcome == .otherSide }
    let more = other.count - Self.toldLimit
    return other.prefix(Self.toldLimit).map { "\($0.name) \($0.sides)" } + (more > 0 ? ["\(more) more alike"] : [])
  }

  /// The parts that are not in the picture.
  private var remainder: String {
    let (ordered, shown) = (ordered, shown)
    func hidden(_ isCounted: (PairedValue) -> Bool) -> Int {
      ordered.count(where: isCounted) - shown.count(where: isCounted)
    }
    let key = values.contains { $0.truth != nil } ? "numbers: before → after (true)" : "numbers: before → after"
    let parts = [
      (hidden { $0.outcome != .unchanged }, "with smaller changes not shown"),
      (hidden { $0.outcome == .unchanged }, "without a change not shown"),
      (values.count - ordered.count, "without a value on one side"),
    ].filter { $0.0 > 0 }.map { "\(NumberText.count($0.0, kind)) \($0.1)" }
    return ([key] + otherSides + parts).joined(separator: "; ")
  }
}

/// One item measured twice: a subject's value or a clip's count, before and after.
public struct PairedValue: Hashable, Sendable {
  public var name: String
  /// The values on both sides; NaN if missing.
  public var before: Double
  public var after: Double
  /// The true value, if known.
  public var truth: Double?
  /// The improvement, negative if worse; NaN if unknown.
  public var gain: Double

  public init(name: String, before: Double, after: Double, truth: Double? = nil, gain: Double) {
    self.name = name
    self.before = before
    self.after = after
    self.truth = truth
    self.gain = gain
  }

  var isComplete: Bool { before.isFinite && after.isFinite }

  enum Outcome: String, CaseIterable {
    case better, worse
    /// From below the true value to as far above it, or the other way.
    case otherSide = "as far off on the other side"
    /// A change without a true value to compare with.
    case unjudged = "without a true value"
    case unchanged = "no change"

    var meaning: SemanticColor {
      switch self {
      case .better: .better
      case .worse: .worse
      case .otherSide, .unjudged, .unchanged: .neutral
      }
    }

    var mark: Mark {
      switch self {
      case .better: .disc
      case .worse: .square
      case .unjudged: .ring
      case .otherSide, .unchanged: .diamond
      }
    }
  }

  var outcome: Outcome {
    if gain > 0 { return .better }
    if gain < 0 { return .worse }
    guard before != after else { return .unchanged }
    return gain.isNaN ? .unjudged : .otherSide
  }

  /// `from one too few to one too many`
  fileprivate var sides: String {
    func words(_ value: Double) -> String {
      guard let truth else { return NumberText.signed(value) }
      let error = value - truth
      let size = abs(error) == 1 ? "one" : NumberText.plain(abs(error), decimals: 2)
      return "\(size) too \(error < 0 ? "few" : "many")"
    }
    return "from \(words(before)) to \(words(after))"
  }

  /// The largest loss first, then by name.
  static func worstFirst(_ a: PairedValue, _ b: PairedValue) -> Bool {
    let (gainA, gainB) = (a.gain.isFinite ? a.gain : 0, b.gain.isFinite ? b.gain : 0)
    return gainA != gainB ? gainA < gainB : a.name < b.name
  }
}

extension ChartRecipe {
  static let changes = ChartRecipe(
    "changes", "Clips with a changed count, and each person's value before and after.",
    needs: "a run and --with another or the baseline; or --from a compare.json; --metric",
    takes: [.run, .with, .from, .metric]
  ) { context in
    let compared = try context.comparison()
    let pictures = compared.record.changes.filter { picture in
      context.metric.map { $0 == picture.change?.metric } ?? true
    }
    guard !pictures.isEmpty else {
      throw EvaluationError.missing(
        what: context.file ?? "\(compared.record.after) compared with \(compared.record.before)",
        expected: context.file == nil ? "a change" : "a change in metrics or clipChanges",
        found: context.metric.map { "no change of \($0)" } ?? "no changed count and no changed value")
    }
    return pictures.map { picture in
      Picture(picture, of: pictures.count, notes: compared.notes, metadata: compared.metadata)
    }
  }
}

extension ComparisonRecord {
  /// The maximum number of metrics drawn subject by subject.
  private static let pairedLimit = 6

  /// The clips whose count changed, and the subjects' values of metrics that changed.
  public var changes: [ReportPicture] {
    let counts = clipChanges.filter { $0.kind == .count }
    let changed = metrics.filter { $0.isListed && !$0.isUnchanged && !$0.isPooled }
    let gating = changed.filter { $0.margin != nil }
    return (counts.isEmpty ? [] : [picture(of: counts)])
      + (gating.isEmpty ? changed : gating).prefix(Self.pairedLimit).enumerated().map { index, metric in
        picture(of: metric, number: index + 1)
      }
  }

  private func picture(of counts: [ClipChange]) -> ReportPicture {
    let (clips, source) = shown(counts.map(\.clip))
    let counters = Set(counts.map(\.detector)).sorted()
    return ReportPicture(
      file: "counts.png", heading: "Clips whose count changed",
      chart: PairedDots(
        topic: "Clips whose count changed", source: counters.count == 1 ? "\(source) · \(counters[0])" : source,
        kind: "clip", axisTitle: "reps counted",
        values: zip(clips, counts).map { clip, change in
          PairedValue(
            name: counters.count == 1 ? clip : "\(clip) \(change.detector)", before: change.before ?? .nan,
            after: change.after ?? .nan, truth: change.truth, gain: change.gain ?? .nan)
        }, isWhole: true))
  }

  /// The names of clips or people, without what comes before "/" if they differ without it, and the source of their
  /// datasets.
  private func shown(_ names: [String]) -> (names: [String], source: String) {
    let owners = Set(names.map { SlashedName($0)?.owner ?? $0 })
    let own = datasets.filter { owners.contains($0.name) }
    // A person of several datasets is named after none of them.
    let source = (own.count == owners.count ? own : datasets).sources
    let short = names.map { SlashedName.name(of: $0) }
    return (Set(short).count == Set(names).count ? short : names, source)
  }

  private func picture(of metric: MetricChange, number: Int) -> ReportPicture {
    let heading = "\(Metric.plainName(of: metric.metric)) of \(metric.detector), by person"
    let known = metric.bySubject.sorted { $0.key < $1.key }
    let (people, source) = shown(known.map(\.key))
    return ReportPicture(
      file: "people-\(number).png", heading: heading,
      chart: PairedDots(
        topic: heading.capitalizedFirst, source: source, kind: "person",
        axisTitle: metricTitle(metric.metric, unit: metric.unit, metric.direction),
        values: zip(people, known.map(\.value)).map { name, values in
          PairedValue(
            name: name, before: values.before ?? .nan, after: values.after ?? .nan, gain: values.gain ?? .nan)
        }), change: metric)
  }
}
