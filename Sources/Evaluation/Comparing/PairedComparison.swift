import Statistics

/// Two results on the same clips: what changed, how sure it is that people like these would see the difference, and
/// where it lies.
///
/// The facts are exact: the same detector at the same parameters says the same of the same clip. The inference is on
/// subjects, each paired with itself: Student's t interval on the mean gain and the exact sign-flip test, with p values
/// of the metrics that gate corrected by Holm and those of slices by Benjamini and Hochberg. Metrics whose value is that
/// of all clips together have a bootstrap interval: see `PooledDifference`.
public struct PairedComparison: Sendable {
  public static let level = 0.95

  /// `squat-states.bottomAngle: 90 → 95`; empty where two detectors are compared.
  public let changedParameters: [String]
  /// What got worse before the rest; in each the kinds in their order.
  public let clipChanges: [ClipChange]
  /// Of a baseline from before more was kept only counts are known.
  public let knowsCountsOnly: Bool
  /// The suite's own first.
  public let metrics: [PairedMetric]
  /// `nil` where a side was not replayed for the comparison.
  public let slices: [SlicedMetric]?
  /// The run whose clips, datasets and units these are; with the later values where both sides are runs.
  public let results: RunResults

  /// - Throws: `EvaluationError.missing` where the sides are not of the same dataset contents, clips, subjects, suite
  ///   version, matching, camera, detectors or metrics, `EvaluationError.usage` where both are the baseline.
  public init(from before: ComparisonSide, to after: ComparisonSide) throws {
    let comparison = try Comparison(from: before, to: after)
    guard let results = after.results ?? before.results else {
      throw EvaluationError.usage("expected a run beside the baseline, found the baseline twice")
    }
    self.results = results
    let areOthers = before.replayed?.profiles != after.replayed?.profiles
    let replays = before.replayed.flatMap { before in after.replayed.map { (before, $0) } }
    changedParameters = replays != nil && areOthers ? [] : comparison.changedParameters
    let (old, new) = (before.values, after.values)
    knowsCountsOnly = old.answers == nil || new.answers == nil
    let known = comparison.changedClips
    let moved = before.results.flatMap { before in
      after.results.map { ClipChange.moved(from: before, to: $0, besides: known) }
    }
    clipChanges = (known + (moved ?? [])).sorted(by: ClipChange.worseFirst)
    var metrics = comparison.changes.map { change in
      let own = results.metric(change.detector, change.metric)
      return PairedMetric(
        change, from: old.metric(change.detector, change.metric)?.bySubject ?? [:],
        to: new.metric(change.detector, change.metric)?.bySubject ?? [:], clips: own?.clips ?? results.clips.count,
        isListed: own?.isListed ?? false,
        pooled: own.flatMap { own in replays.flatMap { PooledDifference(own, from: $0.0, to: $0.1) } })
    }
    metrics.adjust(by: holm) { $0.change.margin != nil }
    self.metrics = metrics
    slices = try replays.map { try SlicedMetric.all(from: $0.0, to: $0.1) }
  }

  public var clips: Int { results.clips.count }
  public var subjects: Int { Set(results.clips.map { "\($0.dataset)/\($0.subject)" }).count }
}
