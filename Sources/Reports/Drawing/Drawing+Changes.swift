import Evaluation
import Plots

extension Drawing {
  static let changes = Drawing(
    "changes", "Which clips are counted otherwise, and each subject's value before and after.",
    needs: "a run and --with another, or the baseline; --metric"
  ) { material in
    let run = try material.storedRun()
    let report = try material.comparison(run)
    let pictures = report.pictures.filter { picture in
      picture.file != "gains.png" && (material.metric.map { picture.heading.hasPrefix("\($0) of ") } ?? true)
    }
    guard !pictures.isEmpty else {
      throw EvaluationError.missing(
        what: "run \(run.id) beside \(report.before)", expected: "something that changed",
        found: material.metric.map { "nothing of \($0)" } ?? "no other count and no other value")
    }
    return pictures.map { picture in
      Picture(
        picture.chart, part: pictures.count > 1 ? picture.file.trimmingSuffix(".png") : "",
        notes: ["A: \(report.before); B: \(report.after)"], metadata: run.metadata)
    }
  }
}
