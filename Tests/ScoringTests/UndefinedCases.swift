import PoseModel
import Scoring

/// When a metric has no value, told from the clips by themselves as its `undefined` says it.
struct UndefinedCases {
  var matching: RepMatching
  var clips: [ScoredClip]

  /// `nil` for a metric that is not known here.
  func isUndefined(_ metric: String) -> Bool? {
    if let label = RandomClips.labels.first(where: { metric.hasPrefix("strokes.\($0).") }) {
      let isThere = strokes.contains { $0.truth.contains { $0.label == label } }
      let isSaid = strokes.contains { $0.predicted.contains { $0.segment.label == label } }
      switch metric {
      case "strokes.\(label).precision": return !isSaid
      case "strokes.\(label).recall": return !isThere
      case "strokes.\(label).f1": return !isThere && !isSaid
      default: return nil
      }
    }
    if let label = RandomClips.labels.first(where: { metric.hasPrefix("classes.\($0).") }) {
      let isThere = frames.contains { $0.truth == label }
      let isSaid = frames.contains { $0.said == label }
      switch metric {
      case "classes.\(label).precision": return !isSaid
      case "classes.\(label).recall": return !isThere
      case "classes.\(label).f1": return !isThere && !isSaid
      default: return nil
      }
    }
    if let fault = RandomClips.faults.first(where: { metric.hasPrefix("faults.\($0).") }) {
      switch metric {
      case "faults.\(fault).precision": return !isReported(fault)
      case "faults.\(fault).recall": return !isThere(fault)
      case "faults.\(fault).f1": return !isThere(fault) && !isReported(fault)
      default: return nil
      }
    }
    switch metric {
    case "count.exact", "count.off-by-one", "count.mae", "count.nmae-shifted", "count.bias": return counted.isEmpty
    case "count.nmae": return !counted.contains { ($0.truth.count ?? 0) > 0 }
    case "reps.precision": return !timed.contains { !$0.predicted.isEmpty }
    case "reps.recall": return !timed.contains { !$0.truth.isEmpty }
    case "reps.f1": return !timed.contains { !$0.predicted.isEmpty || !$0.truth.isEmpty }
    case "reps.timing-error", "reps.timing-bias", "latency.report":
      return !timed.contains { areAnyNear($0.truth, $0.predicted) }
    case "latency.live": return !live.contains { areAnyNear($0.reported, $0.live) }
    case "latency.live-lost": return !live.contains { !$0.reported.isEmpty }
    case "grades.spearman": return !vary(gradedByBoth.map(\.predicted)) || !vary(gradedByBoth.map(\.truth))
    case "grades.mae": return gradedByBoth.isEmpty
    case "grades.coverage": return graded.isEmpty
    case "grades.human-spearman": return !raters.contains { vary(alone($0)) && vary(others(than: $0)) }
    case "grades.human-mae": return !graded.contains { $0.ratings.count > 1 }
    case "faults.any.precision": return !judged.contains { $0.isReported }
    case "faults.any.recall": return !judged.contains { $0.isFaulty }
    case "faults.any.f1": return !judged.contains { $0.isReported || $0.isFaulty }
    case "grades.roc-auc": return Set(judged.filter(\.isGraded).map(\.isFaulty)).count < 2
    case "strokes.precision": return strokes.allSatisfy(\.predicted.isEmpty)
    case "strokes.recall": return strokes.allSatisfy(\.truth.isEmpty)
    case "strokes.f1": return strokes.allSatisfy { $0.truth.isEmpty && $0.predicted.isEmpty }
    case "strokes.accuracy", "strokes.timing-error", "strokes.timing-bias":
      return !strokes.contains { clip in
        clip.truth.contains { event in
          clip.predicted.contains { abs(($0.contact - event.time).count) <= matching.tolerance.count }
        }
      }
    case "classes.accuracy", "classes.balanced-accuracy", "classes.macro-f1": return frames.isEmpty
    case "classes.mcc": return Set(frames.map(\.truth)).count < 2 || Set(frames.map(\.said)).count < 2
    case "segments.f1-10", "segments.f1-25", "segments.f1-50", "segments.edit":
      return !clips.contains { $0.truth.segments.contains { RandomClips.labels.contains($0.label) } }
    case "cues.per-minute": return shown.isEmpty
    case "cues.repeats": return !shown.contains { $0.prediction.cues.contains { $0.fault != nil } }
    case "cues.delay": return !aboutJudged.contains(true)
    case "cues.missed": return !shown.contains { Self.judgements(of: $0).contains(where: \.isPresent) }
    case "cues.contradictions": return aboutJudged.isEmpty
    default: return nil
    }
  }

  private var strokes: [(truth: [LabelledInstant], predicted: [Prediction.Stroke])] {
    clips.map { clip in
      (clip.truth.events.filter { RandomClips.labels.contains($0.label) }, clip.prediction.strokes)
    }
  }

