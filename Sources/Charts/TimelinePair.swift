import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

/// One clip with two settings: the true reps or strokes, each setting's detections with its signal and thresholds, and
/// the changed detections. Detectors of neither show states and cues.
public struct TimelinePair: Chart {
  /// One of the two settings.
  public struct Setting: Hashable, Sendable {
    public var name: String
    /// The decisive signal; `nil` for none.
    public var signal: SignalSeries?
    public var reps: [TimedRep]
    /// Whether this setting found each true rep.
    public var found: [Bool]
    /// The states, for a detector without reps.
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

  public var clip: String
  /// The detector; empty if unknown.
  public var detector: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// The duration in seconds; if NaN, the timelines end with the last signal or rep.
  public var duration: Double
  /// The kind of detection, in the singular: `rep`, `stroke`; `nil` for neither.
  public var kind: String?
  public var trueReps: [TimedRep]
  /// The labels with the names of the detector's states.
  public var trueIntervals: [TimedPhase]
  public var before: Setting
  public var after: Setting

  public init(
    clip: String, detector: String = "", source: String, duration: Double = .nan, kind: String? = "rep",
    trueReps: [TimedRep], trueIntervals: [TimedPhase] = [], before: Setting, after: Setting
  ) {
    self.clip = clip
    self.detector = detector
    self.source = source
    self.duration = duration
    self.kind = kind
    self.trueReps = trueReps
    self.trueIntervals = trueIntervals
    self.before = before
    self.after = after
  }

  /// `3 of 4 reps found with bottomAngle 100, 0 with bottomAngle 90`
  public var title: String {
    if let agreement { return agreement }
    guard let kind else {
      return "\(NumberText.count(before.cues.count, "cue")) with \(before.name), \(after.cues.count) with \(after.name)"
    }
    let found = [before, after].map { setting in trueReps.indices.count { isFound($0, by: setting) } }
    return
      "\(found[1]) of \(NumberText.count(trueReps.count, kind)) found with \(after.name), \(found[0]) with \(before.name)"
  }

  /// `582 → 601 of 709 s named as labelled`; `nil` if no states are labelled.
  private var agreement: String? {
    guard !trueIntervals.isEmpty else { return nil }
    let all = [before, after].map { $0.phases.agreement(with: trueIntervals) }
    let labelled = all.first?.labelled ?? 0
    let decimals = labelled < 100 ? 1 : 0
    return all.map { NumberText.fixed($0.right, decimals: decimals) }.joined(separator: " → ")
      + " of \(NumberText.fixed(labelled, decimals: decimals)) s named as labelled"
  }

  public var subtitle: String {
    func counts(_ count: (Setting) -> Int) -> String { "\(count(before)) → \(count(after))" }
    let clip = [
      source.hasSuffix(detector) ? clip : "\(clip), \(detector)", source,
      "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s",
    ]
    let findings =
      kind.map { kind in
        [
          NumberText.count(trueReps.count, "true \(kind)"), "\(counts(\.reps.count)) predicted",
          "\(gained.count) gained, \(lost.count) lost",
        ]
      } ?? [agreement, "\(counts(\.cues.count)) cues"].compactMap { $0 }
    return (clip + findings).joined(separator: " · ")
  }

  /// One row per true rep, then per false rep, then per cue and phase of a detector without reps.
  public var table: ChartTable {
    func row(_ lane: String, _ index: Int, _ start: Double, _ end: Double, _ before: String?, _ after: String?)
      -> [ChartTable.Cell]
    {
      [
        .text(lane), .count(index + 1), .number(start), .number(end), before.map { .text($0) } ?? .empty,
        after.map { .text($0) } ?? .empty,
      ]
    }
    func verdict(_ setting: Setting, _ index: Int) -> String? {
      kind == nil ? nil : isFound(index, by: setting) ? "found" : "missed"
    }
    func falseReps(_ setting: Setting, isAfter: Bool) -> [[ChartTable.Cell]] {
      setting.reps.enumerated().filter { !$0.element.isMatched }.map { index, rep in
        row("predicted", index, rep.start, rep.end, isAfter ? nil : "invented", isAfter ? "invented" : nil)
      }
    }
    func others(_ setting: Setting, isAfter: Bool) -> [[ChartTable.Cell]] {
      setting.phases.enumerated().map { index, phase in
        row("phase", index, phase.start, phase.end, isAfter ? nil : phase.name, isAfter ? phase.name : nil)
      }
        + setting.cues.enumerated().map { index, cue in
          row("cue", index, cue.time, cue.time, isAfter ? nil : cue.text, isAfter ? cue.text : nil)
        }
    }
    let rows = trueReps.enumerated().map {
      row("true", $0, $1.start, $1.end, verdict(before, $0), verdict(after, $0))
    }
    let labelled = trueIntervals.enumerated().map { row("labelled \($1.name)", $0, $1.start, $1.end, nil, nil) }
    let more = kind == nil ? others : falseReps
    return ChartTable(
      [
        "lane", "number", .init("start", unit: "s", .fixed(2)), .init("end", unit: "s", .fixed(2)), "before", "after",
      ],
      rows: rows + labelled + more(before, false) + more(after, true))
  }

