import Statistics

extension SlicedMetric {
  /// The gating metrics on every slice of a run beside a baseline, from the subjects' values that both have kept. P values
  /// are corrected over all of them.
  ///
  /// - Returns: `nil` where the baseline, or the run, is of before they were kept.
  /// - Throws: `EvaluationError.missing` where a slice has other subjects.
  public static func all(of results: RunResults, beside baseline: Baseline) throws -> [SlicedMetric]? {
    guard let before = baseline.slices, let after = results.slices else { return nil }
    let sliced = try after.compactMap { slice -> SlicedMetric? in
      guard let values = slice.bySubject, var metric = results.metric(slice.detector, slice.metric),
        let old = before.first(where: {
          ($0.dimension, $0.slice, $0.detector, $0.metric)
            == (slice.dimension, slice.slice, slice.detector, slice.metric)
        })
      else { return nil }
      (metric.value, metric.bySubject, metric.isPooled) = (slice.value, values, nil)
      let kept = Baseline.Value(detector: old.detector, metric: old.metric, value: old.value, bySubject: old.bySubject)
      return SlicedMetric(
        slice: ClipSlice(dimension: slice.dimension, value: slice.slice, members: []),
        metric: PairedMetric(
          try Comparison.Change(metric, before: kept, in: "the baseline"), from: old.bySubject, to: values,
          clips: slice.clips, isListed: true))
    }
    var metrics = sliced.map(\.metric)
    metrics.adjust(by: benjaminiHochberg) { $0.signFlip != nil }
    return zip(sliced, metrics).map { SlicedMetric(slice: $0.slice, metric: $1) }
  }
}
