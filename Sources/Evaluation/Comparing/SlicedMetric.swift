import Scoring
import Statistics

/// A metric of the clips of one slice on two sides.
public struct SlicedMetric: Sendable {
  public let slice: ClipSlice
  public internal(set) var metric: PairedMetric

  /// Every listed metric on every slice: the slice's clips are scored again by the same metric families, so that a
  /// subject's value is that of its clips in the slice. P values are corrected over all of them. A value of all clips
  /// together, which has none, is compared without inference.
  static func all(from before: ReplayedSuite, to after: ReplayedSuite) throws -> [SlicedMetric] {
    let listed = after.results.metrics.filter(\.isListed)
    let sliced = try ClipSlice.all(of: after.results.clips, truths: after.truths).flatMap { slice -> [SlicedMetric] in
      let (old, new) = (before.metrics(of: slice), after.metrics(of: slice))
      return try listed.compactMap { metric in
        func isSame(_ other: RunResults.MetricResult) -> Bool {
          other.detector == metric.detector && other.metric == metric.metric
        }
        guard let old = old.first(where: isSame), var new = new.first(where: isSame) else { return nil }
        new.margin = metric.margin
        let value = Baseline.Value(
          detector: old.detector, metric: old.metric, value: old.value, bySubject: old.bySubject,
          isPooled: old.isPooled)
        let change = try Comparison.Change(new, before: value, in: "the slice")
        return SlicedMetric(
          slice: slice,
          metric: PairedMetric(
            change, from: old.bySubject, to: new.bySubject, clips: slice.members.count, isListed: true))
      }
    }
    var metrics = sliced.map(\.metric)
    metrics.adjust(by: benjaminiHochberg) { $0.signFlip != nil }
    return zip(sliced, metrics).map { SlicedMetric(slice: $0.slice, metric: $1) }
  }
}

extension ReplayedSuite {
  /// What people said of each clip, in the order of the clips.
  var truths: [Truth] { scored.map { $0.first?.truth ?? Truth() } }

  /// The metrics of a slice's clips alone.
  fileprivate func metrics(of slice: ClipSlice) -> [RunResults.MetricResult] {
    zip(results.detectors, profiles).enumerated().flatMap { index, detector in
      let clips = slice.members.map { scored[$0][index] }
      return MetricFamilies.families(for: detector.1, matching: matching).flatMap { family in
        RunResults.MetricResult.results(of: family, detector: detector.0.name, clips: clips, withIntervals: false)
      }
    }
  }
}
