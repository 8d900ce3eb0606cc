import Evaluation
import Plots

extension Drawing {
  static let gains = Drawing(
    "gains", "The mean gain of each metric over another run or the baseline, with interval and margin.",
    needs: "a run and --with another, or the baseline; or --from the compare.json of bench compare",
    takes: [.run, .with, .from]
  ) { material in
    let compared = try material.comparison()
    return [Picture(compared.record.gains.chart, notes: compared.notes, metadata: compared.metadata)]
  }
}

extension DrawingMaterial {
  struct Compared {
    var record: ComparisonRecord
    var metadata: [(key: String, value: String)]
    var notes: [String]
  }

  /// The comparison that was kept in a file, or the run held against what is asked for.
  func comparison() throws -> Compared {
    if let file {
      let record = try ComparisonRecord(file: file)
      let content = record.datasets.map { "\($0.name) \($0.content)" }.joined(separator: ", ")
      return Compared(
        record: record,
        metadata: [
          ("Software", "bench \(record.bench)"), ("Suite", record.suite), ("Content", content),
          ("Before", record.before), ("After", record.after),
        ], notes: ["from \(file)", "A: \(record.before); B: \(record.after)"])
    }
    let run = try storedRun()
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
    let report = ComparisonReport(
      try PairedComparison(from: before, to: .run(run.results, id: run.id)), before: words, after: "run \(run.id)",
      bench: bench)
    return Compared(
      record: report.record, metadata: run.metadata + [("Before", report.before)],
      notes: ["A: \(report.before); B: \(report.after)"])
  }
}
