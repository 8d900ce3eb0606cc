import PoseModel
import Scoring

/// When a metric has no value, told from the clips by themselves as its `undefined` says it.
struct UndefinedCases {
  var matching: RepMatching
  var clips: [ScoredClip]

  /// `nil` for a metric that is not known here.
  func isUndefined(_ metric: String) -> Bool? {
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
    default: return nil
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
