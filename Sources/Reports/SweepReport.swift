import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Statistics

/// The report of a sweep. The file `sweep.csv` beside it has one row per setting.
public struct SweepReport: Sendable {
  public let results: SweepResults
  /// The settings from best to worst.
  public let ranking: [Int]

  public init(_ results: SweepResults) {
    self.results = results
    ranking = results.ranking
  }

  /// `count.mae (reps, lower is better)`
  public var metricWords: String { results.metric.title }

  /// `bottomAngle 90, standingAngle 160`
  public func words(_ values: [String: Double]) -> String {
    results.axes.map { "\($0.parameter) \(NumberText.plain($0.value(in: values)))" }.joined(separator: ", ")
  }

  /// The size of the plateau and, on one axis, its range.
  public var plateauWords: String {
    let plateau = results.settings.filter(\.isOnPlateau)
    guard let optimum = results.optimum else { return "undefined: no setting has a value" }
    let count =
      "\(plateau.count) of \(results.settings.count) settings are within noise of \(words(results.settings[optimum].values))"
    let spans = results.axes.compactMap { axis -> String? in
      let values = plateau.map { axis.value(in: $0.values) }
      guard let low = values.min(), let high = values.max(), low < high else { return nil }
      return "\(axis.parameter) \(NumberText.plain(low)) to \(NumberText.plain(high))"
    }
    let base = results.base.isOnPlateau ? "the default is among them" : "the default is not"
    return ([count] + spans + [base]).joined(separator: "; ")
  }

  /// The values of the optimum at an end of the tried range; `nil` if there are none.
  public var edgeWords: String? {
    guard let optimum = results.optimum, results.sampling == nil else { return nil }
    let edges = results.axes.compactMap { axis -> String? in
      let values = results.settings.map { axis.value(in: $0.values) }
      let value = axis.value(in: results.settings[optimum].values)
      // With two values, each is an end.
      guard Set(values).count > 2, value == values.min() || value == values.max() else { return nil }
      return "\(axis.parameter) \(NumberText.plain(value))"
    }
    guard !edges.isEmpty else { return nil }
    return
      "\(edges.joined(separator: " and ")) \(edges.count == 1 ? "is" : "are") at the end of the tried range: try "
      + "values beyond it"
  }

  /// The expected score of the choice on new people, `nil` if unknown.
  public var expectationWords: String? {
    guard let expected = results.expectation else { return nil }
    let unit = results.metric.unit
    let choices = expected.choices.prefix(4).map { "\(words(results.settings[$0.setting].values)) for \($0.folds)" }
    let others = expected.choices.count - choices.count
    return NumberText.quantity(expected.value, unit: unit)
      + " (95 % \(NumberText.bounds(expected.interval, unit: unit))); each of \(expected.definedSubjects) people scored at "
      + "the best setting for the others: \(choices.joined(separator: ", "))"
      + (others > 0 ? " and \(others) more" : "")
  }

  /// `squat-sample/s03 (bottomAngle 72)`: subjects without a best setting on the plateau.
  public var outlierWords: [String] {
    results.outliers.map { outlier in
      let others = outlier.settings.count - 1
      return "\(outlier.subject) (\(words(results.settings[outlier.settings[0]].values))"
        + (others > 0 ? " and \(others) other setting\(others == 1 ? "" : "s"))" : ")")
    }
  }
}

extension SweepReport {
  public var study: StudyReport {
    get throws {
      let (json, table) = try concurrently {
        var rest = results
        rest.settings = []
        return try stableJSON(rest, list: results.settings, key: "settings")
      } _: {
        Data(csv.utf8)
      }
      return StudyReport(
        kind: "sweep", suite: results.suite, version: results.bench, datasets: results.datasets, content: content,
        pictures: results.pictures, json: json, attachments: [("sweep.csv", table)])
    }
  }

  private var content: StudyContent {
    var model = StudyContent()
    model.title =
      "\(results.metric.name) of \(results.detector) over \(results.axes.map(\.parameter).joined(separator: " and "))"
    model.warnings =
      [WarningModel(label: "Optimistic", about: "chosen on these people", text: SweepResults.optimism)]
      + [results.perturbation?.warning].compactMap(\.self)
    model.summary = [conclusion(path: results.detector).finding, "Plateau: \(plateauWords)."]
    if let expectationWords { model.summary.append("Expected on new people: \(expectationWords).") }
    if let edgeWords { model.summary.append("At the edge: \(edgeWords).") }
    if let first = results.contradictions.first {
      model.summary.append(
        "\(results.contradictions.count) settings were skipped because their values contradict each other, such as "
          + "\(words(first.values)): \(first.reason).")
    }
    model.sections = [SectionModel(heading: "Best settings", table: TableModel(bestRows))]
    if !outlierWords.isEmpty {
      model.sections.append(
        SectionModel(heading: "People with their best setting outside the plateau", items: outlierWords))
    }
    model.method = method
    return model
  }

