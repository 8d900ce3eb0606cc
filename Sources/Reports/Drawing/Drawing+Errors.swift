import Evaluation
import Plots

extension Drawing {
  static let errors = Drawing(
    "errors", "The count error of each clip, the worst first, and the mean with its interval.",
    needs: "a run; --detector", takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.counter(run.results)
    return [Picture(run.report.countErrors(detector), metadata: run.metadata)]
  }
}
