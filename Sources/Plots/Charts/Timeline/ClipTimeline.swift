/// One clip over time: what the detector saw, the thresholds it decided by, and true above predicted reps, so that a
/// miscount can be traced to its moment.
public struct ClipTimeline: Chart {
  /// The clip's name.
  public var title: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// In seconds; where it is missing, the timeline ends with the last signal, rep or cue.
  public var duration: Double
  /// One panel each, from the top down.
  public var signals: [SignalSeries]
  public var trueReps: [TimedRep]
  public var predictedReps: [TimedRep]
  /// Whether the reps of both sides were paired. Where they were not, none is called found, missed or false, and only the
  /// lanes that have reps are drawn.
  public var comparesReps: Bool
  /// Lanes of strokes are drawn where there are any; lanes of reps without any are then left out.
  public var trueStrokes: [TimedStroke]
  public var predictedStrokes: [TimedStroke]
  /// A lane of cues is drawn where there are any.
  public var cues: [TimedCue]
  /// A lane of the detector's states is drawn where there are any.
  public var phases: [TimedPhase]
  /// Poses at the moments that matter, in a strip below the time axis.
  public var moments: [PosedMoment]

  public init(
    clip: String, source: String, duration: Double = .nan, signals: [SignalSeries], trueReps: [TimedRep],
    predictedReps: [TimedRep], comparesReps: Bool = true, trueStrokes: [TimedStroke] = [],
    predictedStrokes: [TimedStroke] = [], cues: [TimedCue] = [], phases: [TimedPhase] = [], moments: [PosedMoment] = []
  ) {
    title = clip
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
    self.moments = moments
  }

  public var subtitle: String {
    func words(_ what: String, _ truth: [Bool], _ predicted: [Bool]) -> [String] {
      [
        "\(NumberText.count(truth.count, "true \(what)")), \(truth.count { !$0 }) missed",
        "\(predicted.count) predicted, \(predicted.count { !$0 }) false",
      ]
    }
    let clip = [source, "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s"]
    let reps =
      !comparesReps ? repCounts : hasReps ? words("rep", trueReps.map(\.isMatched), predictedReps.map(\.isMatched)) : []
    let strokes = hasStrokes ? words("stroke", trueStrokes.map(\.isMatched), predictedStrokes.map(\.isMatched)) : []
    return (clip + reps + strokes).joined(separator: " · ")
  }

  /// How many there are, where nothing is said of how they go together.
  private var repCounts: [String] {
    [
      trueReps.isEmpty ? nil : NumberText.count(trueReps.count, "true rep"),
      predictedReps.isEmpty ? nil : NumberText.count(predictedReps.count, "predicted rep"),
    ].compactMap { $0 }
  }

  private var hasStrokes: Bool { !trueStrokes.isEmpty || !predictedStrokes.isEmpty }
  private var hasReps: Bool { !hasStrokes || !trueReps.isEmpty || !predictedReps.isEmpty }

  public func bodyHeight(on page: Page) -> Double? {
    let plots = page.isNarrow ? 190 : signals.count < 2 ? 380 : signals.count == 2 ? 200 : 160.0
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 10 + plots * Double(max(1, signals.count))
      + lanes.height(on: page) + 6 + Self.axis(0...1).depth + strip
  }

  private static func axis(_ span: ClosedRange<Double>) -> Axis {
    Axis(LinearScale(span), edge: .bottom, title: "time (s)")
  }

  private var strip: Double { moments.isEmpty ? 0 : FigureRow.height }

  /// A row for each rep, stroke, cue, phase and pose; a stroke turns at its contact.
  public var table: [[String]] {
    func row(_ lane: String, _ number: Int, _ rep: TimedRep, _ verdicts: (matched: String, single: String)) -> [String]
    {
      [
        lane, "\(number)", NumberText.fixed(rep.start, decimals: 2), NumberText.fixed(rep.end, decimals: 2),
        rep.turn.map { NumberText.fixed($0, decimals: 2) } ?? NumberText.missing,
        !comparesReps ? "rep" : rep.isMatched ? verdicts.matched : verdicts.single,
      ]
    }
    func row(_ lane: String, _ number: Int, _ stroke: TimedStroke, _ verdict: String) -> [String] {
      [lane, "\(number)"]
        + [stroke.start, stroke.end, stroke.contact].map { NumberText.fixed($0, decimals: 2) }
        + ["\(stroke.label), \(verdict)"]
    }
    return [["lane", "number", "start (s)", "end (s)", "turn (s)", "what"]]
      + trueReps.enumerated().map { row("true", $0 + 1, $1, ("found", "missed")) }
      + predictedReps.enumerated().map { row("predicted", $0 + 1, $1, ("matched", "false")) }
      + trueStrokes.enumerated().map { row("true stroke", $0 + 1, $1, $1.isMatched ? "found" : "missed") }
      + predictedStrokes.enumerated().map { row("predicted stroke", $0 + 1, $1, $1.isMatched ? "matched" : "false") }
      + cues.enumerated().map { index, cue in
        let time = NumberText.fixed(cue.time, decimals: 2)
        return ["cue", "\(index + 1)", time, time, NumberText.missing, cue.text]
      }
      + phases.enumerated().map { index, phase in
        let times = [phase.start, phase.end].map { NumberText.fixed($0, decimals: 2) }
        return ["phase", "\(index + 1)"] + times + [NumberText.missing, phase.name]
      }
      + moments.enumerated().map { index, moment in
        let time = NumberText.fixed(moment.time, decimals: 2)
        return ["pose", "\(index + 1)", time, time, NumberText.missing, moment.caption]
      }
  }

