import Evaluation
import Scoring
import Statistics

/// A metric over the stored runs, the oldest first. Lines join only runs on the same data; runs on older data are muted.
/// Releases and the run at which the metric changed are marked.
///
/// Runs on the same data are of the same people. Their intervals are those of the change since the first run, paired by
/// person: a run has changed if its interval leaves out the first run's value. Without pairs they are those of the values.
public struct MetricHistory: Chart {
  public struct Run: Hashable, Sendable {
    /// A short name: a date or a revision.
    public var name: String
    public var score: Estimate
    /// The change since the first run on the same data, paired by person; `nil` for that run and without pairs.
    public var change: Estimate?
    /// Identifies the data: the datasets' hashes, and their corruption and smoothing.
    public var data: String
    /// The release that this run stands for; `nil` for none.
    public var release: String?
    /// The number of subjects with a value; `nil` if unknown.
    public var subjects: Int?

    public init(
      name: String, score: Estimate, change: Estimate? = nil, data: String, release: String? = nil,
      subjects: Int? = nil
    ) {
      self.name = name
      self.score = score
      self.change = change
      self.data = data
      self.release = release
      self.subjects = subjects
    }

    /// The value with the interval of its change, or with its own.
    fileprivate var drawn: Estimate {
      guard let change, let interval = change.interval else { return score }
      let start = score.value - change.value
      return Estimate(score.value, lower: start + interval.lowerBound, upper: start + interval.upperBound)
    }

    /// Whether the change may be chance; `nil` without pairs.
    fileprivate var mayBeChance: Bool? { change?.interval?.contains(0) }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// Suite, datasets, their origin and the detector.
  public var source: String
  /// The metric with its unit and its better direction.
  public var metric: String
  /// Whether the metric is a share, at most 1.
  public var isShare: Bool
  /// What names the runs: `time (UTC)`; empty if that is clear.
  public var naming: String
  /// Oldest first.
  public var runs: [Run]
  /// The index in `runs` of the run to name, with the reason.
  public var remarkable: (run: Int, remark: String)?

  public init(
    topic: String, source: String, metric: String, isShare: Bool = false, naming: String = "", runs: [Run],
    remarkable: (run: Int, remark: String)? = nil
  ) {
    (self.isShare, self.naming) = (isShare, naming)
    self.topic = topic
    self.source = source
    self.metric = metric
    self.runs = runs
    self.remarkable = remarkable
  }

  /// The newest value compared with the first one on the same data, and a run far from both: `Count error fell
  /// from 1.00 to 0.67 over 3 runs; 4.00 in 2026-01-02 00:00`
  public var title: String {
    let alike = runs.filter { $0.data == runs.last?.data && $0.score.value.isFinite }
    guard let first = alike.first, let last = alike.last else { return "No run has a value" }
    let name = metric.metricName.capitalizedFirst
    let values = [first, last].map { NumberText.fixed($0.score.value, decimals: 2) }
    guard alike.count > 1 else { return "\(name) \(values[0]) in the only run on its data" }
    let over = "over \(alike.count) runs" + (alike.count < runs.count ? " on the newest data" : "")
    let outlier =
      Self.outlier(alike).map { "; \(NumberText.fixed($0.score.value, decimals: 2)) in \($0.name)" } ?? ""
    guard values[0] != values[1] else {
      return "\(name) without a lasting change: \(values[0]) at both ends, \(over)\(outlier)"
    }
    let verb = last.score.value > first.score.value ? "rose" : "fell"
    let overlaps = first.score.interval.flatMap { one in last.score.interval.map(one.overlaps) } ?? false
    let doubt =
      switch last.mayBeChance {
      case true?: "; it may be chance"
      case false?: ""
      case nil: overlaps ? "; the intervals overlap" : ""
      }
    return "\(name) \(verb) from \(values[0]) to \(values[1]) \(over)\(doubt)\(outlier)"
  }

  /// The run farthest outside the first and the last value, if that is more than twice the range of all others and its
  /// change may not be chance.
  private static func outlier(_ runs: [Run]) -> Run? {
    guard runs.count > 2, let first = runs.first?.score.value, let last = runs.last?.score.value else { return nil }
    func distance(_ run: Run) -> Double {
      max(min(first, last) - run.score.value, run.score.value - max(first, last))
    }
    let inner = runs.indices.dropFirst().dropLast()
    guard let far = inner.max(by: { distance(runs[$0]) < distance(runs[$1]) }), distance(runs[far]) > 0 else {
      return nil
    }
    let others = runs.indices.filter { $0 != far }.map { runs[$0].score.value }
    let range = (others.max() ?? 0) - (others.min() ?? 0)
    return distance(runs[far]) > 2 * range && runs[far].mayBeChance != true ? runs[far] : nil
  }

