import Evaluation
import Plots

extension Drawing {
  static let changes = Drawing(
    "changes", "Which clips are counted otherwise, and each subject's value before and after.",
    needs: "a run and --with another, or the baseline; or --from the compare.json of bench compare; --metric",
    takes: [.run, .with, .from, .metric]
  ) { material in
    let compared = try material.comparison()
    let pictures = compared.record.changes.filter { picture in
      material.metric.map { picture.heading.hasPrefix("\($0) of ") } ?? true
    }
    guard !pictures.isEmpty else {
      throw EvaluationError.missing(
        what: "\(compared.record.after) beside \(compared.record.before)", expected: "something that changed",
        found: material.metric.map { "nothing of \($0)" } ?? "no other count and no other value")
    }
    return pictures.map { picture in
      Picture(picture, of: pictures.count, notes: compared.notes, metadata: compared.metadata)
    }
  }
}
