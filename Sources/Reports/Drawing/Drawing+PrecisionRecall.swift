import Evaluation
import Plots

extension Drawing {
  static let precisionRecall = Drawing(
    "pr", "Precision against recall of faulty things, over the grade below which something is called faulty.",
    needs: "a run with faults that people judged; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let (detector, curve) = try material.faults(run.results)
    let average = curve.averagePrecision.map { "average precision \(Estimate($0).words)" }
    let classification = curve.classification(of: detector, source: run.source(detector), area: average)
    return [Picture(PrecisionRecallCurve(classification), metadata: run.metadata)]
  }
}

extension Estimate {
  /// `0.830 (95 % 0.600 to 0.950)`
  fileprivate var words: String {
    let value = NumberText.value(value, unit: "")
    guard let lower, let upper else { return "\(value) (95 % n/a)" }
    return "\(value) (95 % \(NumberText.value(lower, unit: "")) to \(NumberText.value(upper, unit: "")))"
  }
}
