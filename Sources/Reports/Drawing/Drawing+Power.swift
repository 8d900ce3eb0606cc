import Evaluation
import Plots

extension Drawing {
  static let power = Drawing(
    "power", "How the chance that a loss is shown grows with the number of subjects.",
    needs: "a run; --metric, or the first that gates"
  ) { material in
    let run = try material.storedRun()
    let gating = run.results.metrics.filter { $0.margin != nil }
    guard let metric = gating.first(where: { material.metric == nil || $0.metric == material.metric }),
      let margin = metric.margin
    else {
      throw EvaluationError.missing(
        what: material.metric ?? "run \(run.id)", expected: "a metric that gates",
        found: gating.isEmpty ? "none" : gating.map(\.metric).joined(separator: ", "))
    }
    let values = metric.bySubject.sorted { $0.key < $1.key }.compactMap(\.value)
    let gains = values.indices.flatMap { one in
      values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
    }
    guard let study = PowerStudy(gains: gains, rule: GateRule(margin: margin, gatingMetrics: gating.count)) else {
      throw EvaluationError.missing(
        what: "metric \(metric.metric) of \(metric.detector)", expected: "values that differ between subjects",
        found: "\(values.count) subjects, all alike")
    }
    let subjects = [5, 8, 10, 15, 20, 30, 40, 60, 80, 100]
    let loss = margin + study.spread
    let chart = PowerCurve(
      title: "Power of \(metric.metric): a loss of \(NumberText.value(loss, unit: metric.unit)) at margin "
        + NumberText.plain(margin),
      source: "\(run.source(metric.detector)) · differences between \(values.count) subjects, standard deviation "
        + NumberText.value(study.spread, unit: metric.unit), subjects: subjects,
      series: [
        PowerCurve.Series(
          "the loss is shown", .worse,
          chances: subjects.map { study.shares(loss: loss, subjects: $0, seed: 1).regression }),
        PowerCurve.Series(
          "a change that loses nothing passes", .better,
          chances: subjects.map { study.shares(loss: 0, subjects: $0, seed: 1).pass }),
      ])
    return [Picture(chart, metadata: run.metadata)]
  }
}
