import Evaluation

extension RunReport {
  /// The slices on which a gating metric is other than at the baseline, by dimension.
  var changedSlices: [ChangedSliceModel] {
    ClipSlice.Dimension.allCases.compactMap { dimension in
      let changed = (slices ?? []).filter { $0.slice.dimension == dimension && !$0.metric.change.isUnchanged }
      guard !changed.isEmpty else { return nil }
      let header = [
        dimension.rawValue, "detector", "metric", "baseline", "now", "gain", "95 % interval", "adjusted p",
        "subjects on both sides", "clips",
      ]
      return ChangedSliceModel(
        dimension: dimension.rawValue, isFolded: dimension != .view, table: TableModel([header] + changed.map(row)))
    }
  }

  private func row(_ sliced: SlicedMetric) -> [String] {
    let (metric, change, unit) = (sliced.metric, sliced.metric.change, sliced.metric.change.unit)
    return [
      sliced.slice.value, change.detector, change.metric, NumberText.value(metric.pairedBefore, unit: unit),
      NumberText.quantity(metric.pairedAfter, unit: unit),
      NumberText.signed(change.gain, unit: unit), NumberText.interval(metric),
      metric.adjustedP.map { NumberText.probability($0) } ?? "n/a", "\(metric.pairs)", "\(metric.clips)",
    ]
  }
}
