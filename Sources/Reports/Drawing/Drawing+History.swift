import Evaluation
import Plots

extension Drawing {
  static let history = Drawing(
    "history", "A metric over the runs that were kept, with intervals and releases; other data are never joined.",
    needs: "runs of a suite; --metric, or the first that the suite names; --detector",
    takes: [.run, .detector, .metric]
  ) { material in
    let run = try material.storedRun()
    let named = run.results.metrics.first { metric in
      (material.metric == nil || metric.metric == material.metric)
        && (material.detector == nil || metric.detector == material.detector)
    }
    let trend = try RunHistory(in: material.store, HistoryFilter(suite: material.suite)).trend(
      of: material.metric ?? named?.metric ?? "", detector: material.detector ?? named?.detector)
    return [Picture(try MetricHistory(trend), metadata: run.metadata)]
  }
}
