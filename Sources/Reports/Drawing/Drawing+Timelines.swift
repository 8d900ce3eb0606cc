import Evaluation
import Plots
import PoseModel
import Scoring

extension Drawing {
  static let timelines = Drawing(
    "timelines", "One clip under two settings: what each made of it, and what the second one changed.",
    needs:
      "a run and its dataset, of which it replays the clip; --set for the second setting; --clip, or the worst; --detector",
    takes: [.run, .detector, .clip, .set]
  ) { material in
    let run = try material.storedRun()
    let results = run.results
    let definitions = try results.detectors.map { try material.registry.detector(named: $0.name) }
    let assignments = try material.assignments.flatMap { try Assignment.all($0, of: definitions) }
    guard let first = assignments.first else {
      throw EvaluationError.usage("timelines compares the run's setting with another: give it by --set")
    }
    var material = material
    material.detector = material.detector ?? first.detector
    let detector = try material.replayable(results)
    guard assignments.contains(where: { $0.detector == detector }) else {
      throw EvaluationError.usage("--set changes nothing of \(detector)")
    }
    let clip = try material.clip(in: results, detector: detector)
    let changed = assignments.filter { $0.detector == detector }
    let settings = [
      try material.replay(clip, of: results, detector: detector),
      try material.replay(clip, of: results, detector: detector, replacing: changed),
    ].map { ReplayedSetting($0, results) }
    // The first signal of which a threshold is another, if there is one.
    let signals = settings.map(\.signals)
    let moved = zip(signals[0], signals[1]).enumerated().first { $1.0.thresholds != $1.1.thresholds }?.offset ?? 0
    func pictured(_ setting: ReplayedSetting, _ value: (Assignment) -> Double?) -> TimelinePair.Setting {
      let words = changed.map { "\($0.parameter) \(NumberText.plain(value($0) ?? .nan))" }
      return setting.pictured(words.joined(separator: ", "), signal: moved)
    }
    let own = results.detectors.first { $0.name == detector }?.parameters ?? [:]
    let chart = TimelinePair(
      clip: clip.name, detector: detector, source: run.source(detector), duration: clip.duration,
      kind: settings[0].kind, trueReps: settings[0].truth, trueIntervals: settings[0].states,
      before: pictured(settings[0]) { own[$0.parameter] },
      after: pictured(settings[1]) { $0.value })
    return [
      Picture(
        chart,
        notes: [
          material.replayNote(clip, results), "and once more with \(material.assignments.joined(separator: ", "))",
        ],
        metadata: run.metadata + [("Set", material.assignments.joined(separator: ", "))])
    ]
  }
}

/// What a setting made of a clip: the reps or the strokes that it found, paired with people's.
private struct ReplayedSetting {
  let clip: ReplayedClip
  /// What the detector finds, in the singular; `nil` for one that finds neither reps nor strokes that people marked.
  let kind: String?
  let truth: [TimedRep]
  private let predicted: [TimedRep]
  private let found: [Bool]

  var signals: [SignalSeries] { DecidingSignals(clip.timeline, of: clip.setting, on: clip.poses).picked.signals }
  /// What people labelled by the names of the detector's states.
  var states: [TimedPhase] { kind == nil ? clip.labels.states(namedBy: clip.setting.profile) : [] }

  init(_ clip: ReplayedClip, _ results: RunResults) {
    self.clip = clip
    if clip.setting.profile.kind == .swing {
      let pairs = StrokePairs(clip.labels, clip.timeline.events, within: results.repMatching.tolerance)
      func reps(_ strokes: [TimedStroke]) -> [TimedRep] {
        strokes.map { TimedRep(start: $0.start, end: $0.end, turn: $0.contact, isMatched: $0.isMatched) }
      }
      (kind, truth, predicted) = ("stroke", reps(pairs.truth), reps(pairs.predicted))
      found = pairs.truth.map(\.isMatched)
      return
    }
    let marked = clip.labels.reps ?? []
    let reps = clip.timeline.events.compactMap { event in if case .rep(let rep) = event.kind { rep } else { nil } }
    let pairs = results.repMatching.pairs(truth: marked, predicted: reps)
    let (right, matched) = (Set(pairs.map(\.truth)), Set(pairs.map(\.predicted)))
    func timed(_ rep: Rep, _ isMatched: Bool) -> TimedRep {
      TimedRep(start: rep.start.seconds, end: rep.end.seconds, turn: rep.turn?.seconds, isMatched: isMatched)
    }
    kind = clip.result.outcomes[clip.setting.name]?.reps == nil ? nil : "rep"
    truth = marked.map { timed($0, true) }
    predicted = reps.enumerated().map { timed($1, matched.contains($0)) }
    found = marked.indices.map(right.contains)
  }

  func pictured(_ name: String, signal: Int) -> TimelinePair.Setting {
    let events = clip.timeline.events
    return TimelinePair.Setting(
      name: name, signal: signals.indices.contains(signal) ? signals[signal] : nil, reps: predicted, found: found,
      phases: events.phases(until: clip.timeline.times.last ?? 0), cues: events.cues)
  }
}

extension RunResults {
  /// How the run paired reps, and strokes within the same tolerance.
  var repMatching: RepMatching {
    RepMatching(
      instant: RepMatching.Instant(rawValue: matching.instant) ?? .end,
      tolerance: Microseconds(seconds: matching.toleranceSeconds) ?? .zero)
  }
}
