import Evaluation
import Plots
import PoseModel
import Scoring

extension Drawing {
  static let timelines = Drawing(
    "timelines", "One clip under two settings: what each made of it, and what the second one changed.",
    needs: "a run and its dataset; --set for the second setting; --clip, or the worst; --detector",
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
    func setting(_ name: String, _ assignments: [Assignment]) throws -> TimelinePair.Setting {
      let replayed = try material.replay(clip, of: results, detector: detector, replacing: assignments)
      let predicted = replayed.timeline.events.compactMap { event -> Rep? in
        if case .rep(let rep) = event.kind { rep } else { nil }
      }
      let truth = replayed.labels.reps ?? []
      let pairs = results.repMatching.pairs(truth: truth, predicted: predicted)
      let (found, matched) = (Set(pairs.map(\.truth)), Set(pairs.map(\.predicted)))
      return TimelinePair.Setting(
        name: name, signal: replayed.timeline.signals.first,
        reps: predicted.enumerated().map { index, rep in
          TimedRep(
            start: rep.start.seconds, end: rep.end.seconds, turn: rep.turn?.seconds, isMatched: matched.contains(index))
        }, found: truth.indices.map(found.contains))
    }
    let own = results.detectors.first { $0.name == detector }?.parameters ?? [:]
    let changed = assignments.filter { $0.detector == detector }
    let chart = TimelinePair(
      clip: clip.name, source: run.source(detector), duration: clip.duration,
      trueReps: (clip.trueReps ?? []).map { TimedRep(start: $0.start, end: $0.end, turn: $0.turn, isMatched: true) },
      before: try setting(
        changed.map { "\($0.parameter) \(NumberText.plain(own[$0.parameter] ?? .nan))" }.joined(separator: ", "), []),
      after: try setting(
        changed.map { "\($0.parameter) \(NumberText.plain($0.value))" }.joined(separator: ", "), changed))
    return [
      Picture(
        chart,
        notes: [
          material.replayNote(clip, results), "and once more with \(material.assignments.joined(separator: ", "))",
        ],
        metadata: run.metadata)
    ]
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