  public var subtitle: String {
    let data = Set(runs.map(\.data)).count
    let missing = runs.count { !$0.score.value.isFinite }
    return [
      topic, source, subjectWords, NumberText.count(runs.count, "run"),
      data == 1 ? "all on the same data" : "on \(data) versions of the data",
      missing > 0 ? "\(missing) without a value" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// `10 people`, or `8 to 10 people` if runs differ.
  private var subjectWords: String? {
    let counts = runs.compactMap(\.subjects)
    guard let least = counts.min(), let most = counts.max() else { return nil }
    return least == most ? NumberText.count(most, "person") : "\(least) to \(most) people"
  }

  public var table: ChartTable {
    ChartTable(
      ["run"], .estimate(metric, .fixed(3)), ["subjects", "data", "release"],
      rows: runs.map { run in
        let subjects: ChartTable.Cell = run.subjects.map { .count($0) } ?? .undefined
        let release: ChartTable.Cell = run.release.map { .text($0) } ?? .empty
        return ChartTable.row([.text(run.name)], run.score.cells(), [subjects, .text(run.data), release])
      })
  }

  /// The runs on the same data, as indices; those with the newest run last.
  private var groups: [[Int]] {
    Dictionary(grouping: runs.indices) { runs[$0].data }.values.sorted { ($0.last ?? 0) < ($1.last ?? 0) }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    guard !runs.isEmpty else {
      canvas.paragraph("No stored run.", in: area, .label)
      return
    }
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let groups = groups
    let newest = Set(groups.last ?? [])
    let values = runs.indices.flatMap { (newest.contains($0) ? interval($0) : runs[$0].drawn).values }
    // Only the interval of a change may go beyond a share's bounds.
    let panel = Panel(
      x: Axis(CategoryScale(runs.map(\.name)), edge: .bottom, title: naming),
      y: Axis(LinearScale(covering: values, within: isShare ? 0...1 : nil), edge: .left, title: metric),
      in: Rect(left: area.left, top: top, right: area.right, bottom: area.bottom), on: canvas)
    panel.drawAxes(on: canvas)
    if arePaired, let first = groups.last?.first(where: { runs[$0].score.value.isFinite }) {
      panel.drawLevel(runs[first].score.value, on: canvas, .quiet, dash: [6, 4])
    }
    for (index, group) in groups.enumerated() {
      drawRuns(group, isNewest: index == groups.count - 1, on: canvas, panel)
    }
    panel.avoid(runs.enumerated().map { (x: Double($0), y: Estimate($1.score.value)) }, on: canvas)
    drawReleases(on: canvas, panel)
    drawRemark(on: canvas, panel)
    for group in groups.dropLast() { name(group, on: canvas, panel) }
    if !runs.contains(where: { $0.score.value.isFinite }) {
      canvas.text("No run has a value.", at: panel.plot.middle, Anchor(.center, .middle), .label)
    }
  }

  private func drawRuns(_ positions: [Int], isNewest: Bool, on canvas: Canvas, _ panel: Panel) {
    let meaning: SemanticColor = isNewest ? .prediction : .neutral
    if isNewest, positions.count > 1 {
      panel.drawBand(through: positions.map { (x: Double($0), y: interval($0)) }, on: canvas)
    } else {
      for position in positions { panel.drawWhisker(at: Double(position), runs[position].drawn, on: canvas) }
    }
    canvas.path(positions.map { panel.point(Double($0), runs[$0].score.value) }, meaning, width: isNewest ? 2.5 : 1.5)
    for position in positions {
      guard let point = panel.point(Double(position), runs[position].score.value) else { continue }
      canvas.mark(isNewest ? .disc : .ring, at: point, radius: runs.count > 80 ? 3 : 5, meaning)
    }
  }

  /// Whether the intervals are those of changes.
  private var arePaired: Bool { groups.last?.contains { runs[$0].change?.interval != nil } ?? false }

  /// The interval to draw: of changes, that of the first run has no length.
  private func interval(_ run: Int) -> Estimate {
    guard arePaired, runs[run].change == nil else { return runs[run].drawn }
    let value = runs[run].score.value
    return run == groups.last?.first ? Estimate(value, lower: value, upper: value) : Estimate(value)
  }

  /// Names the data beside the last of its runs.
  private func name(_ positions: [Int], on canvas: Canvas, _ panel: Panel) {
    guard let last = positions.last(where: { runs[$0].score.value.isFinite }),
      let point = panel.point(Double(last), runs[last].score.value)
    else { return }
    canvas.label(
      runs[last].data, beside: Rect(x: point.x - 6, y: point.y - 6, width: 12, height: 12), .note, within: panel.plot)
  }

  private func drawReleases(on canvas: Canvas, _ panel: Panel) {
    // Many lines would hide the runs.
    let areFew = runs.count { $0.release != nil } <= 20
    for (index, run) in runs.enumerated() {
      guard let release = run.release, let x = panel.x.position(of: Double(index), in: panel.plot) else { continue }
      let (top, bottom) = (Point(x: x, y: panel.plot.top), Point(x: x, y: panel.plot.bottom))
      if areFew { canvas.line(from: top, to: bottom, .ink, dash: [4, 4]) }
      let mark = Point(x: x, y: panel.plot.top)
      canvas.polygon([mark, Point(x: x - 6, y: mark.y - 9), Point(x: x + 6, y: mark.y - 9)], .ink)
      canvas.text(
        release, at: Point(x: x + 6, y: panel.plot.top + 4), Anchor(.left, .top), .note,
        maxWidth: min(160, panel.plot.right - x - 8))
    }
  }

  private func drawRemark(on canvas: Canvas, _ panel: Panel) {
    guard let remarkable, runs.indices.contains(remarkable.run),
      let point = panel.point(Double(remarkable.run), runs[remarkable.run].score.value)
    else { return }
    canvas.disc(at: point, radius: 9, .ink, rim: .background)
    canvas.label(
      remarkable.remark, beside: Rect(x: point.x - 9, y: point.y - 9, width: 18, height: 18), .note,
      within: panel.plot)
  }

  private var entries: [LegendEntry] {
    let isMixed = Set(runs.map(\.data)).count > 1
    let candidates = [
      (!isMixed, LegendEntry(.disc(.prediction), "one run")),
      (isMixed, LegendEntry(.disc(.prediction), "run on the newest data")),
      (isMixed, LegendEntry(.ring(.neutral), "run on other data")),
      (
        arePaired || runs.contains { $0.score.interval != nil },
        LegendEntry(
          .shade(.uncertain),
          arePaired ? "95 % interval of the change since the first run, by person" : "95 % interval")
      ),
      (arePaired, LegendEntry(.dashedLine(.quiet), "first run")),
      (remarkable != nil, LegendEntry(.disc(.ink), "the run to look at")),
      (runs.contains { $0.release != nil }, LegendEntry(.dashedLine(.ink), "release")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}

extension MetricHistory {
  /// A metric over the stored runs, the oldest first.
  ///
  /// - Throws: `EvaluationError.missing` if runs on the same data have different subjects.
  public init(_ trend: MetricTrend) throws {
    let blame = try MetricBlame(trend)
    let points = trend.points
    let changed = blame.shown.first
    // The first run of a release is marked.
    var marked: Set<String> = []
    let releases = points.map { point in point.run.releases.first.flatMap { marked.insert($0).inserted ? $0 : nil } }
    let (names, naming) = points.map(\.run).chartNames
    let alike = Set(blame.points.map(\.run.id))
    let values = points.flatMap { point in
      [point.result.value, point.result.interval?.low, point.result.interval?.high].compactMap(\.self)
    }
    let unit = points.last?.result.unit ?? ""
    self.init(
      topic: "\(Metric.plainName(of: trend.metric).capitalizedFirst) of \(trend.detector)",
      source: points.last.map { "\($0.run.head.datasets.sources) · suite \($0.run.suite)" } ?? "",
      metric: metricTitle(trend.metric, unit: unit, points.last?.result.direction),
      isShare: unit.isEmpty && values.allSatisfy((0...1).contains),
      naming: naming,
      runs: points.indices.map { index in
        let (point, release) = (points[index], releases[index])
        return Run(
          name: names[index],
          score: Estimate(
            point.result.value ?? .nan, lower: point.result.interval?.low, upper: point.result.interval?.high),
          change: alike.contains(point.run.id) ? blame.points.first.flatMap { point.change(since: $0) } : nil,
          data: point.run.conditions(beside: trend.points.last?.run), release: release, subjects: point.subjects)
      },
      remarkable: changed.flatMap { step in
        points.firstIndex { $0.run.id == step.after.run.id }.map {
          ($0, step.words)
        }
      })
  }
}

extension MetricBlame.Step {
  /// `worse by 1.300 reps here`
  fileprivate var words: String {
    guard let gain = change.gain, gain != 0 else { return "changed here" }
    return "\(gain > 0 ? "better" : "worse") by \(NumberText.quantity(gain.magnitude, unit: change.unit)) here"
  }
}

extension MetricTrend.Point {
  /// The mean change of the people's values since another run on the same data, with its t interval; `nil` without people
  /// to pair.
  fileprivate func change(since first: MetricTrend.Point) -> Estimate? {
    guard result.isPooled != true, run.id != first.run.id else { return nil }
    let changes = result.bySubject.sorted { $0.key < $1.key }.compactMap { person, value in
      value.flatMap { value in first.result.bySubject[person].flatMap { $0 }.map { value - $0 } }
    }
    return PairedDifference(changes).map { Estimate($0.mean, lower: $0.interval.low, upper: $0.interval.high) }
  }

  /// The number of subjects with a value; for a pooled metric, the number of people in all clips.
  fileprivate var subjects: Int {
    result.isPooled == true
      ? run.head.datasets.reduce(0) { $0 + $1.subjects } : result.bySubject.values.count { $0 != nil }
  }
}

extension HistoryRun {
  /// The data with its perturbation, and the scoring if it differs from `newest`.
  fileprivate func conditions(beside newest: HistoryRun?) -> String {
    var parts = [shortData]
    if let perturbation = head.perturbation { parts.append("\(perturbation.text) seed \(perturbation.seed)") }
    if let newest, head.matching != newest.head.matching {
      parts.append(head.matching.words)
    }
    if let newest, head.camera != newest.head.camera {
      parts.append(
        "camera of \(NumberText.plain(head.camera.fps)) fps and \(NumberText.plain(head.camera.estimator.milliseconds)) ms"
      )
    }
    return parts.joined(separator: ", ")
  }
}

extension [HistoryRun] {
  /// The commit of each run if it is known and unique, otherwise date and time, with seconds if needed to distinguish
  /// runs; and which of them the names are.
  fileprivate var chartNames: (names: [String], naming: String) {
    func counts(_ names: [String]) -> [String: Int] {
      Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }
    let revisions = counts(compactMap { $0.origin?.shortRevision })
    let minutes = counts(map { $0.time(characters: 16) })
    let commits = map { run -> String? in run.origin?.shortRevision.flatMap { revisions[$0] == 1 ? $0 : nil } }
    let names = zip(self, commits).map { run, commit in
      let minute = run.time(characters: 16)
      return commit ?? (minutes[minute] == 1 ? minute : run.time(characters: 19))
    }
    let known = commits.count { $0 != nil }
    return (names, known == count ? "commit" : known == 0 ? "time (UTC)" : "commit or time (UTC)")
  }
}

extension HistoryRun {
  /// `2026-03-01 10:00`, to the seconds with 19 characters.
  fileprivate func time(characters: Int) -> String {
    String(created.prefix(characters)).replacing("T", with: " ")
  }
}

extension ChartRecipe {
  static let history = ChartRecipe(
    "history", "A metric over stored runs, with intervals and releases. A line joins runs on the same data.",
    needs: "runs of a suite; --metric (default: the suite's first); --detector",
    takes: [.run, .detector, .metric]
  ) { context in
    let run = try context.storedRun()
    let named = run.results.metrics.first { metric in
      (context.metric == nil || metric.metric == context.metric)
        && (context.detector == nil || metric.detector == context.detector)
    }
    let trend = try RunHistory(in: context.store, HistoryFilter(suite: context.suite)).trend(
      of: context.metric ?? named?.metric ?? "", detector: context.detector ?? named?.detector)
    return [Picture(try MetricHistory(trend), metadata: run.metadata)]
  }
}
