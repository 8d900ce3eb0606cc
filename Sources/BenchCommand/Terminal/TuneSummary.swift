import Evaluation
import Reports

/// A tuning on one screen.
struct TuneSummary {
  var report: TuneReport
  /// Where the report is.
  var folder: String
  /// Where the parameter file is.
  var file: String

  private var results: TuneResults { report.results }

  var text: String {
    let head = ["\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)"]
    return (head + results.datasets.flatMap(\.lines) + plan + [""] + choices + [""] + scores + ["", end])
      .joined(separator: "\n")
  }

  private var plan: [String] {
    var lines = [entry("tune", report.planWords)]
    if let skipped = report.contradictionWords { lines.append(entry("skipped", skipped)) }
    return lines
  }

  private var choices: [String] {
    let lines = Terminal.table(report.choiceRows, right: [1, 2], indent: 0)
    return [Terminal.dim(lines[0])] + lines.dropFirst()
  }

  private var scores: [String] {
    let lines = Terminal.table(report.scoreRows, right: [1, 2], indent: 0)
    return zip(lines, 0...).map { line, row in
      switch row {
      case 0: Terminal.dim(line)
      case 1: Terminal.bold(line)
      case 2: line
      default: Terminal.unsure(line)
      }
    } + ["", entry("gain", report.gainWords)]
  }

  private var end: String {
    "wrote    \(file)\n" + "report   \(folder)/tune.md\n"
      + "warning  \(Terminal.unsure("optimistic")): " + Terminal.wrap(TuneResults.honesty, indent: 9, from: 21)
  }

  private func entry(_ name: String, _ words: String) -> String {
    name + String(repeating: " ", count: 9 - name.count) + Terminal.wrap(words, indent: 9)
  }
}
