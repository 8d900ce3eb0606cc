import Evaluation
import Plots

extension Drawing {
  static let power = Drawing(
    "power", "How the chance that a loss is shown grows with the number of subjects.",
    needs: "a run; --metric, or the first that gates; --detector", takes: [.run, .detector, .metric]
  ) { material in
    let run = try material.storedRun()
    let gating = run.results.metrics.filter { $0.margin != nil }
    let wanted = gating.first {
      (material.metric ?? $0.metric) == $0.metric && (material.detector ?? $0.detector) == $0.detector
    }
    guard let metric = wanted, let margin = metric.margin else {
      let names = [material.metric, material.detector].compactMap(\.self).joined(separator: " of ")
      throw EvaluationError.missing(
        what: names.isEmpty ? "run \(run.id)" : names, expected: "a metric that gates",
        found: gating.isEmpty ? "none" : gating.map { "\($0.metric) of \($0.detector)" }.joined(separator: ", "))
    }
    let report = try PowerReport(
      suite: run.results.suite, source: run.report.sources,
      metric: PowerReport.Metric(detector: metric.detector, name: metric.metric, unit: metric.unit),
      values: metric.bySubject.sorted { $0.key < $1.key }.compactMap(\.value), margin: margin,
      gatingMetrics: gating.count)
    return [Picture(report.chart, metadata: run.metadata)]
  }
}
