import Evaluation
import Plots

extension ComparisonRecord {
  /// Of more metrics than this the first are drawn subject by subject.
  private static let pairedLimit = 6

  /// The charts that this comparison has something for, in the order of the report.
  var pictures: [ReportPicture] { [gains] + changes }

  /// The gain in each metric that the suite names.
  var gains: ReportPicture {
    ReportPicture(
      file: "gains.png", heading: "Gain in each metric",
      chart: DifferenceIntervals(
        source: datasets.sources, differences: metrics.filter(\.isListed).map(difference), subjects: subjects,
        clips: clips))
  }

  /// The clips whose count changed, and the subjects' values of metrics that did.
  var changes: [ReportPicture] {
    let counts = clipChanges.filter { $0.kind == .count }
    let changed = metrics.filter { $0.isListed && !$0.isUnchanged && $0.isPooled != true }
    let gating = changed.filter { $0.margin != nil }
    return (counts.isEmpty ? [] : [picture(of: counts)])
      + (gating.isEmpty ? changed : gating).prefix(Self.pairedLimit).enumerated().map { index, metric in
        picture(of: metric, number: index + 1)
      }
  }

  private func picture(of counts: [ClipChange]) -> ReportPicture {
    ReportPicture(
      file: "counts.png", heading: "Clips whose count changed",
      chart: PairedDots(
        title: "Clips whose count changed", source: datasets.sources, kind: "clip", axisTitle: "reps counted",
        values: counts.map { change in
          PairedValue(
            name: names.clip(change), before: change.before ?? .nan, after: change.after ?? .nan, truth: change.truth,
            gain: change.gain ?? .nan)
        }, isWhole: true))
  }

  private func picture(of metric: Metric, number: Int) -> ReportPicture {
    let heading = "\(metric.metric) of \(metric.detector), by subject"
    return ReportPicture(
      file: "subjects-\(number).png", heading: heading,
      chart: PairedDots(
        title: heading, source: datasets.sources, kind: "subject",
        axisTitle: metricTitle(metric.metric, unit: metric.unit, metric.direction),
        values: (metric.bySubject ?? [:]).sorted { $0.key < $1.key }.map { name, values in
          PairedValue(
            name: names.withoutDataset(name), before: values.before ?? .nan, after: values.after ?? .nan,
            gain: values.gain ?? .nan)
        }))
  }

  private func difference(_ metric: Metric) -> MetricDifference {
    var remarks: [String] = []
    if metric.isPooled == true { remarks.append("pooled, BCa") }
    if let p = metric.p { remarks.append("p \(NumberText.probability(p))") }
    if let adjusted = metric.adjustedP { remarks.append("Holm \(NumberText.probability(adjusted))") }
    return MetricDifference(
      name: detectors.count > 1 ? "\(metric.metric) \(metric.detector)" : metric.metric, unit: metric.unit,
      gain: Estimate(metric.gain ?? .nan, lower: metric.low, upper: metric.high), margin: metric.margin,
      remark: remarks.joined(separator: ", "))
  }

  var names: ComparisonNames { ComparisonNames(datasets: datasets.count, kinds: detectors) }
}
