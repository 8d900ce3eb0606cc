/// One clip over time: what the detector saw, the thresholds it decided by, and true above predicted reps, so that a
/// miscount can be traced to its moment.
public struct ClipTimeline: Chart {
  public var clip: String
  /// What was played to; empty where that is not said.
  public var detector: String
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
  /// What people labelled by the names that the detector gives its states; they are held against each other.
  public var trueIntervals: [TimedPhase]
  /// Poses at the moments that matter, in a strip below the time axis.
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

  /// `s01_side_2, squat-states: 3 of 4 true reps found, 1 false`
  public var title: String {
    let name = detector.isEmpty ? clip : "\(clip), \(detector)"
    func found(_ what: String, _ truth: [Bool], _ predicted: [Bool]) -> String {
      let wrong = predicted.count { !$0 }
      return "\(truth.count { $0 }) of \(NumberText.count(truth.count, "true \(what)")) found"
        + (wrong > 0 ? ", \(wrong) false" : "")
    }
    let parts = [
      comparesReps && hasReps ? found("rep", trueReps.map(\.isMatched), predictedReps.map(\.isMatched)) : nil,
      hasStrokes ? found("stroke", trueStrokes.map(\.isMatched), predictedStrokes.map(\.isMatched)) : nil,
      comparesIntervals ? agreementWords : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? name : "\(name): \(parts.joined(separator: "; "))"
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

  var hasStrokes: Bool { !trueStrokes.isEmpty || !predictedStrokes.isEmpty }
  var hasReps: Bool { !hasStrokes || !trueReps.isEmpty || !predictedReps.isEmpty }

  /// A row for each rep, stroke, cue, phase, labelled interval and shown pose; a stroke turns at its contact.
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
      + trueIntervals.enumerated().map { index, interval in
        let times = [interval.start, interval.end].map { NumberText.fixed($0, decimals: 2) }
        return ["labelled", "\(index + 1)"] + times + [NumberText.missing, interval.name]
      }
      + figures.picked(atMost: figures.limit).enumerated().map { index, moment in
        let time = NumberText.fixed(moment.time, decimals: 2)
        return ["pose", "\(index + 1)", time, time, NumberText.missing, moment.caption]
      }
  }

  /// From the clip's start to its end, in seconds.
  var span: ClosedRange<Double> {
    let reps = (trueReps + predictedReps).flatMap { [$0.start, $0.end] }
    let strokes = (trueStrokes + predictedStrokes).flatMap { [$0.start, $0.end] }
    let times = signals.flatMap(\.times) + reps + strokes + cues.map(\.time) + trueIntervals.map(\.end)
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }

  var figures: FigureRow { FigureRow(moments: moments) }
}