  /// Rows in the table of the best settings.
  private static let shownSettings = 20

  private var bestRows: [[String]] {
    let unit = results.metric.unit
    let phantoms = results.base.phantoms == nil ? [] : ["phantoms a minute"]
    let header =
      [""] + results.axes.map(\.parameter) + [
        "value", "95 % interval", "loss from the optimum", "95 % interval of the loss",
      ] + phantoms + ["people", "clips n/a", "best for people"]
    func row(_ mark: String, _ setting: SweepResults.Setting, bestFor: String) -> [String] {
      [mark] + results.axes.map { NumberText.plain($0.value(in: setting.values)) } + [
        NumberText.value(setting.value, unit: unit), NumberText.bounds(setting.interval, unit: unit),
        NumberText.value(setting.loss, unit: unit), NumberText.bounds(setting.lossInterval, unit: unit),
      ] + phantoms.map { _ in NumberText.value(setting.phantoms, unit: "reps/min") } + [
        "\(setting.definedSubjects) of \(setting.bySubject.count)", "\(setting.undefinedClips) of \(results.clips)",
        bestFor,
      ]
    }
    let shown = ranking.prefix(Self.shownSettings)
    let best = shown.map { row(mark($0), results.settings[$0], bestFor: "\(results.settings[$0].bestFor.count)") }
    if let base = results.basePosition, shown.contains(base) { return [header] + best }
    // The default may not be among the tried settings.
    let bestFor = results.basePosition.map { "\(results.settings[$0].bestFor.count)" } ?? "not tried"
    return [header] + best + [row("default", results.base, bestFor: bestFor)]
  }

  /// `optimum`, `plateau`, `default`, a combination of them, or empty.
  public func mark(_ index: Int) -> String {
    let place = index == results.optimum ? "optimum" : results.settings[index].isOnPlateau ? "plateau" : ""
    return [place, index == results.basePosition ? "default" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private var method: [String] {
    let fixed = results.fixed.sorted { $0.key < $1.key }.map { "\($0.key) \(NumberText.plain($0.value))" }
    return
      (results.sampling.map {
        ["\($0.count) settings of a Halton sequence with permuted digits (Owen, 2017), seed \($0.seed)."]
      } ?? []) + [
        "Suite \(results.suite) version \(results.suiteVersion). Other parameters: "
          + "\(fixed.isEmpty ? "none" : fixed.joined(separator: ", ")).",
        "\(results.metric.summary) Undefined: \(results.metric.undefined).",
        "A value is the mean over \(results.subjects.count) people and \(results.clips) clips, with Student's t interval.",
        "The optimum is the best mean among the settings that have a value for most people; of equal settings the one "
          + "closest to the default. If 0 is best, the distance from 0 counts.",
        "Plateau: \(SweepResults.plateauRule). Each setting is tested separately, without a correction for their number.",
        "All settings are in sweep.csv and sweep.json beside this report.",
      ]
  }
}

extension SweepReport {
  /// One row per setting (RFC 4180). Contradictory settings have a reason instead of a value.
  var csv: String {
    let header =
      results.axes.map(\.parameter) + [
        "metric", "value", "low", "high", "subjects", "undefined_clips", "clips", "loss", "loss_low", "loss_high",
        "phantoms_per_min", "plateau", "optimum", "default", "best_for_subjects", "contradiction",
      ]
    let base = results.basePosition
    let scored = results.settings.enumerated().map { index, setting -> [String] in
      func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
      return results.axes.map { "\($0.value(in: setting.values))" } + [
        results.metric.name, number(setting.value), number(setting.interval?.low), number(setting.interval?.high),
        "\(setting.definedSubjects)", "\(setting.undefinedClips)", "\(results.clips)", number(setting.loss),
        number(setting.lossInterval?.low), number(setting.lossInterval?.high), number(setting.phantoms),
        "\(setting.isOnPlateau)",
        "\(index == results.optimum)", "\(index == base)", "\(setting.bestFor.count)", "",
      ]
    }
    let impossible = results.contradictions.map { contradiction -> [String] in
      let empty = [String](repeating: "", count: header.count - results.axes.count - 2)
      return results.axes.map { "\($0.value(in: contradiction.values))" } + [results.metric.name] + empty
        + [contradiction.reason]
    }
    return ([header] + scored + impossible).map { $0.map { CSVField.text($0).encoded }.joined(separator: ",") + "\r\n" }
      .joined()
  }
}