  /// Frames that people labelled with what the system can tell, and what it says of them.
  private var frames: [(truth: String, said: String)] {
    clips.flatMap { clip in
      clip.frames.compactMap { time in
        func label(_ segments: [Segment]) -> String? {
          segments.first { $0.start <= time && time < $0.end && RandomClips.labels.contains($0.label) }?.label
        }
        return label(clip.truth.segments).map { ($0, label(clip.prediction.segments) ?? "none") }
      }
    }
  }

  /// Clips in which time passes.
  private var shown: [ScoredClip] { clips.filter { $0.frames.count > 1 } }

  /// What raters said of reps and clips with a rep that is there.
  static func judgements(of clip: ScoredClip) -> [CueTally.Judgement] {
    guard let first = clip.frames.first else { return [] }
    let words = Dictionary(grouping: clip.truth.faults) { "\($0.name) \($0.rep ?? -1)" }
    return words.values.compactMap { words in
      guard let word = words.first else { return nil }
      return .init(
        fault: word.name, start: word.rep.flatMap { clip.truth.reps?[$0].start } ?? first,
        isPresent: 2 * words.count(where: \.present) > words.count)
    }
  }

  /// Of each cue about something that was judged, whether that is there.
  private var aboutJudged: [Bool] {
    shown.flatMap { clip in
      clip.prediction.cues.compactMap { cue in
        Self.judgements(of: clip).filter { $0.fault == cue.fault && $0.start <= cue.time }
          .max { $0.start < $1.start }?.isPresent
      }
    }
  }

  /// Reps, or clips, that raters looked at for any fault.
  private var judged: [(isFaulty: Bool, isReported: Bool, isGraded: Bool)] {
    clips.flatMap { clip in
      let seen = clip.prediction.judged
      let pairs = matching.pairs(truth: clip.truth.reps ?? [], predicted: seen.map(\.rep))
      return Set(clip.truth.faults.map(\.rep)).map { rep in
        let about = rep.map { rep in pairs.filter { $0.truth == rep }.map { seen[$0.predicted] } } ?? seen
        let isFaulty = RandomClips.faults.contains { fault in
          let words = clip.truth.faults.filter { $0.rep == rep && $0.name == fault }
          return 2 * words.count(where: \.present) > words.count
        }
        return (
          isFaulty,
          about.contains { judged in
            clip.truth.faults.contains { $0.rep == rep && judged.faults.contains($0.name) }
          }, about.contains { $0.grades[RandomClips.criterion] != nil }
        )
      }
    }
  }

  private var counted: [ScoredClip] { clips.filter { $0.truth.count != nil && $0.prediction.count != nil } }

  private var timed: [(truth: [Rep], predicted: [Rep])] {
    clips.compactMap { clip in
      guard let truth = clip.truth.reps, let predicted = clip.prediction.reps else { return nil }
      return (truth, predicted.map(\.rep))
    }
  }

  private var live: [(reported: [Rep], live: [Rep])] {
    clips.compactMap { clip in
      guard let reported = clip.prediction.reps, let live = clip.prediction.liveReps else { return nil }
      return (reported.map(\.rep), live.map(\.rep))
    }
  }

  private func areAnyNear(_ a: [Rep], _ b: [Rep]) -> Bool {
    func time(_ rep: Rep) -> Int64 {
      switch matching.instant {
      case .start: rep.start.count
      case .turn: rep.turn?.count ?? (rep.start.count + rep.end.count) / 2
      case .end: rep.end.count
      }
    }
    return a.contains { one in b.contains { abs(time(one) - time($0)) <= matching.tolerance.count } }
  }

  private var graded: [GradeMetrics.Graded] {
    clips.flatMap { GradeMetrics(matching: matching, criterion: RandomClips.criterion).tally($0) }
  }

  private var gradedByBoth: [(predicted: Double, truth: Double)] {
    graded.compactMap { graded in graded.predicted.map { ($0, mean(graded.ratings.values)) } }
  }

  private var raters: Set<String> { Set(graded.flatMap(\.ratings.keys)) }

  private func rated(by rater: String) -> [[String: Double]] {
    graded.map(\.ratings).filter { $0[rater] != nil && $0.count > 1 }
  }

  private func alone(_ rater: String) -> [Double] { rated(by: rater).compactMap { $0[rater] } }

  private func others(than rater: String) -> [Double] {
    rated(by: rater).map { mean($0.filter { $0.key != rater }.values) }
  }

  private func mean(_ values: some Collection<Double>) -> Double { values.sorted().reduce(0, +) / Double(values.count) }

  private func vary(_ values: [Double]) -> Bool { Set(values).count > 1 }

  /// Raters judged each rep of a clip, so that a report counts whether it is of a true rep or not.
  private func isReported(_ fault: String) -> Bool {
    clips.contains { clip in
      clip.truth.faults.contains { $0.name == fault } && clip.prediction.judged.contains { $0.faults.contains(fault) }
    }
  }

  private func isThere(_ fault: String) -> Bool {
    clips.contains { clip in
      Dictionary(grouping: clip.truth.faults.filter { $0.name == fault }, by: \.rep).values
        .contains { 2 * $0.count(where: \.present) > $0.count }
    }
  }
}
