import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

/// One clip over time: the detector's signals and thresholds, with true above predicted reps. It shows the moment of a
/// miscount.
public struct ClipTimeline: Chart {
  public var clip: String
  /// The detector; empty if unknown.
  public var detector: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// The duration in seconds; if NaN, the timeline ends with the last signal, rep or cue.
  public var duration: Double
  /// The signals, one panel each, from the top down.
  public var signals: [SignalSeries]
  public var trueReps: [TimedRep]
  public var predictedReps: [TimedRep]
  /// Whether true and predicted reps were matched. If not, no rep is called found, missed or false, and empty lanes are
  /// omitted.
  public var comparesReps: Bool
  /// The predicted and the true count, for reps whose times are not predicted or not labelled; `nil` for others.
  public var counts: (predicted: Int, truth: Int?)?
  /// Why a count is wrong where the times of the reps are not labelled, empty if unknown; `nil` for others.
  var countClues: [String]?
  /// The turns that nearly counted where the count is too low and the times of the reps are not labelled.
  package private(set) var nearly: [TimedRep] = []
  /// The number of true reps with a grade, for a detector that grades without counting; `nil` for others.
  public var gradedReps: Int?
  /// Of reps that people judged for faults, how many the detector judged alike; `nil` without any.
  public var judgedReps: (right: Int, all: Int)?
  /// Strokes; if there are any, empty lanes of reps are omitted.
  public var trueStrokes: [TimedStroke]
  public var predictedStrokes: [TimedStroke]
  /// The number of strokes that were found and named otherwise than labelled.
  public var misnamedStrokes = 0
  /// Cues; without any, their lane is omitted.
  public var cues: [TimedCue]
  /// The detector's states; without any, their lane is omitted.
  public var phases: [TimedPhase]
  /// Labels with the names of the detector's states, for comparison.
  public var trueIntervals: [TimedPhase]
  /// Poses at important moments, in a strip below the time axis.
  public var moments: [PosedMoment]
  /// The names of signals that have no panel.
  public var omitted: [String]

  public init(
    clip: String, detector: String = "", source: String, duration: Double = .nan, signals: [SignalSeries],
    trueReps: [TimedRep],
    predictedReps: [TimedRep], comparesReps: Bool = true, trueStrokes: [TimedStroke] = [],
    predictedStrokes: [TimedStroke] = [], cues: [TimedCue] = [], phases: [TimedPhase] = [],
    trueIntervals: [TimedPhase] = [], moments: [PosedMoment] = [], omitted: [String] = []
  ) {
    self.clip = clip
    self.detector = detector
    self.source = source
    self.duration = duration
    self.signals = signals
    self.trueReps = trueReps
    self.predictedReps = predictedReps
    self.comparesReps = comparesReps
    self.trueStrokes = trueStrokes
    self.predictedStrokes = predictedStrokes
    self.cues = cues
    self.phases = phases
    self.trueIntervals = trueIntervals
    self.moments = moments
    self.omitted = omitted
  }

  /// The number found and the first reason for a miss: `None of 4 reps found; rep 1: knee angle bottomed at 96°, needs
  /// < 90° (bottomAngle)`
  public var title: String {
    let parts = [
      comparesReps && hasReps
        ? Self.found(
          "rep", trueReps.map { ($0.isMatched, $0.reason) }, predictedReps.map { ($0.isMatched, $0.reason) }) : nil,
      hasStrokes
        ? Self.found(
          "stroke", trueStrokes.map { ($0.isMatched, $0.reason) }, predictedStrokes.map { ($0.isMatched, $0.reason) },
          misnamed: misnamedStrokes) : nil,
      comparesIntervals ? agreementWords : nil,
    ].compactMap { $0 }
    guard parts.isEmpty else { return parts.joined(separator: "; ").capitalizedFirst }
    if let counts {
      let truth = counts.truth.map { $0 == counts.predicted ? ", as labelled" : ", true \($0)" } ?? ""
      let clue = countClues.map { $0.first.map { "; \($0)" } ?? "" } ?? "; no times predicted"
      return "Counted \(NumberText.count(counts.predicted, "rep"))\(truth)\(clue)"
    }
    if let judgedReps {
      return "Faulty told from good on \(judgedReps.right) of \(NumberText.count(judgedReps.all, "rep"))"
    }
    if let gradedReps, !trueReps.isEmpty {
      return "\(gradedReps) of \(NumberText.count(trueReps.count, "rep")) graded"
    }
    return repCounts.isEmpty ? "No label to compare with" : "Not compared: \(repCounts.joined(separator: ", "))"
  }

