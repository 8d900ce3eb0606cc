import ArgumentParser
import Datasets
import Evaluation

struct DatasetGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Generates a synthetic dataset of an exercise from a seed.",
    discussion: """
      Motion, estimator errors and raters are made by a program, which the manifest says; results on it are no evidence \
      about people.

      Exercises: \(Exercises.all.map { $0.name }.joined(separator: ", "))

      Examples:
        bench dataset generate --exercise push-up --seed 1 --to /tmp/push-ups
        bench dataset generate --name squat-sample --seed 1 --subjects 10 --clips-per-subject 3 --to datasets/squat-sample
      """)

  @Option(help: "What the people do; may be repeated. (default: squat)") var exercise: [String] = []
  @Option(help: "What to call the dataset. (default: <exercise>-generated)") var name: String?
  @Option(help: "The seed; the same seed gives the same dataset.") var seed: UInt64
  @Option(help: "How many subjects.") var subjects = 10
  @Option(help: "How many clips of each.") var clipsPerSubject = 3
  @Option(help: ArgumentHelp("The folder to write.", valueName: "folder")) var to: String

  func validate() throws {
    if let name, !PortableName.isValid(name) {
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
    let known = Exercises.all.map { $0.name }
    let names = exercise.isEmpty ? ["squat"] : exercise
    guard Set(names).count == names.count else {
      throw EvaluationError.usage("--exercise names \(names.joined(separator: ", ")): expected each once")
    }
    let chosen = try names.map { name in
      guard let exercise = Exercises.named(name) else {
        throw EvaluationError.usage(
          "--exercise takes one of \(known.joined(separator: ", ")), found \(NearNames.question(name, in: known))")
      }
      return exercise
    }
    // The committed squats were written in full, and are what the same call must give again.
    let generator = MotionGenerator(
      name: name ?? names.joined(separator: "-") + "-generated", exercises: chosen, seed: seed, subjects: subjects,
      clipsPerSubject: clipsPerSubject, precision: names == ["squat"] ? .full : .decimal)
    let total = generator.clipCount
    let bar = ProgressBar("generating", total: total)
    var next = 0
    do {
      defer { bar.finish() }
      try DatasetFolder.write(generator.manifest, to: to) {
        guard next < total else { return nil }
        defer { next += 1 }
        bar.update(next + 1)
        return generator.scene(next).clip()
      }
    }
    Terminal.out(
      "wrote \(Terminal.count(total, "clip")) of \(Terminal.count(subjects, "subject")) to \(to), seed \(seed)")
  }
}
