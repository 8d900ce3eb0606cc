import Charts
import Datasets
import Evaluation
import Files
import Foundation
import PoseModel
import Statistics

/// The report of a tuning. The file `parameters.yaml` beside it has the tuned parameters.
public struct TuneReport: Sendable {
  public let results: TuneResults

  public init(_ results: TuneResults) { self.results = results }

  /// `squat-states for count.mae (reps, lower is better): 6 parameters, coordinate search …`
  public var planWords: String {
    let search = results.search
    let seed = search.method == .coordinate ? "" : ", seed \(search.seed)"
    return "\(results.tuning.detector) for \(metricWords): \(results.axes.map(\.parameter).joined(separator: ", ")); "
      + "\(methodWords) of at most \(search.budget) settings per fold\(seed), "
      + "\(results.scoredSettings) distinct settings scored over all folds"
  }

  private var methodWords: String {
    switch results.search.method {
    case .coordinate: "coordinate search"
    case .global: "differential evolution"
    case .both: "the better of coordinate search and differential evolution, each"
    }
  }

  var metricWords: String { results.metric.title }

  /// The parameters that were not tuned, with the reason; `nil` for none.
  public var leftAloneWords: String? {
    guard let names = results.leftAlone, !names.isEmpty else { return nil }
    return "\(names.joined(separator: ", ")): \(results.metric.name) does not depend on "
      + (names.count == 1 ? "it" : "them")
  }

  /// The nested estimate of tuning; `nil` if it was not computed.
  public var procedureWords: String? {
    guard let procedure = results.procedure else { return nil }
    let unit = results.metric.unit
    return
      "keeping the tuned parameters only if folds show a gain: \(NumberText.value(procedure.expected?.value, unit: unit)) "
      + "expected on new people (95 % \(NumberText.bounds(procedure.expected?.interval, unit: unit))), gain "
      + "\(NumberText.signed(procedure.gain?.value, unit: unit)) "
      + "(\(NumberText.bounds(procedure.gain?.interval, unit: unit))); kept in \(procedure.kept) of "
      + "\(results.folds.count) folds"
  }

  /// The metrics that tuning made worse; `nil` for none.
  public var sideEffectWords: String? {
    guard let effects = results.sideEffects, !effects.isEmpty else { return nil }
    let words = effects.map { effect in
      // Another detector may be replayed on other people.
      let people =
        effect.detector == nil ? "\(effect.worse) of \(results.inSample.bySubject.count)" : "\(effect.worse)"
      return (effect.detector.map { "\($0): " } ?? "")
        + "\(effect.metric) \(NumberText.value(effect.base, unit: effect.unit)) → "
        + "\(NumberText.value(effect.tuned, unit: effect.unit)) (worse for \(people) people)"
    }
    return "compared with the default on the same people: \(words.joined(separator: "; "))"
  }

  /// The reps counted while nobody does the exercise, and the bound that tuning kept to; `nil` without such time.
  public var phantomWords: String? {
    guard let phantoms = results.phantoms else { return nil }
    let unit = "reps/min"
    let bound = phantoms.base.map { "at most \(NumberText.quantity($0 + phantoms.margin, unit: unit)) allowed; " } ?? ""
    return "\(NumberText.value(phantoms.base, unit: unit)) → \(NumberText.quantity(phantoms.tuned, unit: unit)) while "
      + "nobody does the exercise; \(bound)\(NumberText.count(phantoms.refused, "setting")) refused for more"
  }

  /// The delay of a tuned smoothing: `average:5 delays a steady movement by 2 frames`; `nil` for no smoothing or the
  /// suite's own.
  public var delayWords: String? { results.smoothing?.filter.map { "\($0) \($0.delayText)" } }

  /// The number of contradictory settings, with an example; `nil` for none.
  public var contradictionWords: String? {
    guard let first = results.contradictions.first else { return nil }
    let values = results.axes.map { "\($0.parameter) \($0.text($0.value(in: first.values)))" }
    return "\(results.contradictions.count) settings with contradictory values, such as "
      + "\(values.joined(separator: ", ")): \(first.reason)"
  }

  /// One row per parameter, the smoothing among them: default, tuned, and the number of folds per chosen value. The
  /// first row names the columns.
  public var choiceRows: [[String]] {
    [["parameter", "default", "tuned", "chosen in the \(results.folds.count) folds (value × folds)"]]
      + results.axes.enumerated().map { index, axis in
        [
          axis.parameter, axis.text(axis.baseValue), axis.text(axis.value(in: results.inSample.values)),
          spread(of: index),
        ]
      }
  }

  private func spread(of axis: Int) -> String {
    let choices = results.choices(of: axis)
    let shown = choices.sorted { $0.folds != $1.folds ? $0.folds > $1.folds : $0.value < $1.value }.prefix(6)
    let words = shown.map { "\(results.axes[axis].text($0.value)) × \($0.folds)" }.joined(separator: ", ")
    return words + (choices.count > shown.count ? " and \(choices.count - shown.count) more" : "")
  }

  /// The expected score on new people, the default's score, and the optimistic in-sample score.
  public var scoreRows: [[String]] {
    let unit = results.metric.unit
    func row(_ name: String, _ mean: TuneResults.Mean?) -> [String] {
      [
        name, NumberText.value(mean?.value, unit: unit), NumberText.bounds(mean?.interval, unit: unit),
        "\(mean?.subjects ?? 0) of \(NumberText.count(results.folds.count, "person"))",
      ]
    }
    let inSample = results.inSample
    return [
      [results.metric.name, "value", "95 % interval", "n"], row("expected on new people, tuned", results.expected),
      row("default on the same people", results.expectedOfBase),
      [
        "in-sample, OPTIMISTIC, tuned", NumberText.value(inSample.value, unit: unit), "not given",
        "\(inSample.definedSubjects) of \(NumberText.count(inSample.bySubject.count, "person"))",
      ],
    ]
  }