  private func isFound(_ index: Int, by setting: Setting) -> Bool {
    setting.found.indices.contains(index) && setting.found[index]
  }

  /// The true reps that only the second or only the first setting finds.
  var gained: [TimedRep] { changed(from: before, to: after) }
  var lost: [TimedRep] { changed(from: after, to: before) }

  private func changed(from one: Setting, to other: Setting) -> [TimedRep] {
    trueReps.indices.filter { !isFound($0, by: one) && isFound($0, by: other) }.map { trueReps[$0] }
  }

  /// From the clip's start to its end, in seconds.
  var span: ClosedRange<Double> {
    let reps = (trueReps + before.reps + after.reps).flatMap { [$0.start, $0.end] }
    let times = [before, after].flatMap { $0.signal?.times ?? [] } + reps + trueIntervals.map(\.end)
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }
}

extension TimelinePair {
  public func bodyHeight(on page: Page) -> Double? {
    let halves = [before, after].reduce(0) { $0 + halfHeight(of: $1, on: page) }
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 8 + halves + 6 + below.height(on: page)
      + Self.axis(0...1).depth
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  private static let nameHeight = 38.0

  /// One setting with its name, its signal and its detections.
  private func halfHeight(of setting: Setting, on page: Page) -> Double {
    Self.nameHeight + (page.isNarrow ? 190 : 220) + said(by: setting).height(on: page)
  }

  private func said(by setting: Setting) -> [any Lane] {
    guard kind == nil else { return [RepLane(kind: "predicted", reps: setting.reps)] }
    return (phaseLane(of: setting).map { [$0] } ?? []) + [CueLane(cues: setting.cues)]
  }

  /// Both settings have a signal, or neither.
  private func phaseLane(of setting: Setting) -> PhaseLane? {
    guard kind == nil, !(before.phases + after.phases + trueIntervals).isEmpty else { return nil }
    return PhaseLane(phases: setting.phases, truth: trueIntervals)
  }

  /// The lanes common to both settings. The lane of changes shows the reps that only one setting finds.
  private var below: [any Lane] {
    let all = trueReps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
    let truth: [any Lane] = [RepLane(kind: "true", reps: all, matched: .truth)]
    return kind == nil ? (all.isEmpty ? [] : truth) : truth + [ChangeLane(gained: gained, lost: lost)]
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let time = Self.axis(span)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 8
    let bottom = area.bottom - time.depth
    let signals = [before, after].compactMap(\.signal)
    let names = [before, after].compactMap { phaseLane(of: $0)?.gutter }.max() ?? 0
    let plot = Rect(
      left: area.left + max(SignalPanel.gutter(on: page), min(names, 140)), top: top,
      right: area.right - SignalPanel.margin(for: signals, on: page), bottom: bottom)
    time.draw(on: canvas, around: plot)
    var y = top
    for setting in [before, after] {
      let lanes = said(by: setting)
      let end = y + halfHeight(of: setting, on: page)
      let signal = Rect(
        left: area.left, top: y + Self.nameHeight, right: plot.right, bottom: end - lanes.height(on: page))
      canvas.fill(Rect(left: plot.left - 1, top: y - 2, right: plot.right + 1, bottom: signal.top), .background)
      canvas.text(
        setting.name, at: Point(x: area.left, y: y + 10), Anchor(.left, .top), .heading, maxWidth: area.width)
      if let series = setting.signal {
        SignalPanel(signal: series, time: time, reps: trueReps, beside: signals.flatMap(\.levels))
          .draw(on: canvas, in: signal, left: plot.left)
      }
      lanes.draw(
        on: canvas, in: Rect(left: plot.left, top: signal.bottom, right: plot.right, bottom: end),
        names: area.left, time)
      y = end
    }
    below.draw(
      on: canvas, in: Rect(left: plot.left, top: y + 6, right: plot.right, bottom: bottom), names: area.left, time)
  }

  private var entries: [LegendEntry] {
    let predicted = kind == nil ? [] : before.reps + after.reps
    let (gained, lost) = kind == nil ? ([], []) : (gained, lost)
    let name = kind ?? "rep"
    let signals = [before, after].compactMap(\.signal)
    let said = trueIntervals.isEmpty ? [] : (before.phases + after.phases).judged(by: trueIntervals)
    let candidates: [(Bool, LegendEntry)] = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true \(name)")),
      (predicted.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted \(name), matched")),
      (predicted.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "predicted \(name), invented")),
      (!gained.isEmpty, LegendEntry(.bar(.better), "found now")),
      (!lost.isEmpty, LegendEntry(.outlinedBar(.worse), "no longer found")),
      (!trueIntervals.isEmpty, LegendEntry(.bar(.truth), "labelled")),
      (said.contains { $0.isRight == true }, LegendEntry(.bar(.prediction), "predicted, as labelled")),
      (said.contains { $0.isRight == false }, LegendEntry(.outlinedBar(.worse), "predicted, labelled differently")),
      (said.contains { $0.isRight == nil }, LegendEntry(.bar(.neutral), "predicted, not labelled")),
      (
        !signals.isEmpty && trueReps.contains(where: \.isComplete),
        LegendEntry(.faintShade(.truth), "during a true \(name)")
      ),
      (signals.contains { !$0.gaps.isEmpty }, LegendEntry(.shade(.uncertain), "no signal")),
    ]
    return candidates.filter(\.0).map(\.1)
  }
}

extension ChartRecipe {
  static let timelines = ChartRecipe(
    "timelines", "One clip with two settings: predictions of both, and the differences.",
    needs:
      "a run and its dataset; --set for the second setting; --clip (default: the worst); --detector",
    takes: [.run, .detector, .clip, .set]
  ) { context in
    let run = try context.storedRun()
    let results = run.results
    let definitions = try results.detectors.map { try context.registry.detector(named: $0.name) }
    let assignments = try context.assignments.flatMap { try Assignment.all($0, of: definitions) }
    guard let first = assignments.first else {
      throw EvaluationError.usage("timelines compares two settings: give the second one with --set")
    }
    var context = context
    context.detector = context.detector ?? first.detector
    let detector = try context.replayable(results)
    guard assignments.contains(where: { $0.detector == detector }) else {
      throw EvaluationError.usage("--set does not change \(detector)")
    }
    let clip = try context.clip(in: results, detector: detector)
    let changed = assignments.filter { $0.detector == detector }
    let settings = [
      try context.replay(clip, of: results, detector: detector),
      try context.replay(clip, of: results, detector: detector, replacing: changed),
    ].map { ReplayedSetting($0) }
    // The first signal with a changed threshold, if any.
    let signals = settings.map(\.signals)
    let moved = zip(signals[0], signals[1]).enumerated().first { $1.0.thresholds != $1.1.thresholds }?.offset ?? 0
    func pictured(_ setting: ReplayedSetting, _ value: (Assignment) -> Double?) -> TimelinePair.Setting {
      let words = changed.map { "\($0.parameter) \(NumberText.plain(value($0) ?? .nan))" }
      return setting.pictured(words.joined(separator: ", "), signal: moved)
    }
    let own = results.detectors.first { $0.name == detector }?.parameters ?? [:]
    let chart = TimelinePair(
      clip: clip.name, detector: detector, source: results.source(detector, on: clip), duration: clip.duration,
      kind: settings[0].kind, trueReps: settings[0].truth, trueIntervals: settings[0].states,
      before: pictured(settings[0]) { own[$0.parameter] },
      after: pictured(settings[1]) { $0.value })
    return [
      Picture(
        chart,
        notes: [
          context.replayNote(clip, results), "and replayed with \(context.assignments.joined(separator: ", "))",
        ],
        metadata: run.metadata + [("Set", context.assignments.joined(separator: ", "))])
    ]
  }
}

/// A setting's reps or strokes on a clip, matched with the labels.
private struct ReplayedSetting {
  let clip: ReplayedClip
  /// The kind of detection, in the singular; `nil` for a detector without reps or labelled strokes.
  let kind: String?
  let truth: [TimedRep]
  private let predicted: [TimedRep]
  private let found: [Bool]

