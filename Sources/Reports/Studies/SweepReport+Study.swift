import Evaluation
import Foundation

extension SweepReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "sweep", suite: results.suite, version: results.bench, datasets: results.datasets, content: content,
        pictures: pictures, json: try stableJSON(results), attachments: [("sweep.csv", Data(csv.utf8))])
    }
  }

  private var content: StudyModel {
    var model = StudyModel()
    model.title =
      "\(results.metric.name) of \(results.detector) over \(results.axes.map(\.parameter).joined(separator: " and "))"
    model.warnings = [WarningModel(label: "Optimistic", text: SweepResults.optimism)]
    model.summary = ["Plateau: \(plateauWords)."]
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
        SectionModel(heading: "Subjects whom no setting on the plateau suits best", items: outlierWords))
    }
    model.method = method
    return model
  }

  /// Rows that the table of the best settings has.
  private static let shownSettings = 20

  private var bestRows: [[String]] {
    let unit = results.metric.unit
    let header =
      [""] + results.axes.map(\.parameter) + [
        "value", "95 % interval", "loss from the optimum", "95 % interval of the loss", "subjects", "clips n/a",
        "best for",
      ]
    func row(_ mark: String, _ setting: SweepResults.Setting, bestFor: String) -> [String] {
      [mark] + setting.values.map(NumberText.plain) + [
        NumberText.value(setting.value, unit: unit), NumberText.bounds(setting.interval, unit: unit),
        NumberText.value(setting.loss, unit: unit), NumberText.bounds(setting.lossInterval, unit: unit),
        "\(setting.definedSubjects) of \(setting.bySubject.count)", "\(setting.undefinedClips) of \(results.clips)",
        bestFor,
      ]
    }
    let shown = results.ranking.prefix(Self.shownSettings)
    let best = shown.map { row(mark($0), results.settings[$0], bestFor: "\(results.settings[$0].bestFor.count)") }
    if let base = results.basePosition, shown.contains(base) { return [header] + best }
    // Where it is none of those that were tried, nobody could be best at it.
    let bestFor = results.basePosition.map { "\(results.settings[$0].bestFor.count)" } ?? "not tried"
    return [header] + best + [row("suite's own", results.base, bestFor: bestFor)]
  }

  /// `optimum`, `plateau` or nothing, and whether it is the suite's own.
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
        "\(results.metric.summary) Undefined where \(results.metric.undefined).",
        "A value is the mean of the subjects' values, its interval Student's t interval on that mean, over "
          + "\(results.subjects.count) subjects and \(results.clips) clips.",
        "The optimum is the best mean among the settings that have a value for most subjects; of equal ones the nearest to "
          + "the default. Where zero is best, each subject counts by the distance from 0.",
        "Plateau: \(SweepResults.plateauRule). Each setting is tested by itself, without a correction for their number.",
        "sweep.csv and sweep.json beside this report hold every setting.",
      ]
  }
}

extension NumberText {
  /// `0.1 to 0.7`, or `n/a`.
  public static func bounds(_ bounds: SweepResults.Bounds?, unit: String) -> String {
    guard let bounds else { return "n/a" }
    return "\(value(bounds.low, unit: unit)) to \(value(bounds.high, unit: unit))"
  }
}
