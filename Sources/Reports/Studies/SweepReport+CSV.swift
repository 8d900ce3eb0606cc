import Datasets
import Evaluation

extension SweepReport {
  /// A row a setting, those that contradict themselves with their reason and no value. RFC 4180.
  var csv: String {
    let header =
      results.axes.map(\.parameter) + [
        "metric", "value", "low", "high", "subjects", "undefined_clips", "clips", "loss", "loss_low", "loss_high",
        "plateau", "optimum", "default", "best_for_subjects", "contradiction",
      ]
    let scored = results.settings.enumerated().map { index, setting -> [String] in
      func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
      return setting.values.map { "\($0)" } + [
        results.metric.name, number(setting.value), number(setting.interval?.low), number(setting.interval?.high),
        "\(setting.definedSubjects)", "\(setting.undefinedClips)", "\(results.clips)", number(setting.loss),
        number(setting.lossInterval?.low), number(setting.lossInterval?.high), "\(setting.isOnPlateau)",
        "\(index == results.optimum)", "\(index == results.basePosition)", "\(setting.bestFor.count)", "",
      ]
    }
    let impossible = results.contradictions.map { contradiction -> [String] in
      let empty = [String](repeating: "", count: header.count - results.axes.count - 2)
      return contradiction.values.map { "\($0)" } + [results.metric.name] + empty + [contradiction.reason]
    }
    return ([header] + scored + impossible).map { $0.map { CSVField.text($0).encoded }.joined(separator: ",") + "\r\n" }
      .joined()
  }
}
