import ArgumentParser
import Datasets
import Evaluation
import Reports

struct DatasetPurgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove expired datasets from the store, and erase the remains of removed ones.",
    discussion: """
      A dataset expires on the date given at its import: bench dataset import --from PATH --expires 30d. From then on \
      commands refuse it; it stays in the store until it is purged.

      Removed data, including removed caches of folders, is overwritten in the store's file and its journal, and its \
      disk space is freed. Exits with 1 if another process or a full disk prevents that.

      Examples:
        bench dataset purge --dry-run
        bench dataset purge --runs
      """)

  @Flag(help: "List expired and expiring datasets; remove nothing.") var dryRun = false
  @Flag(help: "Also remove the runs on these datasets from the history.") var runs = false
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    if dryRun {
      let dated = try store.datasets().filter { $0.expires != nil }
        .sorted { ($0.expires?.description ?? "") < ($1.expires?.description ?? "") }
      let rows = dated.map { dataset in
        let expiry = dataset.expires
        return [
          dataset.manifest.name, "\(dataset.clipCount)",
          "\(expiry?.hasPassed() ?? false ? "expired" : "expires") \(expiry?.description ?? "")",
        ]
      }
      Terminal.out([
        rows.isEmpty
          ? .line("no dataset has an expiry date")
          : .columns(TextTable([["dataset", "clips", ""]] + rows, right: [1]))
      ])
      return
    }
    let expired = try store.expiredDatasets()
    let removal = try DatasetRemoval(
      expired, of: Set(expired.map(\.manifest.name)).sorted(), .purged, withRuns: runs, in: store, of: storage.project)
    let lines = removal.datasets.map { "removed \($0.manifest.name), expired \($0.expires?.description ?? "")" }
    Terminal.out(.lines((lines.isEmpty ? ["nothing has expired"] : lines) + removal.lines))
    guard removal.erasure == .complete else { throw ExitCode(1) }
  }
}
