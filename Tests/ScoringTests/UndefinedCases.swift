import PoseModel
import Scoring

/// What clips hold of each kind, from which a family's tests tell by themselves when a metric has no value.
struct UndefinedCases {
  var matching: RepMatching
  var clips: [LabelledPrediction]

  var strokes: [(truth: [LabelledInstant], predicted: [Prediction.Stroke])] {
    clips.filter(\.groundTruth.hasStrokeLabels).map { clip in
      (clip.groundTruth.events.filter { RandomClips.labels.contains($0.label) }, clip.prediction.strokes)
    }
  }

  /// Frames that people labelled with what the system can tell, and what it says of them.
  var frames: [(truth: String, said: String)] {
    clips.flatMap { clip in
      clip.frames.compactMap { time in
        func label(_ segments: [Segment]) -> String? {
          segments.first { $0.start <= time && time < $0.end && RandomClips.labels.contains($0.label) }?.label
        }
        return label(clip.groundTruth.intervals).map { ($0, label(clip.prediction.segments) ?? "none") }
      }
    }
  }

  /// Clips in which time passes.
  var shown: [LabelledPrediction] { clips.filter { $0.frames.count > 1 } }

  /// What raters said of reps and clips with a rep that is there.
  static func judgements(of clip: LabelledPrediction) -> [CueTally.Judgement] {
    guard let first = clip.frames.first else { return [] }
    let words = Dictionary(grouping: clip.groundTruth.faults) { "\($0.name) \($0.rep ?? -1)" }
    return words.values.compactMap { words in
      guard let word = words.first else { return nil }
      return .init(
        fault: word.name, start: word.rep.flatMap { clip.groundTruth.reps?[$0].start } ?? first,
        isPresent: 2 * words.count(where: \.present) > words.count)
    }
  }

  /// Of each cue about something that was judged, whether that is there.
  var aboutJudged: [Bool] {
    shown.flatMap { clip in
      clip.prediction.cues.compactMap { cue in
        Self.judgements(of: clip).filter { $0.fault == cue.fault && $0.start <= cue.time }
          .max { $0.start < $1.start }?.isPresent
      }
    }
  }

  /// Reps, or clips, that raters looked at for any fault.
  var judged: [(isFaulty: Bool, isReported: Bool, isGraded: Bool)] {
    clips.flatMap { clip in
      let seen = clip.prediction.judged
      let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: seen.map(\.rep))
      return Set(clip.groundTruth.faults.map(\.rep)).map { rep in
        let about = rep.map { rep in pairs.filter { $0.truth == rep }.map { seen[$0.predicted] } } ?? seen
        let isFaulty = RandomClips.faults.contains { fault in
          let words = clip.groundTruth.faults.filter { $0.rep == rep && $0.name == fault }
          return 2 * words.count(where: \.present) > words.count
        }
        return (
          isFaulty,
          about.contains { judged in
            clip.groundTruth.faults.contains { $0.rep == rep && judged.faults.contains($0.name) }
          }, about.contains { $0.grades[RandomClips.criterion] != nil }
        )
      }
    }
  }

  var counted: [LabelledPrediction] { clips.filter { $0.groundTruth.repCount != nil && $0.prediction.count != nil } }

  var timed: [(truth: [Rep], predicted: [Rep])] {
    clips.compactMap { clip in
      guard let truth = clip.groundTruth.reps, let predicted = clip.prediction.reps else { return nil }
      return (truth, predicted.map(\.rep))
    }
  }

  var live: [(reported: [Rep], live: [Rep])] {
    clips.compactMap { clip in
      guard let reported = clip.prediction.reps, let live = clip.prediction.liveReps else { return nil }
      return (reported.map(\.rep), live.map(\.rep))
    }
  }

  func areAnyNear(_ a: [Rep], _ b: [Rep]) -> Bool {
    let tolerance = matching.tolerance ?? .zero
    func time(_ rep: Rep) -> Int64 {
      switch matching.instant {
      case .start: rep.start.count
      case .turn: rep.turn?.count ?? (rep.start.count + rep.end.count) / 2
      case .end: rep.end.count
      }
    }
    return a.contains { one in b.contains { abs(time(one) - time($0)) <= tolerance.count } }
  }

  var graded: [GradeMetrics.Graded] {
    clips.flatMap { GradeMetrics(matching: matching, criterion: RandomClips.criterion).tally($0) }
  }

  var gradedByBoth: [(predicted: Double, truth: Double)] {
    graded.compactMap { graded in graded.predicted.map { ($0, mean(graded.ratings.values)) } }
  }

  var raters: Set<String> { Set(graded.flatMap(\.ratings.keys)) }

  func rated(by rater: String) -> [[String: Double]] {
    graded.map(\.ratings).filter { $0[rater] != nil && $0.count > 1 }
  }

  func alone(_ rater: String) -> [Double] { rated(by: rater).compactMap { $0[rater] } }

  func others(than rater: String) -> [Double] {
    rated(by: rater).map { mean($0.filter { $0.key != rater }.values) }
  }

  func mean(_ values: some Collection<Double>) -> Double { values.sorted().reduce(0, +) / Double(values.count) }

  func vary(_ values: [Double]) -> Bool { Set(values).count > 1 }

  /// Raters judged each rep of a clip, so that a report counts whether it is of a true rep or not.
  func isReported(_ fault: String) -> Bool {
    clips.contains { clip in
      clip.groundTruth.faults.contains { $0.name == fault }
        && clip.prediction.judged.contains { $0.faults.contains(fault) }
    }
  }

  func isThere(_ fault: String) -> Bool {
    clips.contains { clip in
      Dictionary(grouping: clip.groundTruth.faults.filter { $0.name == fault }, by: \.rep).values
        .contains { 2 * $0.count(where: \.present) > $0.count }
    }
  }
}
