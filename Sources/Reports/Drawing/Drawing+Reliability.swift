import Evaluation
import Plots

extension Drawing {
  static let reliability = Drawing(
    "reliability", "Whether a grade of 80 means that 80 % of what is graded so is sound.",
    needs: "a run with grades 0 to 100 and faults that people judged; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let (detector, curve) = try material.faults(run.results)
    guard !curve.bins.isEmpty else {
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "grades of 0 to 100, to read as a chance", found: "others")
    }
    let chart = ReliabilityDiagram(
      title: "Grades of \(detector), read as the chance that nothing is wrong", source: run.source(detector),
      bins: curve.bins.map { .init(stated: $0.stated, observed: Estimate($0.sound), count: $0.count) },
      subjects: curve.subjects,
      remarks: curve.calibrationError.map {
        [
          "calibration error \(NumberText.value($0.value, unit: "")) "
            + (NumberText.interval($0.interval, unit: "").map { "(95 % \($0))" } ?? "(no interval)")
        ]
      } ?? [])
    return [Picture(chart, metadata: run.metadata)]
  }
}
