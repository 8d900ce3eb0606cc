import Evaluation
import Plots

extension Drawing {
  static let grades = Drawing(
    "grades", "Grades against the raters' mean, with the band of one rater from the others.",
    needs: "a run; --detector",
    takes: [.run, .detector]
  ) { material in
    let run = try material.storedRun()
    let detector = try material.grader(run.results)
    guard let chart = run.report.grades(detector) else {
      throw EvaluationError.missing(what: "detector \(detector)", expected: "grades", found: "none in this run")
    }
    return [Picture(chart, metadata: run.metadata)]
  }
}

extension DrawingMaterial {
  /// The detector that is asked for, or the first that grades what people graded.
  func grader(_ results: RunResults) throws -> String {
    try detector(in: results, having: "a grade of what people graded") { name in
      results.clips.contains { clip in
        clip.outcomes[name]?.graded.contains { $0.predicted != nil && !$0.ratings.isEmpty } ?? false
      }
    }
  }
}
