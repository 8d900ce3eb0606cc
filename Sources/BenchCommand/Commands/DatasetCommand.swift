import ArgumentParser
import Datasets
import Evaluation

struct DatasetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Import, check, label, export, generate and remove datasets.",
    discussion: "Example: bench dataset list",
    subcommands: [
      DatasetListCommand.self, DatasetShowCommand.self, DatasetCheckCommand.self, DatasetImportCommand.self,
      DatasetLabelCommand.self, DatasetExportCommand.self, DatasetRemoveCommand.self, DatasetPurgeCommand.self,
      DatasetLogCommand.self, DatasetGenerateCommand.self,
    ])
}

struct DatasetListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List dataset folders and imported datasets.",
    discussion: "Example: bench dataset list")

  @OptionGroup var storage: StoreOptions

  func run() throws {
    let project = storage.project
    let store = try storage.open()
    let catalogue = DatasetCatalogue(project: project, store: store)
    var failure: (any Error)?
    for name in project.datasetNames {
      do { _ = try catalogue.dataset(named: name) } catch { failure = failure ?? error }
    }
    let datasets = try store.datasets()
    if datasets.isEmpty, let failure { throw failure }
    let isDated = datasets.contains { $0.expires != nil }
    let rows = datasets.map { dataset in
      [
        dataset.manifest.name, dataset.manifest.version,
        dataset.manifest.origin == .synthetic ? "SYNTHETIC" : "recorded", "\(dataset.clipCount)",
        dataset.content?.short ?? "unfinished", dataset.folder == nil ? "imported" : "folder",
      ] + (isDated ? [dataset.expires.map { $0.hasPassed() ? "expired \($0)" : "\($0)" } ?? ""] : [])
    }
    Terminal.out(
      rows.isEmpty
        ? "no datasets; import one with bench dataset import"
        : Terminal.table(
          [["dataset", "version", "origin", "clips", "content", "from"] + (isDated ? ["expires"] : [])] + rows,
          right: [3], indent: 0
        ).joined(separator: "\n"))
    // A folder that cannot be read hides no other.
    if let failure { throw failure }
  }
}
