import Evaluation
import Plots

extension ComparisonReport {
  struct Picture {
    var file: String
    var heading: String
    var chart: any Chart
  }

  /// Of more metrics than this the first are drawn subject by subject.
  static let pairedLimit = 6

  /// The charts that this comparison has something for, in the order of the report.
  var pictures: [Picture] {
    let listed = comparison.metrics.filter(\.isListed)
    var pictures = [
      Picture(
        file: "gains.png", heading: "Gain in each metric",
        chart: DifferenceIntervals(
          source: source, differences: listed.map(difference), subjects: comparison.subjects, clips: comparison.clips))
    ]
    let counts = comparison.clipChanges.filter { $0.kind == .count }
    if !counts.isEmpty {
      pictures.append(
        Picture(
          file: "counts.png", heading: "Clips whose count changed",
          chart: PairedDots(
            title: "Clips whose count changed", source: source, kind: "clip", axisTitle: "reps counted",
            values: counts.map { change in
              PairedValue(
                name: clip(change), before: change.before ?? .nan,
                after: change.after ?? .nan, truth: change.truth, gain: change.gain ?? .nan)
            }, isWhole: true)))
    }
    let changed = listed.filter { !$0.change.isUnchanged && !$0.change.isPooled }
    let gating = changed.filter { $0.change.margin != nil }
    pictures += (gating.isEmpty ? changed : gating).prefix(Self.pairedLimit).enumerated().map { index, metric in
      let unit = metric.change.unit
      let heading = "\(metric.change.metric) of \(metric.change.detector), by subject"
      return Picture(
        file: "subjects-\(index + 1).png", heading: heading,
        chart: PairedDots(
          title: heading, source: source, kind: "subject",
          axisTitle: unit.isEmpty ? metric.change.metric : "\(metric.change.metric) (\(unit))",
          values: metric.subjects.map {
            PairedValue(
              name: withoutDataset($0.name), before: $0.before ?? .nan, after: $0.after ?? .nan, gain: $0.gain ?? .nan)
          }))
    }
    return pictures
  }

  private func difference(_ metric: PairedMetric) -> MetricDifference {
    let change = metric.change
    var remarks: [String] = []
    if change.isPooled { remarks.append("pooled, BCa") }
    if let test = metric.signFlip { remarks.append("p \(NumberText.probability(test.twoSided))") }
    if let adjusted = metric.adjustedP { remarks.append("Holm \(NumberText.probability(adjusted))") }
    return MetricDifference(
      name: comparison.results.detectors.count > 1 ? "\(change.detector) \(change.metric)" : change.metric,
      unit: change.unit,
      gain: Estimate(change.gain ?? .nan, lower: metric.interval?.low, upper: metric.interval?.high),
      margin: change.margin, remark: remarks.joined(separator: ", "))
  }

  private var source: String {
    let datasets = comparison.results.datasets.map { "\($0.origin == .synthetic ? "SYNTHETIC " : "")\($0.name)" }
    return datasets.joined(separator: ", ")
  }
}
