import Evaluation
import Plots

extension Drawing {
  static let gains = Drawing(
    "gains", "The mean gain of each metric over another run or the baseline, with interval and margin.",
    needs: "a run and --with another, or the baseline"
  ) { material in
    let run = try material.storedRun()
    let report = try material.comparison(run)
    let picture = report.pictures.first { $0.file == "gains.png" }
    return picture.map {
      [Picture($0.chart, notes: ["A: \(report.before); B: \(report.after)"], metadata: run.metadata)]
    } ?? []
  }
}

extension DrawingMaterial {
  /// The run held against what is asked for.
  func comparison(_ run: Run) throws -> ComparisonReport {
    let before: ComparisonSide
    let words: String
    if other == "baseline" {
      before = .baseline(try Baseline(file: project.baselineFile(suite), suite: suite))
      words = "the baseline"
    } else {
      let stored = try store.run(named: other, ofSuite: suite)
      before = .run(stored.results, id: stored.id)
      words = "run \(stored.id)"
    }
    return ComparisonReport(
      try PairedComparison(from: before, to: .run(run.results, id: run.id)), before: words, after: "run \(run.id)",
      bench: bench)
  }
}
