import Files
import Pipeline
import PoseModel

/// A run with the tallies that it was scored from, which allow scoring parts of it.
public struct ReplayedSuite: Sendable {
  public internal(set) var results: RunResults
  /// The ground truth of each clip, in the order of `results.clips`.
  let groundTruth: [GroundTruth]
  /// By detector in the order of `results.detectors`, then by clip in the order of `results.clips`.
  let tallies: TallyTable

  /// The metrics of some clips alone.
  ///
  /// - Parameter metrics: Only families with one of these, by detector.
  func metrics(
    ofClips clips: [Int], among metrics: [String: Set<String>]
  ) -> [RunResults.MetricResult] {
    results.detectors.enumerated().flatMap { index, detector in
      tallies.results(
        of: index, called: detector.name, metrics: metrics[detector.name] ?? [], clips: clips)
    }
  }

  /// The gating metrics, or the suite's own if none gates, on every slice except subjects, whose values the metrics
  /// already have.
  var sliceResults: [RunResults.SliceResult] {
    let gating = results.metrics.filter { $0.margin != nil }
    let chosen = gating.isEmpty ? results.metrics.filter(\.isListed) : gating
    let names = Dictionary(grouping: chosen, by: \.detector).mapValues { Set($0.map(\.metric)) }
    let slices = ClipSlice.all(of: results.clips, truths: groundTruth).filter { $0.dimension != .subject }
    return concurrently(slices.count) { index in
      let slice = slices[index]
      let values = metrics(ofClips: slice.members, among: names)
      return results.detectors.flatMap { detector in
        chosen.filter { $0.detector == detector.name }.compactMap { values.first(of: $0.metricID) }
      }.filter { $0.clips > 0 }.map { value in
        RunResults.SliceResult(
          dimension: slice.dimension, slice: slice.value, detector: value.detector, metric: value.metric,
          unit: value.unit, value: value.value, interval: value.interval, definedSubjects: value.definedSubjects,
          subjects: value.bySubject.count, clips: value.clips,
          bySubject: value.bySubject, isPooled: value.isPooled, withoutSubject: value.withoutSubject)
      }
    }.flatMap(\.self)
  }
}
