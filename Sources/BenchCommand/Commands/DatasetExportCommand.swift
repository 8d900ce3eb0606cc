import ArgumentParser
import Datasets
import Evaluation

struct DatasetExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a dataset of the store as a dataset folder.",
    discussion: "Example: bench dataset export repcount-pose --to /tmp/repcount-pose")

  @Argument(help: "The dataset.") var name: String
  @Option(help: ArgumentHelp("The folder to write; it must not exist or be empty.", valueName: "folder")) var to: String
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let store = try storage.open()
    let dataset = try DatasetCatalogue(project: storage.project, store: store).dataset(named: name)
    let clips = try store.clips(of: dataset)
    let bar = ProgressBar("exporting", total: clips.count)
    var next = 0
    do {
      defer { bar.finish() }
      try DatasetFolder.write(dataset.manifest, to: to) {
        guard next < clips.count else { return nil }
        next += 1
        bar.update(next)
        return try store.clip(clips[next - 1], of: dataset)
      }
    }
    Terminal.out("wrote \(clips.count) clips to \(to)")
  }
}
