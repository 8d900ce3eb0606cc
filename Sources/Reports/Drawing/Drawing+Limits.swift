import Evaluation
import Plots

extension Drawing {
  static let limits = Drawing(
    "limits", "Bland and Altman's plot: grades, or counts, less what people said, with bias and limits of agreement.",
    needs: "a run; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.detector(in: run.results, having: "a grade or count of what people graded or counted") {
      name in
      run.results.clips.contains { clip in
        clip.countError(name) != nil || clip.outcomes[name]?.graded.contains { $0.predicted != nil } ?? false
      }
    }
    guard let limits = GradeLimits(run.results, detector: detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades or counts", found: "none")
    }
    let isOne = run.results.datasets.count == 1
    let chart = BlandAltmanPlot(
      title: "How far \(detector) is from people", source: run.source(detector),
      quantity: limits.areGrades ? "grade (points)" : "count (reps)",
      difference: "\(detector) − \(limits.areGrades ? "raters' mean (points)" : "true count (reps)")",
      kind: limits.areGrades ? "rep" : "clip",
      pairs: limits.pairs.map { pair in
        BlandAltmanPlot.Pair(
          subject: isOne ? String(pair.subject.drop { $0 != "/" }.dropFirst()) : pair.subject, measured: pair.predicted,
          reference: pair.truth)
      }, bias: Estimate(limits.bias), lowerLimit: Estimate(limits.lower), upperLimit: Estimate(limits.upper))
    return [Picture(chart, metadata: run.metadata)]
  }
}

extension Estimate {
  fileprivate init?(_ level: GradeLimits.Level?) {
    guard let level else { return nil }
    self.init(level.value, lower: level.interval?.low, upper: level.interval?.high)
  }
}
