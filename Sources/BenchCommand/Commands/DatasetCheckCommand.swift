import ArgumentParser
import Datasets
import Evaluation
import Foundation

struct DatasetCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reads every file of a dataset folder and says what is wrong with it.",
    discussion: """
      Takes a folder, or the name of one under datasets/.

      Example: bench dataset check datasets/squat-sample
      """)

  @Argument(help: "The folder.") var folder: String
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let path =
      storage.project.datasetNames.contains(folder) && !folder.contains("/")
      ? storage.project.datasetFolder(folder) : folder
    guard FileManager.default.fileExists(atPath: path) else {
      throw EvaluationError.missing(what: "dataset folder \(folder)", expected: "a folder", found: "nothing there")
    }
    guard !FileManager.default.fileExists(atPath: "\(path)/\(DatasetRecipe.file)") else {
      let recipe = try DatasetRecipe(path)
      Terminal.out("\(path): a recipe for \(Terminal.count(recipe.clipCount, "clip")), nothing wrong")
      return
    }
    let dataset = try DatasetFolder(path)
    var wrong: [String] = []
    let bar = ProgressBar("checking", total: dataset.clips.count)
    for index in dataset.clips.indices {
      do { _ = try dataset.clip(index) } catch let error as DataError { wrong.append("\(error)") }
      bar.update(index + 1)
    }
    bar.finish()
    guard wrong.isEmpty else {
      Terminal.error(wrong.map { "bench: \($0)" }.joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out("\(path): \(dataset.clips.count) clips, nothing wrong")
  }
}