  /// A rep or stroke, and the reason if it is missed or invented.
  private typealias Judged = (isFound: Bool, reason: String?)

  /// - Parameters:
  ///   - truth: Each true rep or stroke, found or missed.
  ///   - predicted: Each predicted one, matched or invented.
  private static func found(
    _ what: String, _ truth: [Judged], _ predicted: [Judged], misnamed: Int = 0
  ) -> String {
    let (found, wrong) = (truth.count(where: \.isFound), predicted.count { !$0.isFound })
    let invented = (misnamed > 0 ? ", \(misnamed) misnamed" : "") + (wrong > 0 ? ", \(wrong) invented" : "")
    guard !truth.isEmpty else {
      if wrong > 0 { return "no true \(what)\(invented)\(why("detection", predicted))" }
      return predicted.isEmpty
        ? "no \(what), and none reported"
        : "\(NumberText.count(predicted.count, what)) reported, none invented"
    }
    let all = NumberText.count(truth.count, what)
    guard found < truth.count else {
      let reason = wrong > 0 ? why("detection", predicted) : misnamed > 0 ? why(what, truth, isFound: true) : ""
      return (truth.count == 1 ? "the only \(what) found" : "all \(all) found") + invented + reason
    }
    return "\(found == 0 ? "none" : "\(found)") of \(all) found\(invented)\(why(what, truth))"
  }

  /// The first reason: `; rep 1: knee angle bottomed at 96°, needs < 90° (bottomAngle)`; without the rep if all share it.
  ///
  /// - Parameter isFound: Whether to say why found ones have another name, instead of why others are wrong.
  private static func why(_ what: String, _ items: [Judged], isFound: Bool = false) -> String {
    let reasons = items.enumerated().filter { $0.element.isFound == isFound }.compactMap { position, item in
      item.reason.map { (position: position, words: $0) }
    }
    let isShared = Set(reasons.map(\.words)).count == 1
    return reasons.first.map { isShared ? ": \($0.words)" : "; \(what) \($0.position + 1): \($0.words)" } ?? ""
  }

  private var comparesIntervals: Bool { !trueIntervals.isEmpty && !phases.isEmpty }

  /// `582 of 709 s named as labelled`
  private var agreementWords: String {
    let (labelled, right) = phases.agreement(with: trueIntervals)
    let decimals = labelled < 100 ? 1 : 0
    return "\(NumberText.fixed(right, decimals: decimals)) of \(NumberText.fixed(labelled, decimals: decimals)) "
      + "s named as labelled"
  }

  public var subtitle: String {
    func words(_ what: String, _ truth: [Bool], _ predicted: [Bool]) -> [String] {
      [
        "\(NumberText.count(truth.count, "true \(what)")), \(truth.count { !$0 }) missed",
        "\(predicted.count) predicted, \(predicted.count { !$0 }) invented",
      ]
    }
    let clip = [
      source.hasSuffix(detector) ? clip : "\(clip), \(detector)", source,
      "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s",
    ]
    let reps =
      !comparesReps ? repCounts : hasReps ? words("rep", trueReps.map(\.isMatched), predictedReps.map(\.isMatched)) : []
    let strokes = hasStrokes ? words("stroke", trueStrokes.map(\.isMatched), predictedStrokes.map(\.isMatched)) : []
    return (clip + reps + strokes).joined(separator: " · ")
  }

  /// The numbers of true and predicted reps, if they were not matched.
  private var repCounts: [String] {
    [
      trueReps.isEmpty ? nil : NumberText.count(trueReps.count, "true rep"),
      predictedReps.isEmpty ? nil : NumberText.count(predictedReps.count, "predicted rep"),
    ].compactMap { $0 }
  }

