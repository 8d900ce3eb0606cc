import ArgumentParser
import Datasets
import Evaluation

struct DatasetRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a dataset from the store; folders and runs stay.",
    discussion: "Example: bench dataset remove repcount-pose")

  @Argument(help: "The dataset.") var name: String
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let all = try store.datasets()
    let found = all.filter { $0.manifest.name == name }
    guard !found.isEmpty else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "a dataset of the store",
        found: "none called " + NearNames.question(name, in: all.map(\.manifest.name)))
    }
    for dataset in found { try store.remove(dataset) }
    let isFolder = storage.project.datasetNames.contains(name)
    Terminal.out(
      "removed \(name) from the store"
        + (isFolder ? "; its folder \(storage.project.datasetFolder(name)) stays" : ""))
  }
}
