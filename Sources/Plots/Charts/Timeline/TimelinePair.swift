/// One clip under two settings: the true reps or strokes, what each setting made of them under its own signal and
/// thresholds, and where the second one changed a verdict. Of a detector that finds neither, its states and its cues.
public struct TimelinePair: Chart {
  /// One of the two.
  public struct Setting: Hashable, Sendable {
    public var name: String
    /// What the setting decides by; `nil` where it shows nothing.
    public var signal: SignalSeries?
    public var reps: [TimedRep]
    /// For each true rep, whether this setting found it.
    public var found: [Bool]
    /// Drawn where the detector finds no reps.
    public var phases: [TimedPhase]
    public var cues: [TimedCue]

    public init(
      name: String, signal: SignalSeries?, reps: [TimedRep], found: [Bool], phases: [TimedPhase] = [],
      cues: [TimedCue] = []
    ) {
      self.name = name
      self.signal = signal
      self.reps = reps
      self.found = found
      self.phases = phases
      self.cues = cues
    }
  }

  /// The clip's name.
  public var title: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// In seconds; where it is missing, the timelines end with the last signal or rep.
  public var duration: Double
  /// What the detector finds, in the singular: `rep`, `stroke`; `nil` for one that finds neither.
  public var kind: String?
  public var trueReps: [TimedRep]
  public var before: Setting
  public var after: Setting

  public init(
    clip: String, source: String, duration: Double = .nan, kind: String? = "rep", trueReps: [TimedRep],
    before: Setting, after: Setting
  ) {
    title = clip
    self.source = source
    self.duration = duration
    self.kind = kind
    self.trueReps = trueReps
    self.before = before
    self.after = after
  }

  public var subtitle: String {
    func counts(_ count: (Setting) -> Int) -> String { "\(count(before)) → \(count(after))" }
    let clip = [source, "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s"]
    let findings =
      kind.map { kind in
        [
          NumberText.count(trueReps.count, "true \(kind)"), "\(counts(\.reps.count)) predicted",
          "\(gained.count) gained, \(lost.count) lost",
        ]
      } ?? ["\(counts(\.cues.count)) cues"]
    return (clip + findings).joined(separator: " · ")
  }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 8 + 2 * halfHeight(on: page) + 6
      + below.height(on: page) + Self.axis(0...1).depth
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  /// One setting with its name, its signal and what it found.
  private func halfHeight(on page: Page) -> Double {
    nameHeight + (page.isNarrow ? 190 : 220) + lanes(of: before).height(on: page)
  }

  /// The same lanes for both settings.
  private func lanes(of setting: Setting) -> [any Lane] {
    guard kind == nil else { return [RepLane(kind: "predicted", reps: setting.reps)] }
    let hasPhases = !before.phases.isEmpty || !after.phases.isEmpty
    return (hasPhases ? [PhaseLane(phases: setting.phases)] : []) + [CueLane(cues: setting.cues)]
  }

  /// What both settings share. Which of them found a rep stands in the lane of changes.
  private var below: [any Lane] {
    let all = trueReps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
    let truth: [any Lane] = [RepLane(kind: "true", reps: all, matched: .truth)]
    return kind == nil ? (all.isEmpty ? [] : truth) : truth + [ChangeLane(gained: gained, lost: lost)]
  }

  /// A row for each true rep, then for each false one, then for each cue and phase of a detector that finds none.
  public var table: [[String]] {
    func time(_ value: Double) -> String { NumberText.fixed(value, decimals: 2) }
    func verdict(_ setting: Setting, _ index: Int) -> String { isFound(index, by: setting) ? "found" : "missed" }
    let rows = trueReps.enumerated().map { index, rep in
      ["true", "\(index + 1)", time(rep.start), time(rep.end)]
        + (kind == nil ? ["", ""] : [verdict(before, index), verdict(after, index)])
    }
    func beside(_ words: String, _ isAfter: Bool) -> [String] { isAfter ? ["", words] : [words, ""] }
    func falseReps(_ setting: Setting, isAfter: Bool) -> [[String]] {
      setting.reps.enumerated().filter { !$0.element.isMatched }.map { index, rep in
        ["predicted", "\(index + 1)", time(rep.start), time(rep.end)] + beside("false", isAfter)
      }
    }
    func others(_ setting: Setting, isAfter: Bool) -> [[String]] {
      let phases = setting.phases.enumerated().map { index, phase in
        ["phase", "\(index + 1)", time(phase.start), time(phase.end)] + beside(phase.name, isAfter)
      }
      let cues = setting.cues.enumerated().map { index, cue in
        ["cue", "\(index + 1)", time(cue.time), time(cue.time)] + beside(cue.text, isAfter)
      }
      return phases + cues
    }
    let header = [["lane", "number", "start (s)", "end (s)", "before", "after"]]
    let more = kind == nil ? others : falseReps
    return header + rows + more(before, false) + more(after, true)
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
      let lanes = lanes(of: setting)
      let signal = Rect(
        left: area.left, top: y + nameHeight, right: plot.right, bottom: y + half - lanes.height(on: page))
      canvas.fill(Rect(left: plot.left - 1, top: y - 2, right: plot.right + 1, bottom: signal.top), .background)
      canvas.text(
        setting.name, at: Point(x: area.left, y: y + 10), Anchor(.left, .top), .heading, maxWidth: area.width)
      if let series = setting.signal {
        SignalPanel(
          signal: series, time: time, reps: trueReps, beside: [before, after].compactMap(\.signal).flatMap(\.levels)
        ).draw(on: canvas, in: signal, left: plot.left)
      }
      lanes.draw(
        on: canvas, in: Rect(left: plot.left, top: signal.bottom, right: plot.right, bottom: y + half),
        names: area.left, time)
      y += half
    }
    below.draw(
      on: canvas, in: Rect(left: plot.left, top: y + 6, right: plot.right, bottom: bottom), names: area.left, time)
  }

  private var entries: [LegendEntry] {
    let predicted = kind == nil ? [] : before.reps + after.reps
    let (gained, lost) = kind == nil ? ([], []) : (gained, lost)
    let name = kind ?? "rep"
    let candidates = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true \(name)")),
      (predicted.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted \(name), matched")),
      (predicted.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted \(name), false")),
      (!gained.isEmpty, LegendEntry(.bar(.better), "found now")),
      (!lost.isEmpty, LegendEntry(.outlinedBar(.worse), "no longer found")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}