  /// The gain of tuning over the default on left-out people.
  public var gainWords: String {
    guard let gain = results.gain else { return "gain n/a: nobody has a score with both settings" }
    let unit = results.metric.unit
    let better = results.folds.count { ($0.gain ?? 0) > 0 }
    let worse = results.folds.count { ($0.gain ?? 0) < 0 }
    var words =
      "tuning gains \(NumberText.signed(gain.value, unit: unit))" + (unit.isEmpty ? "" : " \(unit)")
      + " on left-out people (95 % \(NumberText.bounds(gain.interval, unit: unit)); above 0 is better): "
      + "\(better) of \(gain.subjects) better, \(worse) worse"
    if let test = results.test {
      words += "; \(test.isExact ? "exact" : "sampled") sign-flip p \(NumberText.probability(test.p))"
    }
    return words + "; " + conclusion
  }

  private var conclusion: String {
    guard let interval = results.gain?.interval else { return "too few people to conclude" }
    guard interval.low > 0 || interval.high < 0 else { return "tuning did not clearly help" }
    let effect = interval.low > 0 ? "helps" : "makes it worse"
    return results.mayBeChance
      ? "tuning probably \(effect) on such people, but it may be chance" : "tuning \(effect) on such people"
  }
}

extension TuneReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "tune", suite: results.suite, version: results.bench, datasets: results.datasets, content: content,
        pictures: results.pictures, json: try stableJSON(results),
        attachments: [("parameters.yaml", Data(ParameterFile(results).yaml.utf8))])
    }
  }

  private var content: StudyContent {
    var model = StudyContent()
    model.title = "\(results.tuning.detector) tuned for \(results.metric.name)"
    model.warnings =
      [WarningModel(label: "Optimistic", about: "in-sample scores", text: TuneResults.honesty)]
      + [
        results.perturbation?.warning,
        sideEffectWords.map { WarningModel(label: "Worse elsewhere", about: "other metrics", text: "\($0).") },
      ].compactMap(\.self)
    model.summary = [
      conclusion(file: "parameters.yaml").finding, "\(gainWords.prefix(1).uppercased())\(gainWords.dropFirst()).",
    ]
    if let delayWords { model.summary.append("Smoothing: \(delayWords).") }
    if let procedureWords { model.summary.append("Nested: \(procedureWords).") }
    if let leftAloneWords { model.summary.append("Not tuned: \(leftAloneWords).") }
    if let contradictionWords { model.summary.append("Skipped: \(contradictionWords).") }
    model.sections = [
      SectionModel(heading: "Expected score on new people", table: TableModel(scoreRows)),
      SectionModel(heading: "Chosen values", table: TableModel(choiceRows)),
      SectionModel(heading: "Each person left out", table: TableModel(foldRows)),
    ]
    model.method = method
    return model
  }

  private var foldRows: [[String]] {
    let unit = results.metric.unit
    return [
      ["left out"] + results.axes.map(\.parameter) + ["found by", "settings scored", "its score", "default", "gain"]
    ]
      + results.folds.map { fold in
        [fold.leftOut] + results.axes.map { $0.text($0.value(in: fold.values)) } + [
          fold.method.rawValue, "\(fold.scoredSettings)", NumberText.value(fold.score, unit: unit),
          NumberText.value(fold.baseScore, unit: unit), NumberText.signed(fold.gain, unit: unit),
        ]
      }
  }

  private var method: [String] {
    let tuned = Set(results.axes.map(\.parameter))
    let fixed = results.parameters.filter { !tuned.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\($0.key) \(NumberText.plain($0.value))" }.joined(separator: ", ")
    return [
      "Suite \(results.suite) version \(results.suiteVersion), \(results.folds.count) people, \(results.clips) clips.",
      "Search: \(planWords).",
      "Values tried: \(results.axes.map(range).joined(separator: "; ")). Other parameters: "
        + "\(fixed.isEmpty ? "none" : fixed).",
      "\(results.metric.summary) Undefined: \(results.metric.undefined).",
      "The optimized value is the mean of the people's values. A setting without a value for some people ranks below "
        + "all others. Of equal settings the one closest to the default is chosen; then each value that differs from the default "
        + "moves to the middle of its plateau, or back to the default where that is on it. If zero is best, the distance "
        + "from 0 counts.",
      "Expected: for each person, the search ran on the others and its choice was scored on the person left out "
        + "(Stone, 1974; Varma and Simon, 2006). The interval is Student's t interval on these scores. It is approximate, "
        + "because the folds share most of their people.",
      "The p-value is from the two-sided sign-flip test of the paired gains.",
      "Use the result with --parameters parameters.yaml. All numbers are in tune.json.",
    ]
  }

  private func range(_ axis: TuneResults.Axis) -> String {
    if axis.names != nil { return "\(axis.parameter) \(axis.levels.map(axis.text).joined(separator: " or "))" }
    guard let low = axis.levels.first, let high = axis.levels.last, axis.levels.count > 1 else {
      return "\(axis.parameter) \(axis.levels.map(NumberText.plain).joined())"
    }
    return
      "\(axis.parameter) \(axis.levels.count) from \(NumberText.plain(low)) to \(NumberText.plain(high)) \(axis.unit)"
  }
}