  var hasStrokes: Bool { !trueStrokes.isEmpty || !predictedStrokes.isEmpty }
  var hasReps: Bool { !hasStrokes || !trueReps.isEmpty || !predictedReps.isEmpty }

  /// One row per rep, stroke, cue, phase, labelled interval and shown pose; a stroke's contact is in the column `turn`.
  public var table: ChartTable {
    func row(_ lane: String, _ index: Int, _ start: Double, _ end: Double, turn: Double? = nil, _ what: String)
      -> [ChartTable.Cell]
    {
      [.text(lane), .count(index + 1), .number(start), .number(end), .number(turn), .text(what)]
    }
    func row(_ lane: String, _ index: Int, _ rep: TimedRep, _ verdicts: (matched: String, single: String))
      -> [ChartTable.Cell]
    {
      let verdict = !comparesReps ? "rep" : rep.isMatched ? verdicts.matched : verdicts.single
      let what = Self.words(verdict, rep.reason)
      return row(lane, index, rep.start, rep.end, turn: rep.turn, what)
    }
    func row(_ lane: String, _ index: Int, _ stroke: TimedStroke, _ verdict: String) -> [ChartTable.Cell] {
      row(
        lane, index, stroke.start, stroke.end, turn: stroke.contact,
        Self.words("\(stroke.label), \(verdict)", stroke.reason))
    }
    var rows = trueReps.enumerated().map { row("true", $0, $1, ("found", "missed")) }
    rows += predictedReps.enumerated().map { row("predicted", $0, $1, ("matched", "invented")) }
    rows += nearly.enumerated().map {
      row("nearly", $0, $1.start, $1.end, turn: $1.turn, Self.words("not counted", $1.reason))
    }
    rows += trueStrokes.enumerated().map { row("true stroke", $0, $1, $1.isMatched ? "found" : "missed") }
    rows += predictedStrokes.enumerated().map { row("predicted stroke", $0, $1, $1.isMatched ? "matched" : "invented") }
    rows += cues.enumerated().map { row("cue", $0, $1.time, $1.time, $1.text) }
    rows += phases.enumerated().map { row("phase", $0, $1.start, $1.end, $1.name) }
    rows += trueIntervals.enumerated().map { row("labelled", $0, $1.start, $1.end, $1.name) }
    rows += figures.picked(atMost: figures.limit).enumerated().map {
      row("pose", $0, $1.time, $1.time, $1.caption)
    }
    return ChartTable(
      [
        "lane", "number", .init("start", unit: "s", .fixed(2)), .init("end", unit: "s", .fixed(2)),
        .init("turn", unit: "s", .fixed(2)), "what",
      ],
      rows: rows)
  }

  /// `missed: knee angle bottomed at 141°, needs < 90° (bottomAngle)`
  private static func words(_ verdict: String, _ reason: String?) -> String {
    verdict + (reason.map { ": \($0)" } ?? "")
  }

  /// The first reasons for missed, misnamed and invented reps and strokes, a sentence each; empty if unknown.
  private var reasonSentences: [String] {
    func words(_ what: String, _ reasons: [String?]) -> [String] {
      reasons.enumerated().compactMap { index, reason in reason.map { "\(what) \(index + 1): \($0)" } }
    }
    func wrong(_ nouns: [String], _ reps: [TimedRep], _ strokes: [TimedStroke]) -> [String] {
      (comparesReps ? words(nouns[0], reps.map { $0.isMatched ? nil : $0.reason }) : [])
        + words(nouns[1], strokes.map { $0.isMatched ? nil : $0.reason })
    }
    func sentence(_ verdict: String, _ all: [String]) -> String? {
      let others = all.count - Self.shownReasons
      let shown: [String] = all.prefix(Self.shownReasons) + (others > 0 ? ["and \(others) more"] : [])
      return all.isEmpty ? nil : "\(verdict): \(shown.joined(separator: "; "))."
    }
    return [
      sentence("Missed", wrong(["rep", "stroke"], trueReps, trueStrokes)),
      sentence("Misnamed", words("stroke", trueStrokes.map { $0.isMatched ? $0.reason : nil })),
      sentence("Invented", wrong(["detection", "detection"], predictedReps, predictedStrokes)), countSentence,
    ].compactMap { $0 }
  }

