/// One clip under two settings: the true reps, what each setting made of them under its own signal and thresholds, and
/// where the second one changed a verdict.
public struct TimelinePair: Chart {
  /// One of the two.
  public struct Setting: Hashable, Sendable {
    public var name: String
    /// What the setting decides by; `nil` where it shows nothing.
    public var signal: SignalSeries?
    public var reps: [TimedRep]
    /// For each true rep, whether this setting found it.
    public var found: [Bool]

    public init(name: String, signal: SignalSeries?, reps: [TimedRep], found: [Bool]) {
      self.name = name
      self.signal = signal
      self.reps = reps
      self.found = found
    }
  }

  /// The clip's name.
  public var title: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// In seconds; where it is missing, the timelines end with the last signal or rep.
  public var duration: Double
  public var trueReps: [TimedRep]
  public var before: Setting
  public var after: Setting

  public init(
    clip: String, source: String, duration: Double = .nan, trueReps: [TimedRep], before: Setting, after: Setting
  ) {
    title = clip
    self.source = source
    self.duration = duration
    self.trueReps = trueReps
    self.before = before
    self.after = after
  }

  public var subtitle: String {
    let counts = [before, after].map { "\($0.reps.count)" }.joined(separator: " → ")
    return [
      source, "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s",
      NumberText.count(trueReps.count, "true rep"), "\(counts) predicted", "\(gained.count) gained, \(lost.count) lost",
    ].joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 8 + 2 * halfHeight(on: page) + 6
      + below.height(on: page) + Self.axis(0...1).depth
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  /// One setting with its name, its signal and its reps.
  private func halfHeight(on page: Page) -> Double {
    nameHeight + (page.isNarrow ? 190 : 220) + RepLane(kind: "predicted", reps: []).height(on: page)
  }

  /// What both settings share. Which of them found a rep stands in the lane of changes.
  private var below: [any Lane] {
    let all = trueReps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
    return [RepLane(kind: "true", reps: all, matched: .truth), ChangeLane(gained: gained, lost: lost)]
  }

  /// A row for each true rep, then for each false one.
  public var table: [[String]] {
    func time(_ value: Double) -> String { NumberText.fixed(value, decimals: 2) }
    func verdict(_ setting: Setting, _ index: Int) -> String { isFound(index, by: setting) ? "found" : "missed" }
    let rows = trueReps.enumerated().map { index, rep in
      ["true", "\(index + 1)", time(rep.start), time(rep.end), verdict(before, index), verdict(after, index)]
    }
    let falseReps = [(before, 0), (after, 1)].flatMap { setting, position in
      setting.reps.enumerated().filter { !$0.element.isMatched }.map { index, rep in
        ["predicted", "\(index + 1)", time(rep.start), time(rep.end)]
          + (position == 0 ? ["false", ""] : ["", "false"])
      }
    }
    return [["lane", "number", "start (s)", "end (s)", "before", "after"]] + rows + falseReps
  }

  private func isFound(_ index: Int, by setting: Setting) -> Bool {
    setting.found.indices.contains(index) && setting.found[index]
  }

  /// The true reps that only the second or only the first setting finds.
  private var gained: [TimedRep] { changed(from: before, to: after) }
  private var lost: [TimedRep] { changed(from: after, to: before) }

  private func changed(from one: Setting, to other: Setting) -> [TimedRep] {
    trueReps.indices.filter { !isFound($0, by: one) && isFound($0, by: other) }.map { trueReps[$0] }
  }

  /// From the clip's start to its end, in seconds.
  private var span: ClosedRange<Double> {
    let reps = (trueReps + before.reps + after.reps).flatMap { [$0.start, $0.end] }
    let times = [before, after].flatMap { $0.signal?.times ?? [] } + reps
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }

  private let nameHeight = 38.0

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let time = Self.axis(span)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 8
    let bottom = area.bottom - time.depth
    let plot = Rect(
      left: area.left + SignalPanel.gutter(on: page), top: top,
      right: area.right - SignalPanel.margin(for: [before, after].compactMap(\.signal), on: page), bottom: bottom)
    time.draw(on: canvas, around: plot)
    let half = (bottom - top - below.height(on: page) - 6) / 2
    var y = top
    for setting in [before, after] {
      let lane = RepLane(kind: "predicted", reps: setting.reps)
      let signal = Rect(
        left: area.left, top: y + nameHeight, right: plot.right, bottom: y + half - lane.height(on: page))
      canvas.fill(Rect(left: plot.left - 1, top: y - 2, right: plot.right + 1, bottom: signal.top), .background)
      canvas.text(
        setting.name, at: Point(x: area.left, y: y + 10), Anchor(.left, .top), .heading, maxWidth: area.width)
      if let series = setting.signal {
        SignalPanel(
          signal: series, time: time, reps: trueReps, beside: [before, after].compactMap(\.signal).flatMap(\.levels)
        ).draw(on: canvas, in: signal, left: plot.left)
      }
      lane.draw(
        on: canvas, in: Rect(left: plot.left, top: signal.bottom, right: plot.right, bottom: y + half),
        names: area.left, time)
      y += half
    }
    below.draw(
      on: canvas, in: Rect(left: plot.left, top: y + 6, right: plot.right, bottom: bottom), names: area.left, time)
  }

  private var entries: [LegendEntry] {
    let predicted = before.reps + after.reps
    let candidates = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true rep")),
      (predicted.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted rep, matched")),
      (predicted.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted rep, false")),
      (!gained.isEmpty, LegendEntry(.bar(.better), "found now")),
      (!lost.isEmpty, LegendEntry(.outlinedBar(.worse), "no longer found")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}
