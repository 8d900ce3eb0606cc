import ArgumentParser
import Datasets
import Evaluation

struct DatasetGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Generates a synthetic dataset of squats from a seed.",
    discussion: """
      Motion, estimator errors and raters are made by a program, which the manifest says; results on it are no evidence \
      about people.

      Example: bench dataset generate --name squat-sample --seed 1 --subjects 10 --clips-per-subject 3 --to datasets/squat-sample
      """)

  @Option(help: "What to call the dataset.") var name = "squat-generated"
  @Option(help: "The seed; the same seed gives the same dataset.") var seed: UInt64
  @Option(help: "How many subjects.") var subjects = 10
  @Option(help: "How many clips of each.") var clipsPerSubject = 3
  @Option(help: ArgumentHelp("The folder to write.", valueName: "folder")) var to: String

  func validate() throws {
    guard PortableName.isValid(name) else {
      throw ValidationError("--name takes \(PortableName.description), found \"\(name)\"")
    }
    guard (1...10_000).contains(subjects) else {
      throw ValidationError("--subjects takes 1 to 10000, found \(subjects)")
    }
    guard (1...1_000).contains(clipsPerSubject) else {
      throw ValidationError("--clips-per-subject takes 1 to 1000, found \(clipsPerSubject)")
    }
  }

  func run() throws {
    let generator = SquatGenerator(name: name, seed: seed, subjects: subjects, clipsPerSubject: clipsPerSubject)
    let total = subjects * clipsPerSubject
    let bar = ProgressBar("generating", total: total)
    var next = 0
    do {
      defer { bar.finish() }
      try DatasetFolder.write(generator.manifest, to: to) {
        guard next < total else { return nil }
        defer { next += 1 }
        bar.update(next + 1)
        return generator.scene(subject: next / clipsPerSubject, clip: next % clipsPerSubject).clip()
      }
    }
    Terminal.out(
      "wrote \(Terminal.count(total, "clip")) of \(Terminal.count(subjects, "subject")) to \(to), seed \(seed)")
  }
}
