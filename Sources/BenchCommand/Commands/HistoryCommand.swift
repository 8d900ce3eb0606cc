import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Reports
import Statistics

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List stored runs, draw a metric over them, and find where it changed.",
    discussion: """
      Every run of bench run and bench gate is kept in the store with its results, parameters, dataset hashes, git \
      revision, machine and versions. Runs on different data are never compared.

      Example: bench history blame count.mae --suite squat --detector squat-states
      """,
    subcommands: [
      HistoryListCommand.self, HistoryDrawCommand.self, HistoryBlameCommand.self, HistoryExportCommand.self,
    ])
}

/// Selects runs of the history.
struct HistoryOptions: ParsableArguments {
  @Option(help: "Show only runs of this suite.")
  var suite: String?

  @Option(help: "Show only this detector.")
  var detector: String?

  @Option(help: "Show only runs on this dataset.")
  var dataset: String?

  @Option(help: ArgumentHelp("Show only runs at this git commit.", valueName: "hash"))
  var revision: String?

  @Option(
    help: ArgumentHelp(
      "Show only runs of this release, marked by --release or a git tag; any: of any release.",
      valueName: "name"))
  var release: String?

  @Option(help: ArgumentHelp("Show only runs from this day on: 2026-03-01.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Show only this number of the newest runs.", valueName: "number"))
  var last: Int?

  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last takes a whole number of 1 or more, found \(last)") }
    if let since, since.wholeMatch(of: #/\d{4}-\d\d-\d\d(T[0-9:]+Z)?/#) == nil || !Self.isDay(since.prefix(10)) {
      throw ValidationError("--since takes a date such as 2026-03-01, found \(since)")
    }
    if let revision, revision.wholeMatch(of: #/[0-9a-fA-F]{4,40}/#) == nil {
      throw ValidationError("--revision takes 4 to 40 digits of a commit's hash, found \(revision)")
    }
  }

  /// Whether the day exists.
  private static func isDay(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return parts.count == 3
      && DateComponents(
        calendar: Calendar(identifier: .gregorian), year: parts[0], month: parts[1], day: parts[2]
      ).isValidDate
  }

  func history(in store: Store) throws -> RunHistory {
    try RunHistory(
      in: store,
      HistoryFilter(
        suite: suite, detector: detector, dataset: dataset, revision: revision, release: release, since: since,
        last: last),
      tags: GitCheckout(storage.project.root).tags)
  }

  /// A metric over these runs.
  func trend(of metric: String, in store: Store) throws -> MetricTrend {
    try history(in: store).trend(of: metric, detector: detector)
  }
}

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stored runs, the newest first.",
    discussion: """
      The first line compares the newest run with the last release before it, or else with the run before it.

      Examples:
        bench history list --suite squat --last 10
        bench history list --suite squat --release any
        bench history list --suite squat --detector squat-states --metric count.mae --since 2026-03-01
      """)

  @OptionGroup var options: HistoryOptions

  @Option(help: "Also show this metric.")
  var metric: String?

  @Flag(help: "Print the runs as JSON, each with all of its parameters, hashes, machine and versions.")
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
    let runs = "\(NumberText.count(rows.count, "run")), the newest first"
    let title =
      trend.map { trend in
        let unit = trend.points.last?.result.unit ?? ""
        return "\(trend.metric) of \(trend.detector)" + (unit.isEmpty ? "" : ", \(unit)") + ": \(runs)"
      } ?? runs
    let newest = try history.runs.last.map { try store.run(named: $0.id, ofSuite: $0.suite).results }
    var blocks = try newest.flatMap { try history.conclusion(of: $0, detector: options.detector) }?.blocks ?? []
    blocks += [
      .line(TonedText(title)), .gap, .columns(TextTable([header] + lines, right: trend == nil ? [] : [3, 4])),
    ]
    if let newest {
      let wear = TestSetWear(history.runs, asking: newest)
      blocks += [.gap, .fact("test set", wear.words + ".", wear.isDue ? .unsure : nil)]
    }
    Terminal.out(blocks)
  }
}

struct HistoryDrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Draw a metric over the stored runs, with intervals and releases.",
    discussion: """
      Examples:
        bench history draw count.mae --suite squat --detector squat-states
        bench history draw count.mae --suite squat --release any
      """)

  @Argument(help: "The metric.") var metric: String

  @OptionGroup var options: HistoryOptions

  @OptionGroup var picture: PictureOptions

  @Option(help: ArgumentHelp("The PNG file to write. (default: history-<suite>-<metric>.png)", valueName: "file"))
  var output: String?

  func run() throws {
    let trend = try options.trend(of: metric, in: options.storage.open())
    let chart = try MetricHistory(trend)
    let run = trend.points.last?.run
    let format = try picture.format(named: output)
    let path = output ?? format.named("history-\(run?.suite ?? "")-\(metric).png")
    let metadata: [(key: String, value: String)] = [
      ("Software", "bench \(Bench.version)"), ("Suite", run?.suite ?? ""), ("Run", run?.id ?? ""),
      ("Content", run?.data ?? ""),
    ]
    try writeWhole(Data(try picture.bytes(chart, format, metadata: metadata)), to: path)
    Terminal.out(.lines(["drew \(path): \(chart.title)", chart.subtitle]))
  }
}

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the history as one tidy table, for a spreadsheet, pandas or DuckDB.",
    discussion: """
      Writes one row per run, detector and metric; with --by subject also one per person; with --by clip one per clip \
      and detector instead, with the count. An undefined value is an empty field.

      Examples:
        bench history export --csv --suite squat > history.csv
        bench history export --json --suite squat --by subject > history.json
        python3 -c 'import pandas; print(pandas.read_csv("history.csv").groupby(["data", "detector", "metric"]).value.last())'
      """)

  @OptionGroup var options: HistoryOptions

  @Flag(help: "Print CSV (RFC 4180).")
  var csv = false

  @Flag(help: "Print JSON, a list of rows.")
  var json = false

  @Option(help: "One row per run, person (subject) or clip.")
  var by = HistoryTable.Grain.run

  func validate() throws {
    guard csv != json else { throw ValidationError("give --csv or --json") }
  }

  func run() throws {
    let table = HistoryTable(
      try options.history(in: options.storage.open()), by: by, detector: options.detector)
    if csv {
      try table.csv(Terminal.piece)
    } else {
      try table.json(Terminal.piece)
    }
  }
}

extension HistoryTable.Grain: ExpressibleByArgument {}
