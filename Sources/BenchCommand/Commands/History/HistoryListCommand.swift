import ArgumentParser
import Evaluation
import Foundation
import Reports

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the runs that were kept, the newest first.",
    discussion: """
      Examples:
        bench history list --suite squat --last 10
        bench history list --suite squat --release any
        bench history list --suite squat --detector squat-states --metric count.mae --since 2026-03-01
      """)

  @OptionGroup var options: HistoryOptions

  @Option(help: "Also shows this metric.")
  var metric: String?

  @Flag(help: "Prints the runs as JSON, each with all of its parameters, hashes, machine and versions.")
  var json = false

  /// A run for machines.
  private struct Record: Encodable {
    var run: String
    var created: String
    var suite: String
    var suiteVersion: Int
    var releases: [String]
    var datasets: [RunResults.DatasetCard]
    var detectors: [RunResults.DetectorCard]
    var smoothing: String?
    var origin: RunOrigin?
    var metric: RunResults.MetricResult?
  }

  func run() throws {
    let store = try options.storage.open()
    let history = try options.history(in: store)
    let trend = try metric.map { try history.trend(of: $0, detector: options.detector) }
    let rows = history.runs.reversed().map { run in (run, trend?.points.first { $0.run.id == run.id }?.result) }
    guard !json else {
      let records = rows.map { run, result in
        Record(
          run: run.id, created: run.created, suite: run.suite, suiteVersion: run.head.suiteVersion,
          releases: run.releases, datasets: run.head.datasets, detectors: run.head.detectors,
          smoothing: run.head.smoothing, origin: run.origin, metric: result)
      }
      return Terminal.out(String(decoding: try stableJSON(records), as: UTF8.self))
    }
    let header =
      ["run", "revision", "release"] + (trend == nil ? [] : ["value", "95 % interval"]) + ["data", "changed"]
    let lines = rows.map { run, result -> [String] in
      let value =
        trend == nil
        ? [] : result.map { [NumberText.value($0.value, unit: $0.unit), NumberText.interval($0)] } ?? ["", ""]
      return [run.id, run.origin?.shortRevision ?? "unknown", run.releases.joined(separator: ", ")] + value
        + [run.shortData, run.changedSettings.joined(separator: " ")]
    }
    let title = trend.map { trend in
      let unit = trend.points.last?.result.unit ?? ""
      return ["\(trend.metric) of \(trend.detector)" + (unit.isEmpty ? "" : ", \(unit)"), ""]
    }
    Terminal.out(
      ((title ?? []) + Terminal.table([header] + lines, right: trend == nil ? [] : [3, 4], indent: 0))
        .joined(separator: "\n"))
  }
}
