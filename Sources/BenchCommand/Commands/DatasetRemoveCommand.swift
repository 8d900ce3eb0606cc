import ArgumentParser
import Datasets
import Evaluation

struct DatasetRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a dataset from the store; folders, and without --runs also runs, stay.",
    discussion: """
      No byte of its poses, labels and names stays in the store's files, but for its own name in the audit log. Runs hold \
      no poses, but the names of its clips and subjects: --runs removes these runs too. Reports and baselines are files \
      of yours; it says which have its name.

      Example: bench dataset remove repcount-pose
      """)

  @Argument(help: "The dataset.") var name: String
  @Flag(help: "Also removes the runs on it from the history.") var runs = false
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
    let removal = try DatasetRemoval(found, .removed, withRuns: runs, in: store, of: storage.project)
    let isFolder = storage.project.datasetNames.contains(name)
    let line =
      "removed \(name) from the store"
      + (isFolder ? "; its folder \(storage.project.datasetFolder(name)) stays" : "")
    Terminal.out(([line] + removal.lines).joined(separator: "\n"))
    guard removal.erasure == .complete else { throw ExitCode(1) }
  }
}
