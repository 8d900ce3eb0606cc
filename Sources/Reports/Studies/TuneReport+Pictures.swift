import Evaluation
import Plots

extension TuneReport {
  typealias Picture = ReportPicture

  var pictures: [Picture] { [scores, choices, subjects] }

  private var source: String { "\(sources) · \(results.tuning.detector)" }

  private var scores: Picture {
    func score(_ name: String, _ mean: TuneResults.Mean?, _ meaning: Meaning) -> ScoreEstimates.Row {
      ScoreEstimates.Row(
        name: name,
        score: Estimate(mean?.value ?? .nan, lower: mean?.interval?.low, upper: mean?.interval?.high),
        meaning: meaning)
    }
    return Picture(
      file: "scores.png", heading: "Expected and in-sample score",
      chart: ScoreEstimates(
        title: "\(results.metric.name): what to expect, and the optimistic in-sample score", source: source,
        axisTitle: metricWords,
        rows: [
          score("default, same subjects", results.expectedOfBase, .neutral),
          score("tuned, expected on new people", results.expected, .prediction),
          ScoreEstimates.Row(
            name: "tuned, in-sample (optimistic)", score: Estimate(results.inSample.value ?? .nan), meaning: .uncertain),
        ], subjects: results.folds.count))
  }

  private var choices: Picture {
    Picture(
      file: "choices.png", heading: "Values chosen by fold",
      chart: ChosenValues(
        title: "Values that the searches chose, each without one subject", source: source,
        parameters: results.axes.enumerated().map { index, axis in
          ChosenValues.Parameter(
            name: axis.parameter, unit: axis.unit, range: (axis.levels.first ?? 0)...(axis.levels.last ?? 0),
            base: axis.baseValue, tuned: results.inSample.values[index],
            choices: results.choices(of: index).map { ChosenValues.Choice(value: $0.value, folds: $0.folds) })
        }))
  }

  private var subjects: Picture {
    Picture(
      file: "subjects.png", heading: "Each subject left out: default → tuned on the others",
      chart: PairedDots(
        title: "\(results.metric.name): default → tuned on the others", source: source, kind: "subject",
        axisTitle: metricWords,
        values: results.folds.map {
          PairedValue(
            name: name($0.leftOut), before: $0.baseScore ?? .nan, after: $0.score ?? .nan, gain: $0.gain ?? .nan)
        }))
  }

  /// A subject without its dataset where there is one only.
  private func name(_ subject: String) -> String {
    results.datasets.count > 1 ? subject : String(subject.drop { $0 != "/" }.dropFirst())
  }
}
