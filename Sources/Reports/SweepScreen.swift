import Evaluation
import Statistics

/// A sweep on one screen.
public struct SweepScreen {
  private let report: SweepReport
  private let path: String
  private let datasets: [String]
  private let folder: String

  /// Rows of the table, without the suite's own setting.
  private static let shownSettings = 8

  /// - Parameters:
  ///   - path: The detector's path, as `--set` takes it.
  ///   - datasets: Those that replaced the suite's.
  ///   - folder: The folder of the report.
  public init(_ report: SweepReport, path: String, on datasets: [String], in folder: String) {
    (self.report, self.path, self.datasets, self.folder) = (report, path, datasets, folder)
  }

  private var results: SweepResults { report.results }

  public var blocks: [TextBlock] {
    let parts: [[TextBlock]] = [
      report.conclusion(path: path, datasets: datasets).blocks, [.gap, .suite(results.suite, results.suiteVersion)],
      results.datasets.blocks, results.perturbation?.blocks ?? [], plan, [.gap, .columns(table), .gap], findings,
      [.gap, .unbroken("report", "\(folder)/sweep.md"), .optimistic(SweepResults.optimism)],
    ]
    return parts.flatMap(\.self)
  }

  private var plan: [TextBlock] {
    let axes = results.axes.map(\.parameter).joined(separator: ", ")
    var blocks: [TextBlock] = [
      .fact("sweep", "\(results.detector) \(axes): \(results.settings.count) settings, \(report.metricWords)")
    ]
    if let sampling = results.sampling {
      blocks.append(.fact("sample", "Halton sequence with permuted digits, seed \(sampling.seed)"))
    }
    if let first = results.contradictions.first {
      let example = "\(report.words(first.values)): \(first.reason)"
      blocks.append(
        .fact(
          "skipped", "\(results.contradictions.count) settings whose values contradict each other, such as \(example)"))
    }
    return blocks
  }

  private var table: TextTable {
    let unit = results.metric.unit
    var best = report.ranking.prefix(Self.shownSettings).map { (report.mark($0), results.settings[$0]) }
    if !best.contains(where: { $0.1.values == results.base.values }) {
      best.append((results.base.isOnPlateau ? "plateau, default" : "default", results.base))
    }
    let phantoms = results.base.phantoms == nil ? [] : ["phantoms/min"]
    let header =
      [""] + results.axes.map(\.parameter) + ["value", "loss", "95 % interval"] + phantoms + ["best for people", ""]
    let rows = best.map { mark, setting -> TextTable.Row in
      var notes: [String] = []
      let undefined = setting.bySubject.count - setting.definedSubjects
      if undefined > 0 {
        notes.append("\(NumberText.count(undefined, "person")) n/a")
      } else if setting.undefinedClips > 0, setting.isPooled != true {
        notes.append("\(NumberText.count(setting.undefinedClips, "clip")) n/a")
      }
      let values = [
        NumberText.value(setting.value, unit: unit), NumberText.value(setting.loss, unit: unit),
        NumberText.bounds(setting.lossInterval, unit: unit),
      ]
      let counted = phantoms.map { _ in NumberText.value(setting.phantoms, unit: "reps/min") }
      let people = "\(setting.bestFor.count) of \(setting.bySubject.count)"
      let cells: [String] =
        [mark] + results.axes.map { NumberText.plain($0.value(in: setting.values)) } + values + counted
        + [people, notes.joined(separator: ", ")]
      return TextTable.Row(cells, mark.hasPrefix("optimum") ? .good : mark.hasSuffix("default") ? .bold : nil)
    }
    return TextTable(
      [TextTable.Row(header, .dim)] + rows, right: Set(1...results.axes.count + 4 + phantoms.count))
  }

  private var findings: [TextBlock] {
    var blocks: [TextBlock] = [.fact("plateau", report.plateauWords)]
    if let expected = report.expectationWords { blocks.append(.fact("expected", "on new people \(expected)")) }
    if let edge = report.edgeWords { blocks.append(.fact("edge", edge)) }
    let outliers = report.outlierWords
    if !outliers.isEmpty {
      let shown = outliers.prefix(3).joined(separator: ", ")
      let others = outliers.count > 3 ? " and \(outliers.count - 3) others" : ""
      blocks.append(.fact("people", "best setting outside the plateau: \(shown)\(others)"))
    }
    return blocks
  }
}

extension TextBlock {
  /// The warning that a setting was chosen on the people whom it is scored on.
  static func optimistic(_ words: String) -> TextBlock { .labelled("warning", "\("optimistic", .unsure): \(words)") }
}
