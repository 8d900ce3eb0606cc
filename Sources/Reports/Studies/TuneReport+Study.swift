import Evaluation
import Foundation

extension TuneReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "tune", suite: results.suite, version: results.bench, datasets: results.datasets, content: content,
        pictures: pictures, json: try stableJSON(results),
        attachments: [("parameters.yaml", Data(ParameterFile(results).yaml.utf8))])
    }
  }

  private var content: StudyModel {
    var model = StudyModel()
    model.title = "\(results.tuning.detector) tuned for \(results.metric.name)"
    model.warnings = [WarningModel(label: "Optimistic", text: TuneResults.honesty)]
    model.summary = ["\(gainWords.prefix(1).uppercased())\(gainWords.dropFirst())."]
    if let contradictionWords { model.summary.append("Skipped: \(contradictionWords).") }
    model.sections = [
      SectionModel(heading: "What to expect on new people", table: TableModel(scoreRows)),
      SectionModel(heading: "What was chosen", table: TableModel(choiceRows)),
      SectionModel(heading: "Each subject left out", table: TableModel(foldRows)),
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
        [fold.leftOut] + fold.values.map(NumberText.plain) + [
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
      "Suite \(results.suite) version \(results.suiteVersion), \(results.folds.count) subjects, \(results.clips) clips.",
      "Search: \(planWords).",
      "Values tried: \(results.axes.map(range).joined(separator: "; ")). Other parameters: "
        + "\(fixed.isEmpty ? "none" : fixed).",
      "\(results.metric.summary) Undefined where \(results.metric.undefined).",
      "What is made best is the mean of the subjects' values; a setting with a value for fewer subjects is worse whatever "
        + "its mean, of equal ones the nearest to the default is taken. Where zero is best, each subject counts by the "
        + "distance from 0.",
      "Expected: for each subject the whole search, with any choice between methods, ran on the others, and its choice was "
        + "scored on the subject left out (Stone, 1974; Varma and Simon, 2006). The interval is Student's t interval on "
        + "these scores. The folds share most of their subjects, so it is approximate; it speaks of tuning on one subject "
        + "fewer.",
      "The p value is of the sign-flip test of the paired gains, two-sided.",
      "parameters.yaml beside this report can be given to --parameters; tune.json holds every number.",
    ]
  }

  private func range(_ axis: TuneResults.Axis) -> String {
    guard let low = axis.levels.first, let high = axis.levels.last, axis.levels.count > 1 else {
      return "\(axis.parameter) \(axis.levels.map(NumberText.plain).joined())"
    }
    return
      "\(axis.parameter) \(axis.levels.count) from \(NumberText.plain(low)) to \(NumberText.plain(high)) \(axis.unit)"
  }
}
