import ArgumentParser
import Datasets
import Evaluation
import Foundation

/// Which runs of the history a command is about.
struct HistoryOptions: ParsableArguments {
  @Option(help: "Only runs of this suite.")
  var suite: String?

  @Option(help: "Only this detector.")
  var detector: String?

  @Option(help: "Only runs on this dataset.")
  var dataset: String?

  @Option(help: ArgumentHelp("Only runs at this git commit.", valueName: "hash"))
  var revision: String?

  @Option(
    help: ArgumentHelp(
      "Only runs that stand for this release, by --release or a git tag; any for those of any release.",
      valueName: "name"))
  var release: String?

  @Option(help: ArgumentHelp("Only runs from this day on: 2026-03-01.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only so many of the newest.", valueName: "number"))
  var last: Int?

  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last takes a whole number from 1, found \(last)") }
    if let since, since.wholeMatch(of: #/\d{4}-\d\d-\d\d(T[0-9:]+Z)?/#) == nil || !Self.isDay(since.prefix(10)) {
      throw ValidationError("--since takes a date such as 2026-03-01, found \(since)")
    }
    if let revision, revision.wholeMatch(of: #/[0-9a-fA-F]{4,40}/#) == nil {
      throw ValidationError("--revision takes 4 to 40 digits of a commit's hash, found \(revision)")
    }
  }

  /// Whether there is such a day.
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
