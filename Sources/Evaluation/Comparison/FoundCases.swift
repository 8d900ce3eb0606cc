import Pipeline
import Scoring

/// The true cases, such as reps, that both sides found, for a metric over found cases only.
///
/// A detector that stops finding its worst cases would look better on the rest. The sides are therefore compared on the
/// cases that both found, paired by clip and by the case's position in the ground truth.
struct FoundCases {
  let cases: MetricChange.Cases
  /// A subject's values on the cases that both sides found; a subject without such cases is absent.
  let bySubject: [String: (before: Double, after: Double)]
  /// A clip whose true cases are not the same on both sides: then nothing is paired.
  private(set) var otherCases: String?

  /// - Parameter clips: The clips that are compared.
  ///
  /// - Returns: `nil` for a metric over other cases, and if a side kept no cases.
  init?(
    _ metric: RunResults.MetricResult, of clips: some Sequence<ClipResult>, from before: Baseline, to after: Baseline
  ) {
    guard let statistic = metric.caseStatistic else { return nil }
    func kept(_ side: Baseline, _ clip: ClipResult) -> [Double?]? {
      side.clips[clip.id]?[metric.detector]?.cases?[metric.metric]
    }
    func keepsCases(_ side: Baseline) -> Bool {
      side.clips.values.contains { $0[metric.detector]?.cases?[metric.metric] != nil }
    }
    guard keepsCases(before), keepsCases(after) else { return nil }
    var found: [String: (before: Int, after: Int)] = [:]
    var shared: [String: (before: [Double], after: [Double])] = [:]
    for clip in clips {
      // A side keeps no cases of a clip without true cases, and of one on which it found none.
      var (old, new) = (kept(before, clip) ?? [], kept(after, clip) ?? [])
      if old.isEmpty { old = new.map { _ in nil } }
      if new.isEmpty { new = old.map { _ in nil } }
      guard old.count == new.count else {
        otherCases = clip.id
        (found, shared) = ([:], [:])
        break
      }
      for (old, new) in zip(old, new) {
        if old != nil { found[clip.person, default: (0, 0)].before += 1 }
        if new != nil { found[clip.person, default: (0, 0)].after += 1 }
        guard let old, let new else { continue }
        shared[clip.person, default: ([], [])].before.append(old)
        shared[clip.person, default: ([], [])].after.append(new)
      }
    }
    bySubject = shared.compactMapValues { values in
      statistic.value(of: values.before).flatMap { old in statistic.value(of: values.after).map { (old, $0) } }
    }
    cases = MetricChange.Cases(
      before: found.values.reduce(0) { $0 + $1.before }, after: found.values.reduce(0) { $0 + $1.after },
      onBoth: shared.values.reduce(0) { $0 + $1.before.count },
      lostSubjects: found.filter { $0.value.before > 0 && $0.value.after == 0 }.keys.sorted(),
      gainedSubjects: found.filter { $0.value.before == 0 && $0.value.after > 0 }.keys.sorted())
  }
}
