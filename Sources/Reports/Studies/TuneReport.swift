import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a tuning; beside it `parameters.yaml` is what was found.
public struct TuneReport: Sendable {
  public let results: TuneResults

  public init(_ results: TuneResults) { self.results = results }

  /// `squat-states for count.mae (reps, lower is better): 6 parameters, coordinate search …`
  public var planWords: String {
    let search = results.search
    let seed = search.method == .coordinate ? "" : ", seed \(search.seed)"
    return "\(results.tuning.detector) for \(metricWords): \(results.axes.map(\.parameter).joined(separator: ", ")); "
      + "\(methodWords) of at most \(search.budget) settings a fold\(seed), "
      + "\(results.scoredSettings) different ones scored over all folds"
  }

  private var methodWords: String {
    switch results.search.method {
    case .coordinate: "coordinate search"
    case .global: "differential evolution"
    case .both: "the better of coordinate search and differential evolution, each"
    }
  }

  var metricWords: String { results.metric.words }

  /// `nil` where all settings that were tried are possible.
  public var contradictionWords: String? {
    guard let first = results.contradictions.first else { return nil }
    let values = zip(results.axes, first.values).map { "\($0.parameter) \(NumberText.plain($1))" }
    return "\(results.contradictions.count) settings whose values contradict each other, such as "
      + "\(values.joined(separator: ", ")): \(first.reason)"
  }

  /// A row for each parameter: default, tuned, and how often each value was chosen. The first row names the columns.
  public var choiceRows: [[String]] {
    [["parameter", "default", "tuned", "chosen in the \(results.folds.count) folds (value × folds)"]]
      + results.axes.enumerated().map { index, axis in
        [
          axis.parameter, NumberText.plain(axis.baseValue), NumberText.plain(results.inSample.values[index]),
          spread(of: index),
        ]
      }
  }

  private func spread(of axis: Int) -> String {
    let choices = results.choices(of: axis)
    let shown = choices.sorted { $0.folds != $1.folds ? $0.folds > $1.folds : $0.value < $1.value }.prefix(6)
    let words = shown.map { "\(NumberText.plain($0.value)) × \($0.folds)" }.joined(separator: ", ")
    return words + (choices.count > shown.count ? " and \(choices.count - shown.count) more" : "")
  }

  /// What is expected on new people, the default beside it, and the optimistic number last.
  public var scoreRows: [[String]] {
    let unit = results.metric.unit
    func row(_ name: String, _ mean: TuneResults.Mean?) -> [String] {
      [
        name, NumberText.value(mean?.value, unit: unit), NumberText.bounds(mean?.interval, unit: unit),
        "\(mean?.subjects ?? 0) of \(results.folds.count) subjects",
      ]
    }
    let inSample = results.inSample
    return [
      [results.metric.name, "value", "95 % interval", "n"], row("expected on new people, tuned", results.expected),
      row("default on the same subjects", results.expectedOfBase),
      [
        "in-sample, OPTIMISTIC, tuned", NumberText.value(inSample.value, unit: unit), "not given",
        "\(inSample.definedSubjects) of \(inSample.bySubject.count) subjects",
      ],
    ]
  }

  /// What tuning gains over the default on people who were left out.
  public var gainWords: String {
    guard let gain = results.gain else { return "n/a: no subject has a score at both" }
    let unit = results.metric.unit
    let better = results.folds.count { ($0.gain ?? 0) > 0 }
    let worse = results.folds.count { ($0.gain ?? 0) < 0 }
    var words =
      "tuning gains \(NumberText.signed(gain.value, unit: unit)) \(unit)".trimmingSuffix(" ")
      + " on subjects left out (95 % \(NumberText.bounds(gain.interval, unit: unit)); above 0 is better): "
      + "\(better) of \(gain.subjects) better, \(worse) worse"
    if let test = results.test {
      words += "; \(test.isExact ? "exact" : "sampled") sign-flip p \(NumberText.probability(test.p))"
    }
    return words + "; " + conclusion
  }

  private var conclusion: String {
    guard let interval = results.gain?.interval else { return "too few subjects to conclude" }
    if interval.low > 0 { return "it helps on people like these" }
    if interval.high < 0 { return "it harms on people like these" }
    return "this does not show that tuning helps"
  }

  /// `SYNTHETIC squat-sample`
  var sources: String { results.datasets.sources }
}
