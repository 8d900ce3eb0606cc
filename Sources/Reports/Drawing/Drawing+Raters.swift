import Evaluation
import Plots

extension Drawing {
  static let raters = Drawing(
    "raters", "The rank correlation of each two raters, and of the detector with each of them.",
    needs: "a run; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.grader(run.results)
    guard let pairs = RaterPairs(run.results, detector: detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades by people", found: "none")
    }
    let count = pairs.raters.count
    var cells = [[Plots.RaterAgreement.Cell?]](repeating: Array(repeating: nil, count: count), count: count)
    for pair in pairs.pairs {
      cells[pair.row][pair.column] = Plots.RaterAgreement.Cell(
        Estimate(pair.correlation ?? .nan, lower: pair.interval?.low, upper: pair.interval?.high), count: pair.count)
    }
    let chart = Plots.RaterAgreement(
      source: run.report.sources, measure: "rank correlation", raters: pairs.raters, detectors: [count - 1],
      cells: cells, remarks: ["in brackets: 95 % interval, by drawing subjects"])
    return [Picture(chart, metadata: run.metadata)]
  }
}