  var signals: [SignalSeries] { DecidingSignals(clip).picked.signals }
  /// The labels with the names of the detector's states.
  var states: [TimedPhase] { kind == nil ? clip.labels.states(namedBy: clip.setting.profile) : [] }

  init(_ clip: ReplayedClip) {
    self.clip = clip
    if let strokes = clip.strokes {
      let pairs = StrokePairs(strokes, in: clip.labels.intervals)
      func reps(_ strokes: [TimedStroke]) -> [TimedRep] {
        strokes.map { TimedRep(start: $0.start, end: $0.end, turn: $0.contact, isMatched: $0.isMatched) }
      }
      (kind, truth, predicted) = ("stroke", reps(pairs.truth), reps(pairs.predicted))
      found = pairs.truth.map(\.isMatched)
      return
    }
    let timeline = ClipTimeline(clip.result, detector: clip.setting.name, source: "")
    kind = clip.outcome?.reps == nil ? nil : "rep"
    truth = timeline.trueReps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
    predicted = timeline.predictedReps
    found = timeline.trueReps.map(\.isMatched)
  }

  func pictured(_ name: String, signal: Int) -> TimelinePair.Setting {
    let events = clip.timeline.events
    return TimelinePair.Setting(
      name: name, signal: signals.indices.contains(signal) ? signals[signal] : nil, reps: predicted, found: found,
      phases: events.phases(until: clip.timeline.times.last ?? 0), cues: events.cues)
  }
}