  /// Why a count is wrong where the times of the reps are not labelled.
  private var countSentence: String? {
    guard let counts, let truth = counts.truth, let countClues, !countClues.isEmpty else { return nil }
    let what = counts.predicted > truth ? "Only just counted: " : nearly.isEmpty ? "" : "Nearly counted: "
    return "\(what)\(countClues.joined(separator: "; ")).".capitalizedFirst
  }

  private static let shownReasons = 3

  /// The time from the clip's start to its end, in seconds.
  var span: ClosedRange<Double> {
    let reps = (trueReps + predictedReps).flatMap { [$0.start, $0.end] }
    let strokes = (trueStrokes + predictedStrokes).flatMap { [$0.start, $0.end] }
    let times = signals.flatMap(\.times) + reps + strokes + cues.map(\.time) + trueIntervals.map(\.end)
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }

  var figures: FigureRow { FigureRow(moments: moments) }
}

extension ClipTimeline {
  public func bodyHeight(on page: Page) -> Double? {
    let plots = signals.isEmpty ? 40 : page.isNarrow ? 190 : signals.count < 2 ? 380 : signals.count == 2 ? 200 : 160.0
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 10 + plots * Double(max(1, signals.count))
      + lanes.height(on: page) + 6 + Self.axis(0...1).depth + strip(on: page) + noteHeight(on: page)
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  private func strip(on page: Page) -> Double {
    figures.height(ofWidth: page.bodyWidth, on: page, belowAxis: true)
  }

  /// The reasons for misses, and the parts that did not fit.
  private func note(on page: Page) -> Footnote? {
    let hidden = moments.count { $0.time.isFinite } - figures.shown(in: page.bodyWidth, on: page).count
    let parts = [
      omitted.isEmpty ? nil : "the signals \(omitted.joined(separator: ", "))",
      hidden > 0 ? "the poses at \(hidden) more \(hidden == 1 ? "moment" : "moments")" : nil,
    ].compactMap { $0 }
    let sentences =
      reasonSentences
      + (parts.isEmpty ? [] : ["Not drawn: \(parts.joined(separator: "; "))."])
    return sentences.isEmpty ? nil : Footnote(sentences.joined(separator: " "))
  }

  private func noteHeight(on page: Page) -> Double { note(on: page)?.height(ofWidth: page.bodyWidth) ?? 0 }

  /// The space to the left of the time axis.
  private func gutter(on page: Page) -> Double {
    max(SignalPanel.gutter(on: page), min(phaseLane?.gutter ?? 0, 140))
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let page = canvas.page
    let time = Self.axis(span)
    let lanes = lanes
    let strip = strip(on: page)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 10
    let end = area.bottom - noteHeight(on: page)
    let bottom = end - strip - time.depth
    let laneTop = bottom - lanes.height(on: page) - 6
    let plot = Rect(
      left: area.left + gutter(on: page), top: top,
      right: area.right - SignalPanel.margin(for: signals, on: page), bottom: bottom)

    // The axis comes first, as its grid runs behind everything.
    time.draw(on: canvas, around: plot)
    let figures = figures
    // Lines cross the signals only, not the lanes' texts.
    let marked = Rect(left: plot.left, top: top, right: plot.right, bottom: laneTop)
    figures.drawMoments(on: canvas, in: marked, time, width: area.width)
    let height = (laneTop - top) / Double(max(1, signals.count))
    for (index, signal) in signals.enumerated() {
      let y = top + Double(index) * height
      let room = Rect(left: area.left, top: y, right: plot.right, bottom: y + height)
      SignalPanel(signal: signal, time: time, reps: trueReps).draw(on: canvas, in: room, left: plot.left)
    }
    lanes.draw(
      on: canvas, in: Rect(left: plot.left, top: laneTop + 6, right: plot.right, bottom: bottom), names: area.left, time
    )
    if !moments.isEmpty {
      let row = Rect(left: area.left, top: end - strip, right: area.right, bottom: end)
      figures.draw(on: canvas, in: row, below: (time, plot))
    }
    note(on: page)?.draw(on: canvas, in: area)
  }

  private var phaseLane: PhaseLane? {
    phases.isEmpty && trueIntervals.isEmpty ? nil : PhaseLane(phases: phases, truth: trueIntervals)
  }

  private var lanes: [any Lane] {
    let repLanes = [
      RepLane(kind: "true", reps: drawn(trueReps), matched: .truth),
      RepLane(kind: "predicted", reps: drawn(predictedReps)),
    ]
    let nearLanes: [RepLane] = nearly.isEmpty ? [] : [RepLane(kind: "nearly", reps: nearly)]
    let reps: [any Lane] =
      !comparesReps ? repLanes.filter { !$0.reps.isEmpty } + nearLanes : hasReps ? repLanes : []
    let strokes: [any Lane] =
      hasStrokes
      ? [
        StrokeLane(kind: "true", strokes: trueStrokes, matched: .truth),
        StrokeLane(kind: "predicted", strokes: predictedStrokes),
      ] : []
    return reps + strokes + (phaseLane.map { [$0] } ?? []) + (cues.isEmpty ? [] : [CueLane(cues: cues)])
  }

  /// The reps to draw. If nothing was compared, all look matched.
  private func drawn(_ reps: [TimedRep]) -> [TimedRep] {
    comparesReps
      ? reps : reps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
  }

  /// The legend entries that occur in this clip.
  private var entries: [LegendEntry] {
    let all = trueReps + predictedReps
    let hasTurn = all.contains { $0.turn != nil }
    let isFilled = drawn(all).contains { $0.turn != nil && $0.isMatched }
    let plain: [(Bool, LegendEntry)] = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true rep")),
      (!predictedReps.isEmpty, LegendEntry(.bar(.prediction), "predicted rep")),
    ]
    let compared: [(Bool, LegendEntry)] = [
      (trueReps.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true rep, found")),
      (trueReps.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true rep, missed")),
      (predictedReps.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted rep, matched")),
      (predictedReps.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "predicted rep, invented")),
    ]
    let said = trueIntervals.isEmpty ? [] : phases.judged(by: trueIntervals)
    let others: [(Bool, LegendEntry)] = [
      (hasTurn, LegendEntry(isFilled ? .notchedBar(.truth) : .notchedOutline(.worse), "turning point")),
      (!nearly.isEmpty, LegendEntry(.outlinedBar(.worse), "nearly counted")),
      (trueStrokes.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true stroke, found")),
      (trueStrokes.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true stroke, missed")),
      (predictedStrokes.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted stroke, matched")),
      (predictedStrokes.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "predicted stroke, invented")),
      (!trueIntervals.isEmpty, LegendEntry(.bar(.truth), "labelled")),
      (said.contains { $0.isRight == true }, LegendEntry(.bar(.prediction), "predicted, as labelled")),
      (said.contains { $0.isRight == false }, LegendEntry(.outlinedBar(.worse), "predicted, labelled differently")),
      (said.contains { $0.isRight == nil }, LegendEntry(.bar(.neutral), "predicted, not labelled")),
      (
        !signals.isEmpty && trueReps.contains(where: \.isComplete),
        LegendEntry(.faintShade(.truth), "during a true rep")
      ),
      (signals.contains { !$0.gaps.isEmpty }, LegendEntry(.shade(.uncertain), "no signal")),
      (!signals.isEmpty && !moments.isEmpty, LegendEntry(.dottedLine(.quiet), "pose below")),
    ]
    let candidates = (comparesReps ? compared : plain) + others
    return candidates.filter(\.0).map(\.1) + StickFigure.entries(for: moments.map(\.figure))
  }
}

extension ClipTimeline {
  /// A replayed clip with all its detector's events.
  public init(_ clip: ReplayedClip, source: String, hasFigures: Bool = true) {
    self.init(clip.result, detector: clip.setting.name, source: source)
    showPhantoms(clip)
    showCount(clip)
    show(clip)
    if let strokes = clip.strokes { showStrokes(strokes, in: clip.labels.intervals, why: clip.strokeReasons) }
    if hasFigures { moments = Moments(poses: clip.poses, bones: clip.bones).posed(in: self) }
  }

  /// A replayed clip of a run with all its detector's events.
  init(_ clip: ReplayedClip, of results: RunResults, source: String) { self.init(clip, source: source) }

  /// Without labelled reps, what is counted while nobody does the exercise is invented.
  private mutating func showPhantoms(_ clip: ReplayedClip) {
    guard clip.strokes == nil, !comparesReps, clip.labels.hasNegativeTime,
      let reps = clip.result.outcomes[clip.setting.name]?.reps
    else { return }
    comparesReps = true
    for (index, counted) in reps.enumerated() {
      let isPhantom = clip.labels.isNegative(counted.rep)
      predictedReps[index].isMatched = !isPhantom
      predictedReps[index].reason = isPhantom ? counted.reason?.words ?? "nobody does the exercise here" : nil
    }
  }

  /// Where a count alone is labelled, how far each counted rep went, and why the count is wrong.
  private mutating func showCount(_ clip: ReplayedClip) {
    guard !comparesReps, let evidence = clip.countEvidence, let truth = clip.result.trueCount,
      let count = clip.outcome?.count
    else { return }
    for (index, reason) in evidence.counted where predictedReps.indices.contains(index) {
      predictedReps[index].reason = reason.words
    }
    counts = (predicted: count, truth: truth)
    countClues = evidence.clues(counted: count, true: truth).map(\.words)
    guard count < truth else { return }
    nearly = evidence.nearly.sorted { $0.turn < $1.turn }.map {
      TimedRep(
        start: $0.start.seconds, end: $0.end.seconds, turn: $0.turn.seconds, isMatched: false, reason: $0.reason.words)
    }
  }

  /// Adds a detector's thresholds and events, and the labels for them, except reps and strokes.
  private mutating func show(_ clip: ReplayedClip) {
    let timeline = clip.timeline
    let events = timeline.events.sorted { $0.reported < $1.reported }
    let profile = clip.setting.profile
    (signals, omitted) = DecidingSignals(clip).picked
    cues = events.cues
    phases = timeline.events.phases(until: timeline.times.last ?? 0)
    if profile.kind != .swing { trueIntervals = clip.labels.states(namedBy: profile) }
  }
}

extension GroundTruth {
  /// The labels with the names of a detector's states.
  ///
  /// Consecutive labels with one name are merged: some datasets label each second separately.
  func states(namedBy profile: DetectorProfile) -> [TimedPhase] {
    let named = intervals.filter { profile.tasks.labels.contains($0.label) }.sorted { $0.start < $1.start }
    return named.reduce(into: []) { states, interval in
      let (start, end) = (interval.start.seconds, interval.end.seconds)
      if let last = states.last, last.name == interval.label, start - last.end < 0.001 {
        states[states.count - 1].end = max(last.end, end)
      } else {
        states.append(TimedPhase(start: start, end: end, name: interval.label))
      }
    }
  }
}

extension ClipTimeline {
  /// Adds labelled and detected strokes with their matches.
  ///
  /// - Parameters:
  ///   - intervals: The labelled intervals. The shortest one around a true contact gives the stroke's duration.
  ///   - reasons: The reasons for misses, names and false detections, by index; `nil` if unknown.
  package mutating func showStrokes(
    _ strokes: StrokeMetrics.Matches, in intervals: [Segment],
    why reasons: (missed: [Int: RepReason], misnamed: [Int: RepReason], wrong: [Int: RepReason])? = nil
  ) {
    let pairs = StrokePairs(strokes, in: intervals)
    (trueStrokes, predictedStrokes) = (pairs.truth, pairs.predicted)
    misnamedStrokes = strokes.misnamed.count
    for (position, reason) in reasons?.missed ?? [:] { trueStrokes[position].reason = reason.words }
    for (position, reason) in reasons?.misnamed ?? [:] { trueStrokes[position].reason = reason.words }
    for (position, reason) in reasons?.wrong ?? [:] { predictedStrokes[position].reason = reason.words }
  }
}

/// True and predicted strokes with their matches.
struct StrokePairs {
  let truth: [TimedStroke]
  let predicted: [TimedStroke]

  init(_ strokes: StrokeMetrics.Matches, in intervals: [Segment]) {
    let (found, right) = (Set(strokes.pairs.map(\.truth)), Set(strokes.pairs.map(\.predicted)))
    truth = strokes.truth.enumerated().map { index, event in
      let interval = intervals.filter { $0.start <= event.time && event.time <= $0.end }
        .min { $0.end - $0.start < $1.end - $1.start }
      return TimedStroke(
        start: (interval?.start ?? event.time).seconds, end: (interval?.end ?? event.time).seconds,
        contact: event.time.seconds, label: event.label, isMatched: found.contains(index))
    }
    predicted = strokes.predicted.enumerated().map { index, stroke in
      TimedStroke(
        start: stroke.segment.start.seconds, end: stroke.segment.end.seconds, contact: stroke.contact.seconds,
        label: stroke.segment.label, isMatched: right.contains(index))
    }
  }
}

extension ChartRecipe {
  static let timeline = ChartRecipe(
    "timeline", "One clip over time: signals, thresholds, phases, true and predicted reps, cues, poses.",
    needs: "a run and its dataset; --clip (default: the worst); --detector",
    takes: [.run, .detector, .clip],
    inReport: { run in
      zip(run.replayed, run.headings).enumerated().map { index, clip in
        ReportPicture(
          file: "timeline-\(index + 1).png", heading: clip.1,
          chart: ClipTimeline(
            clip.0, of: run.results, source: run.results.source(clip.0.setting.name, on: clip.0.result)),
          part: .clip, isAside: index > 0)
      }
    }
  ) { context in
    let run = try context.storedRun()
    let detector = try context.replayable(run.results)
    let clip = try context.clip(in: run.results, detector: detector)
    let replayed = try context.replay(clip, of: run.results, detector: detector)
    return [
      Picture(
        ClipTimeline(replayed, of: run.results, source: run.results.source(detector, on: clip)),
        notes: [context.replayNote(clip, run.results)], metadata: run.metadata)
    ]
  }
}

extension ChartContext {
  /// The selected detector, or the first that counts, or the first.
  func replayable(_ results: RunResults) throws -> String {
    let counter = results.counter
    return try detector(in: results, having: "a detector") { $0 == detector || $0 == counter || counter == nil }
  }
}

extension ClipTimeline {
  /// A counter's reps on a clip of a run. They are compared only if reps are both labelled and predicted.
  init(_ clip: ClipResult, detector: String, source: String) {
    let predicted = clip.outcomes[detector]?.reps ?? []
    let found = Set(predicted.compactMap(\.matches))
    let missed = clip.outcomes[detector]?.missed ?? []
    self.init(
      clip: clip.name, detector: detector, source: source, duration: clip.duration, signals: [],
      trueReps: (clip.trueReps ?? []).enumerated().map {
        let position = $0
        return TimedRep(
          start: $1.start, end: $1.end, turn: $1.turn, isMatched: found.contains($0),
          reason: missed.first { $0.rep == position }?.reason.words)
      },
      predictedReps: predicted.map {
        TimedRep(
          start: $0.rep.start, end: $0.rep.end, turn: $0.rep.turn, isMatched: $0.matches != nil,
          reason: $0.reason?.words)
      }, comparesReps: clip.trueReps != nil && clip.outcomes[detector]?.reps != nil)
    guard let outcome = clip.outcomes[detector], outcome.reps == nil else { return }
    counts = outcome.count.map { (predicted: $0, truth: clip.trueCount) }
    if outcome.count == nil, outcome.graded.contains(where: { $0.rep != nil }) {
      gradedReps = outcome.graded.count { $0.predicted != nil }
    }
    let judged = (outcome.judged ?? []).filter { $0.rep != nil }
    if outcome.count == nil, !judged.isEmpty {
      judgedReps = (right: judged.count { $0.isFaulty == $0.isReported }, all: judged.count)
    }
  }
}
