import Evaluation
import Plots

extension Drawing {
  static let robustness = Drawing(
    "robustness", "What is left of each detector's score as one thing after another goes wrong, more and more.",
    needs: "a run of --robustness; --detector; --metric", takes: [.run, .detector, .metric]
  ) { material in
    let run = try material.storedRun { $0.robustness != nil }
    guard let robustness = run.results.robustness else {
      throw EvaluationError.missing(
        what: "run \(run.id)", expected: "scores under perturbations",
        found: "none; make them with: bench run --suite \(material.suite) --robustness")
    }
    let wanted = robustness.ladders.filter { ladder in
      (material.detector == nil || ladder.detector == material.detector)
        && (material.metric == nil || ladder.metric == material.metric)
    }
    let pictures = run.report.pictures(of: wanted)
    guard !pictures.isEmpty else {
      let known = Set(robustness.ladders.map { "\($0.detector) \($0.metric)" }).sorted().joined(separator: ", ")
      throw EvaluationError.usage(
        "expected a detector and metric of the run's ladders (\(known)), found "
          + [material.detector, material.metric].compactMap(\.self).joined(separator: " "))
    }
    return pictures.map { picture in
      Picture(
        picture.chart, part: String(picture.file.trimmingSuffix(".png").dropFirst("robustness-".count)),
        metadata: run.metadata)
    }
  }
}
