extension ReplayedSuite {
  /// The gating metrics, or the suite's own where none gates, on every slice but the subjects, whose values the metrics
  /// have.
  var sliceResults: [RunResults.SliceResult] {
    let gating = results.metrics.filter { $0.margin != nil }
    let chosen = gating.isEmpty ? results.metrics.filter(\.isListed) : gating
    return ClipSlice.all(of: results.clips, truths: truths).filter { $0.dimension != .subject }.flatMap { slice in
      let scored = slice.members.map { self.scored[$0] }
      return zip(results.detectors, profiles).enumerated().flatMap { index, detector in
        let own = chosen.filter { $0.detector == detector.0.name }.map(\.metric)
        let families = MetricFamilies.families(for: detector.1, matching: matching).filter { family in
          family.metrics.contains { own.contains($0.name) }
        }
        let clips = scored.map { $0[index] }
        let values = families.flatMap {
          RunResults.MetricResult.results(of: $0, detector: detector.0.name, clips: clips, withBootstrap: false)
        }
        return own.compactMap { name in values.first { $0.metric == name } }.map { value in
          RunResults.SliceResult(
            dimension: slice.dimension, slice: slice.value, detector: value.detector, metric: value.metric,
            unit: value.unit, value: value.value, interval: value.interval, definedSubjects: value.definedSubjects,
            subjects: value.bySubject.count, clips: value.clips,
            bySubject: value.isPooled == true ? nil : value.bySubject)
        }
      }
    }
  }
}
