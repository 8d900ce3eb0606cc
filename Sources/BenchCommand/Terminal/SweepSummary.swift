import Evaluation
import Reports

/// A sweep on one screen.
struct SweepSummary {
  var report: SweepReport
  /// Where the report is.
  var folder: String

  /// Rows of the table, the suite's own setting apart.
  static let shownSettings = 8

  private var results: SweepResults { report.results }

  var text: String {
    let head = ["\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)"]
    return (head + results.datasets.flatMap(\.lines) + plan + [""] + table + [""] + findings + ["", end])
      .joined(separator: "\n")
  }

  private var plan: [String] {
    var lines = [
      entry(
        "sweep",
        "\(results.detector) \(results.axes.map(\.parameter).joined(separator: ", ")): \(results.settings.count) settings, "
          + report.metricWords)
    ]
    if let sampling = results.sampling {
      lines.append(entry("sample", "Halton sequence with permuted digits, seed \(sampling.seed)"))
    }
    if let first = results.contradictions.first {
      lines.append(
        entry(
          "skipped",
          "\(results.contradictions.count) settings whose values contradict each other, such as "
            + "\(report.words(first.values)): \(first.reason)"))
    }
    return lines
  }

  private var table: [String] {
    let unit = results.metric.unit
    var best = results.ranking.prefix(Self.shownSettings).map { (report.mark($0), results.settings[$0]) }
    if !best.contains(where: { $0.1.values == results.base.values }) {
      best.append((results.base.isOnPlateau ? "plateau, default" : "default", results.base))
    }
    let header =
      [""] + results.axes.map(\.parameter) + ["value", "95 % interval", "loss", "95 % interval", "best for", ""]
    let rows = best.map { mark, setting -> [String] in
      var notes: [String] = []
      let undefined = setting.bySubject.count - setting.definedSubjects
      if undefined > 0 {
        notes.append("\(undefined) subject\(undefined == 1 ? "" : "s") n/a")
      } else if setting.undefinedClips > 0 {
        notes.append("\(setting.undefinedClips) clip\(setting.undefinedClips == 1 ? "" : "s") n/a")
      }
      return [mark] + setting.values.map(NumberText.plain) + [
        NumberText.value(setting.value, unit: unit), NumberText.bounds(setting.interval, unit: unit),
        NumberText.value(setting.loss, unit: unit), NumberText.bounds(setting.lossInterval, unit: unit),
        "\(setting.bestFor.count) of \(setting.bySubject.count)", notes.joined(separator: ", "),
      ]
    }
    let lines = Terminal.table([header] + rows, right: Set(1...results.axes.count + 5), indent: 0)
    return zip(lines, [nil] + best.map(\.0)).map { line, mark in
      guard let mark else { return Terminal.dim(line) }
      return mark.hasPrefix("optimum") ? Terminal.good(line) : mark.hasSuffix("default") ? Terminal.bold(line) : line
    }
  }

  private var findings: [String] {
    var lines = [entry("plateau", report.plateauWords)]
    if let expected = report.expectationWords { lines.append(entry("expected", "on new people \(expected)")) }
    if let edge = report.edgeWords { lines.append(entry("edge", edge)) }
    let outliers = report.outlierWords
    if !outliers.isEmpty {
      lines.append(
        entry(
          "people",
          "nothing on the plateau is best for \(outliers.prefix(3).joined(separator: ", "))"
            + (outliers.count > 3 ? " and \(outliers.count - 3) others" : "")))
    }
    return lines
  }

  private var end: String {
    "report   \(folder)/sweep.md\n"
      + "warning  \(Terminal.unsure("optimistic")): " + Terminal.wrap(SweepResults.optimism, indent: 9, from: 21)
  }

  private func entry(_ name: String, _ words: String) -> String {
    name + String(repeating: " ", count: 9 - name.count) + Terminal.wrap(words, indent: 9)
  }
}
