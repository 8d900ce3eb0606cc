import Evaluation
import Plots
import Scoring

extension RunReport {
  /// What each detector that names frames or strokes took for what.
  var confusions: [Picture] {
    var isFirst = true
    return results.detectors.compactMap { detector in
      guard let classes = results.classes(detector.name) else { return nil }
      let isSwing = detector.kind == "swing"
      // What is neither true nor predicted would only take room.
      let truths = classes.labels.indices.filter { classes.support[$0] > 0 }
      let predictions = classes.labels.indices.filter { classes.predicted[$0] > 0 || classes.support[$0] > 0 }
      defer { isFirst = false }
      let family = isSwing ? "strokes" : "classes"
      return Picture(
        file: "classes-\(detector.name).png", heading: "What \(detector.name) takes for what",
        chart: ConfusionChart(
          source: "\(sources) · \(detector.name)", kind: isSwing ? "stroke" : "frame",
          truths: truths.map { classes.labels[$0] }, predictions: predictions.map { classes.labels[$0] },
          background: "none",
          counts: truths.map { row in predictions.map { classes.counts[row][$0] } },
          recalls: truths.map { recall(detector.name, "\(family).\(classes.labels[$0]).recall") },
          subjects: Set(results.clips.map { "\($0.dataset)/\($0.subject)" }).count,
          remarks: ["Recall is the mean of the subjects' shares."]
            + ["accuracy", isSwing ? "f1" : "macro-f1"].compactMap { remark(detector.name, "\(family).\($0)") }),
        isAside: !isFirst)
    }
  }

  private func recall(_ detector: String, _ name: String) -> Estimate {
    guard let metric = results.metric(detector, name), let value = metric.value else { return Estimate(.nan) }
    return Estimate(value, lower: metric.interval?.low, upper: metric.interval?.high)
  }
}