  /// From the clip's start to its end, in seconds.
  private var span: ClosedRange<Double> {
    let reps = (trueReps + predictedReps).flatMap { [$0.start, $0.end] }
    let strokes = (trueStrokes + predictedStrokes).flatMap { [$0.start, $0.end] }
    let times = signals.flatMap(\.times) + reps + strokes + cues.map(\.time)
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let time = Self.axis(span)
    let lanes = lanes
    let top = Legend(entries).drawRow(on: canvas, in: area) + 10
    let bottom = area.bottom - strip - time.depth
    let laneTop = bottom - lanes.height(on: canvas.page) - 6
    let plot = Rect(
      left: area.left + SignalPanel.gutter(on: canvas.page), top: top,
      right: area.right - SignalPanel.margin(for: signals, on: canvas.page), bottom: bottom)

    // The axis comes first, as its grid runs behind everything.
    time.draw(on: canvas, around: plot)
    let figures = FigureRow(moments: moments)
    // Through the signals only: no line is to cross the lanes' texts.
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
    guard !moments.isEmpty else { return }
    let row = Rect(left: area.left, top: area.bottom - strip, right: area.right, bottom: area.bottom)
    figures.draw(on: canvas, in: row, below: (time, plot))
  }

  private var lanes: [any Lane] {
    let repLanes = [
      RepLane(kind: "true", reps: drawn(trueReps), matched: .truth),
      RepLane(kind: "predicted", reps: drawn(predictedReps)),
    ]
    let reps: [any Lane] = !comparesReps ? repLanes.filter { !$0.reps.isEmpty } : hasReps ? repLanes : []
    let strokes: [any Lane] =
      hasStrokes
      ? [
        StrokeLane(kind: "true", strokes: trueStrokes, matched: .truth),
        StrokeLane(kind: "predicted", strokes: predictedStrokes),
      ] : []
    let states: [any Lane] = phases.isEmpty ? [] : [PhaseLane(phases: phases)]
    return reps + strokes + states + (cues.isEmpty ? [] : [CueLane(cues: cues)])
  }

  /// Reps that were not compared are drawn as those with a partner.
  private func drawn(_ reps: [TimedRep]) -> [TimedRep] {
    comparesReps
      ? reps : reps.map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) }
  }

  /// What occurs in this clip.
  private var entries: [LegendEntry] {
    let all = trueReps + predictedReps
    let plain: [(Bool, LegendEntry)] = [
      (!trueReps.isEmpty, LegendEntry(.bar(.truth), "true rep")),
      (!predictedReps.isEmpty, LegendEntry(.bar(.prediction), "predicted rep")),
    ]
    let compared: [(Bool, LegendEntry)] = [
      (trueReps.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true rep, found")),
      (trueReps.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true rep, missed")),
      (predictedReps.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted rep, matched")),
      (predictedReps.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted rep, false")),
    ]
    let others: [(Bool, LegendEntry)] = [
      (all.contains { $0.turn != nil }, LegendEntry(.notchedBar(.truth), "turning point")),
      (trueStrokes.contains(where: \.isMatched), LegendEntry(.bar(.truth), "true stroke, found")),
      (trueStrokes.contains { !$0.isMatched }, LegendEntry(.outlinedBar(.worse), "true stroke, missed")),
      (predictedStrokes.contains(where: \.isMatched), LegendEntry(.bar(.prediction), "predicted stroke, matched")),
      (predictedStrokes.contains { !$0.isMatched }, LegendEntry(.bar(.worse), "predicted stroke, false")),
      (signals.contains { !$0.gaps.isEmpty }, LegendEntry(.shade(.uncertain), "no signal")),
    ]
    let candidates = (comparesReps ? compared : plain) + others
    return candidates.filter(\.0).map(\.1) + StickFigure.entries(for: moments.map(\.figure))
  }
}
