import Evaluation
import Statistics

/// The signed count error of each clip, the worst first: direction and size of a detector's errors.
public struct CountErrorByClip: Chart {
  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The source of the counts: dataset, its origin and the detector.
  public var source: String
  public let clips: [CountedClip]
  /// The number of subjects; `nil` if unknown.
  public var subjects: Int?
  /// The mean error in reps with its interval, drawn below the clips.
  public var mean: Estimate?
  /// Those with both counts, the worst first.
  private let ordered: [CountedClip]

  /// The maximum number of clips shown; exact ones are omitted first.
  public static let limit = 30

  public init(
    topic: String = "Count error by clip", source: String, clips: [CountedClip], subjects: Int? = nil,
    mean: Estimate? = nil
  ) {
    self.topic = topic
    self.source = source
    self.clips = clips
    self.subjects = subjects
    self.mean = mean
    ordered = clips.filter(\.isComplete).sorted(by: CountedClip.worstFirst)
  }

  /// `13 of 14 wrong counts are too low: reps are missed`
  public var title: String {
    let wrong = clips.filter { $0.isComplete && !$0.isExact }
    let low = wrong.count { $0.error < 0 }
    let high = wrong.count - low
    guard !wrong.isEmpty else { return CountedSlice.finding(of: clips) }
    // One direction is a finding if at most 1 of 5 wrong counts goes the other way.
    guard 5 * min(low, high) <= wrong.count else {
      return "Wrong counts go both ways: \(low) too low, \(high) too high"
    }
    let isLow = low > high
    let part =
      wrong.count == 1
      ? "The only wrong count is"
      : min(low, high) == 0
        ? "All \(wrong.count) wrong counts are" : "\(max(low, high)) of \(wrong.count) wrong counts are"
    return "\(part) too \(isLow ? "low: reps are missed" : "high: reps are invented")"
  }

  public var subtitle: String {
    ([topic, source] + CountedClip.summary(of: clips, subjects: subjects)).joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 14 + rows(on: page).height(mark: 25, on: page)
      + footnote.height(ofWidth: page.bodyWidth)
  }

  /// On a wide page the numbers are to the right of the bars.
  private func rows(on page: Page) -> CountErrorRows {
    let shown = shown
    return CountErrorRows(
      names: shown.map(\.clip), numbers: page.isNarrow ? shown.map(words) : [], scale: scale(of: shown), mean: mean)
  }

  /// One row per clip, the worst first, missing counts last.
  public var table: ChartTable {
    ChartTable(
      ["clip", "true", "predicted", .init("error", .signed(2))],
      rows: (ordered + clips.filter { !$0.isComplete }).map {
        [.text($0.clip), .number($0.truth), .number($0.predicted), .number($0.error)]
      })
  }

  /// The first of `ordered`: exact ones are last.
  private var shown: [CountedClip] {
    ordered.count <= Self.limit ? ordered : ordered.prefix(Self.limit).filter { !$0.isExact }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let shown = shown
    let top = Legend(entries).drawRow(on: canvas, in: area) + 14
    let rows = rows(on: canvas.page)
    let room = Rect(
      left: area.left, top: top, right: area.right, bottom: area.bottom - footnote.height(ofWidth: area.width))
    rows.draw(on: canvas, in: room) { row, y, plot in draw(shown[row], on: canvas, at: y, plot, rows.axis) }
    footnote.draw(on: canvas, in: area)
  }

  /// The legend entries that occur among the clips shown.
  private var entries: [LegendEntry] {
    let shown = shown
    let candidates = [
      (shown.contains { $0.isWithinOne && !$0.isExact }, LegendEntry(.bar(.prediction), "off by at most one rep")),
      (shown.contains { !$0.isWithinOne }, LegendEntry(.bar(.worse), "off by more")),
      (true, LegendEntry(.tolerance, "one rep to either side")),
      (mean?.interval != nil, LegendEntry(.line(.uncertain), "95 % interval of the mean")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  /// The scale, with space for the numbers to the right of the longest bars.
  private func scale(of shown: [CountedClip]) -> LinearScale {
    var values = [-1, 1] + shown.map(\.error)
    if let mean { values += [mean.value, mean.interval?.lowerBound ?? 0, mean.interval?.upperBound ?? 0] }
    let finite = values.filter { abs($0) < 1e12 }
    let (least, most) = (finite.min() ?? -1, finite.max() ?? 1)
    let room = 0.2 * (most - least)
    return LinearScale((least - room)...(most + room), isWhole: true)
  }

  private func draw(_ clip: CountedClip, on canvas: Canvas, at y: Double, _ plot: Rect, _ axis: Axis) {
    guard let zero = axis.position(of: 0, in: plot), let end = axis.position(of: clip.error, in: plot) else { return }
    let bar = Rect(left: min(zero, end), top: y - 8, right: max(zero, end), bottom: y + 8)
    canvas.fill(bar, clip.isWithinOne ? .prediction : .worse)
    guard !canvas.page.isNarrow else { return }
    let place = Point(x: clip.error < 0 ? bar.left - 8 : bar.right + 8, y: y)
    canvas.text(words(clip), at: place, Anchor(clip.error < 0 ? .right : .left, .middle), .note)
  }

  private func words(_ clip: CountedClip) -> String {
    clip.isExact
      ? "exact (\(NumberText.plain(clip.truth, decimals: 2)))" : "\(NumberText.signed(clip.error))  (\(clip.change))"
  }

  private var footnote: Footnote { Footnote(remainder) }

  /// The parts that are not in the picture.
  private var remainder: String {
    let shown = shown
    let key = "; in brackets: true → predicted"
    let others = clips.count - shown.count
    guard others > 0 else { return clips.isEmpty ? "no clips" : "all clips shown\(key)" }
    let hidden = ordered.dropFirst(shown.count)
    let exact = hidden.count(where: \.isExact)
    let near = hidden.count(where: \.isWithinOne) - exact
    let parts = [
      (exact, "exact"), (near, "off by at most one rep"), (hidden.count - exact - near, "off by more"),
      (clips.count - ordered.count, "without a count"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    guard exact < others else { return "\(NumberText.count(exact, "exact clip")) not shown\(key)" }
    return "\(NumberText.count(others, "clip")) not shown: \(parts.joined(separator: ", "))\(key)"
  }
}

extension ChartRecipe {
  static let errors = ChartRecipe(
    "errors", "Count error of each clip, the worst first, and the mean with its interval.",
    inReport: (file: "count-errors.png", heading: "Count error of each clip", isAside: true)
  ) { CountErrorByClip($0, $1) }
}

extension CountErrorByClip {
  /// The clips with both a labelled and a predicted count.
  public init(_ results: RunResults, _ counter: String) {
    let counted = results.showing { $0.countError(counter) != nil }
    self.init(
      source: counted.source(counter), clips: counted.counted(counter), subjects: counted.subjectCount,
      mean: results.estimate(counter, "count.bias"))
  }
}
