import Evaluation
import Plots

extension Drawing {
  static let counts = Drawing(
    "counts", "Predicted against true rep counts, with the worst clips.", needs: "a run; --detector",
    takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.counter(run.results)
    return [Picture(run.report.counts(detector), metadata: run.metadata)]
  }
}

extension DrawingMaterial {
  /// The detector that is asked for, or the first that counts.
  func counter(_ results: RunResults) throws -> String {
    try detector(in: results, having: "a count of clips whose reps people counted") { name in
      results.clips.contains { $0.countError(name) != nil }
    }
  }
}
