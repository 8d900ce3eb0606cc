import ArgumentParser
import Datasets
import Files
import Pipeline
import Reports
import Simulation
import Statistics

struct DatasetSyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Bring a dataset's folder and the store up to date with each other.",
    discussion: """
      Each side gets what only the other changed since both were last alike: clips, and the description, recording and \
      each kind of label of a clip. If only one side has the dataset, the other gets it.

      A conflict is what both sides changed, or one side removed. Conflicts change nothing and are listed with both \
      values; --keep decides them, and stores the other side as a dataset such as my-squats-replaced.

      Examples:
        bench dataset sync my-squats
        bench dataset sync my-squats --keep folder
      """)

  @Argument(help: "The dataset.") var name: String
  @Option(help: ArgumentHelp("The dataset's folder. (default: datasets/NAME)", valueName: "path")) var folder: String?
  @Option(help: ArgumentHelp("The side that decides conflicts: store or folder.", valueName: "side"))
  var keep: DatasetSide?
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let project = storage.project
    guard PortableName.isValid(name) else {
      throw EvaluationError.usage("expected \(PortableName.description), found \(name.visibleLine)")
    }
    let path = try folder ?? project.within(project.datasetFolder(name))
    let store = try storage.open()
    if let imported = try store.importedDataset(named: name) {
      try imported.requireUnexpired()
    } else if FileKind("\(path)/dataset.yaml") == nil, FileKind("\(path)/\(DatasetRecipe.file)") == nil {
      let names = Set(try store.datasets().filter { $0.folder == nil }.map(\.manifest.name) + project.datasetNames)
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a folder \(path) or an imported dataset",
        found: names.isEmpty
          ? "neither; import one with: bench dataset import" : "neither; " + NearNames.choice(name, in: names))
    }
    guard FileKind("\(path)/\(DatasetRecipe.file)") == nil else {
      throw EvaluationError.usage("\(path) is generated from its \(DatasetRecipe.file) and needs no sync")
    }
    let outcome = try store.synchronize(name, with: path, keep: keep)
    var lines = [
      outcome.toFolder.text(from: "the store", to: path), outcome.toStore.text(from: path, to: "the store"),
    ].compactMap(\.self)
    if lines.isEmpty { lines = ["\(name): the store and \(path) are alike"] }
    var blocks = lines.map { TextBlock.line(TonedText($0)) }
    if let replaced = outcome.replaced, let keep {
      blocks.append(
        .unbroken(
          "kept",
          "\(keep == .store ? path : "the store") as it was before, as the dataset \(replaced) of the store; "
            + "once you don't need it: bench dataset remove --labels \(replaced)"))
    }
    Terminal.out(blocks)
  }
}

extension DatasetSide: ExpressibleByArgument {}

extension SyncOutcome.Copied {
  /// `labels of 2 clips copied from the store to datasets/my-squats`; `nil` for nothing.
  fileprivate func text(from source: String, to destination: String) -> String? {
    var copied: [String] = []
    if added > 0 { copied.append("\(added) new clip\(added == 1 ? "" : "s")") }
    if labelled > 0 { copied.append("labels of \(NumberText.count(labelled, "clip"))") }
    if described > 0 { copied.append("description of \(NumberText.count(described, "clip"))") }
    if hasManifest { copied.append("dataset.yaml") }
    var parts: [String] = []
    if !copied.isEmpty { parts.append("\(copied.joined(separator: ", ")) copied from \(source) to \(destination)") }
    if removed > 0 {
      parts.append("\(NumberText.count(removed, "clip")) removed from \(destination), as from \(source)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
