import ArgumentParser
import Datasets
import Evaluation
import Reports
import Statistics

struct DatasetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Import, check, label, export, sync, generate and remove datasets.",
    discussion: "Example: bench dataset list",
    subcommands: [
      DatasetListCommand.self, DatasetShowCommand.self, DatasetCheckCommand.self, DatasetImportCommand.self,
      DatasetLabelCommand.self, DatasetExportCommand.self, DatasetSyncCommand.self, DatasetRemoveCommand.self,
      DatasetPurgeCommand.self, DatasetLogCommand.self, DatasetGenerateCommand.self,
    ])
}

struct DatasetListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List dataset folders and imported datasets.",
    discussion: """
      Example: bench dataset list
      Example: bench dataset list --public
      """)

  @Flag(name: .customLong("public"), help: "List the public sets of datasets/public, imported or not.")
  var isPublic = false
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let project = storage.project
    let store = try storage.open()
    let catalogue = DatasetCatalogue(project: project, store: store)
    guard !isPublic else { return try listPublicSets(catalogue) }
    var failure: (any Error)?
    for name in project.datasetNames {
      do { _ = try catalogue.dataset(named: name) } catch let error as StoreError {
        if case .bothChanged = error { DataReading.current.note("\(error)") } else { failure = failure ?? error }
      } catch { failure = failure ?? error }
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
    let header = ["dataset", "version", "origin", "clips", "content", "from"] + (isDated ? ["expires"] : [])
    let recorded = datasets.count { $0.manifest.origin != .synthetic }
    let blocks: [TextBlock] =
      rows.isEmpty
      ? [.line("no datasets; import one with bench dataset import")]
      : [
        .line("\(NumberText.count(rows.count, "dataset")), \(recorded) of recorded people"), .gap,
        .columns(TextTable([header] + rows, right: [3])),
      ]
    Terminal.out(blocks)
    // A folder that cannot be read hides no other.
    if let failure { throw failure }
  }

  private func listPublicSets(_ catalogue: DatasetCatalogue) throws {
    let sets = PublicSets(of: catalogue.project)
    var rows: [[String]] = []
    var failure: (any Error)?
    for name in sets.names {
      do {
        guard let set = try sets.set(named: name) else { continue }
        rows.append([
          set.name, set.people.map { "\($0)" } ?? "unknown", "\(set.clips)", "\(set.reps)", "\(set.graders)",
          set.licence, try catalogue.state(of: set).rawValue,
        ])
      } catch { failure = failure ?? error }
    }
    if rows.isEmpty, let failure { throw failure }
    let present = rows.count { $0.last == PublicSet.State.present.rawValue }
    let header = ["set", "people", "clips", "reps", "graders", "licence", "in the store"]
    let blocks: [TextBlock] =
      rows.isEmpty
      ? [.line("no public sets in datasets/public")]
      : [
        .line("\(NumberText.count(rows.count, "public set")), \(present) in the store"), .gap,
        .columns(TextTable([header] + rows, right: [1, 2, 3, 4])), .gap,
        .line("To get one, see its source and its import: bench dataset show NAME"),
      ]
    Terminal.out(blocks)
    // A wrong entry hides no other.
    if let failure { throw failure }
  }
}
