import ArgumentParser
import Datasets
import Evaluation
import Files
import Pipeline
import Reports
import Simulation
import Statistics

struct DatasetGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Generate a synthetic dataset of an exercise from a seed.",
    discussion: """
      Motion, estimator errors and raters are simulated, as the manifest says; results on them are no evidence about \
      people.

      Exercises: \(Exercises.all.map { $0.name }.joined(separator: ", "))

      Negatives, named like exercises, in which nobody exercises and the true count is 0: \
      \(Exercises.negatives.map { $0.name }.joined(separator: ", "))

      Scenarios: perfect-form (one set without a fault), needs-correction (a fault in every rep), full-workflow (two \
      sets with a pause, some faults; in a standing exercise the person walks up and off)

      Faults: \(Self.faults)

      Examples:
        bench dataset generate --exercise push-up --seed 1 --to /tmp/push-ups
        bench dataset generate --exercise walking --exercise bobbing --seed 1 --to /tmp/negatives
        bench dataset generate --exercise squat --scenario perfect-form --seed 1 --to /tmp/perfect-squats
        bench dataset generate --exercise squat --scenario needs-correction --fault rushed --seed 1 --to /tmp/rushed
        bench dataset generate --exercise squat --camera azimuth=25,elevation=7 --seed 1 --to /tmp/front-left
        bench dataset generate --name squat-sample --seed 1 --subjects 12 --clips-per-subject 3 --to datasets/squat-sample
      """)

  @Option(help: "Exercise to generate; may be repeated. (default: squat)") var exercise: [String] = []
  @Option(help: "Scenario to generate; may be repeated. (default: sets with habits of each person)")
  var scenario: [String] = []
  @Option(help: "The fault of needs-correction. (default: the exercise's usual ones in turn)") var fault: String?
  @Option(help: "Severity of the fault of needs-correction. (default: \(Scenario.usualSeverity))") var severity: Double?
  @Option(
    help: ArgumentHelp(
      "Position of the camera. (default: front, side and oblique in turn)", discussion: CameraStand.form))
  var camera: String?
  @Option(help: "Name of the dataset. (default: <exercise>-<scenario>[-<fault>], or <exercise>-generated)")
  var name: String?
  @Option(help: "The seed; the same seed gives the same dataset.") var seed: UInt64
  @Option(help: "Number of people.") var subjects = 10
  @Option(help: "Number of clips per person.") var clipsPerSubject = 3
  @Option(help: ArgumentHelp("The folder to write.", valueName: "folder")) var to: String

  func validate() throws {
    if let name, !PortableName.isValid(name) {
      throw ValidationError("--name takes \(PortableName.description), found \"\(name)\"")
    }
    guard (1...10_000).contains(subjects) else {
      throw ValidationError("--subjects takes 1 to 10000, found \(subjects)")
    }
    if let severity, !Scenario.severities.contains(severity) {
      let range = Scenario.severities
      throw ValidationError("--severity takes \(range.lowerBound) to \(range.upperBound), found \(severity)")
    }
    if let camera, CameraStand(camera) == nil {
      throw ValidationError("--camera takes \(CameraStand.form), found \"\(camera)\"")
    }
    for (option, isGiven) in [("--fault", fault != nil), ("--severity", severity != nil)]
    where isGiven && !scenario.contains(Scenario.correcting) {
      throw ValidationError("\(option) needs --scenario \(Scenario.correcting)")
    }
    guard (1...1_000).contains(clipsPerSubject) else {
      throw ValidationError("--clips-per-subject takes 1 to 1000, found \(clipsPerSubject)")
    }
  }

  func run() throws {
    let names = exercise.isEmpty ? ["squat"] : exercise
    let exercises = try Self.chosen(names, "--exercise", of: Exercises.generated.map { $0.name }, Exercises.named)
    let scenarios = try Self.chosen(scenario, "--scenario", of: Scenario.names) {
      Scenario($0, of: fault, severity: severity ?? Scenario.usualSeverity)
    }
    if !scenarios.isEmpty, let other = exercises.first(where: { !($0 is any ScenarioExercise) }) {
      throw EvaluationError.usage("--scenario is not for \(other.name), which has no scenarios")
    }
    for case let exercise as any ScenarioExercise in exercises {
      if let fault, !exercise.faultNames.contains(fault) {
        throw EvaluationError.usage(
          "--fault takes one of \(exercise.faultNames.joined(separator: ", ")) of the \(exercise.name), found "
            + NearNames.question(fault, in: exercise.faultNames))
      }
    }
    // The committed squats were generated without a scenario; the same call must give them again.
    let generator = MotionGenerator(
      name: name
        ?? (names + (scenario.isEmpty ? ["generated"] : scenario) + [fault].compactMap(\.self)).joined(separator: "-"),
      exercises: exercises, scenarios: scenarios, seed: seed, subjects: subjects, clipsPerSubject: clipsPerSubject,
      precision: names == ["squat"] && scenarios.isEmpty ? .full : .decimal, stand: camera.flatMap(CameraStand.init))
    let total = generator.clipCount
    let bar = ProgressBar("generating", total: total)
    var next = 0
    do {
      defer { bar.finish() }
      try DatasetFolder.write(generator.manifest, to: to) {
        guard next < total else { return nil }
        defer { next += 1 }
        try bar.update(next + 1)
        return generator.scene(next).clip()
      }
    }
    Terminal.out([
      .line(
        "wrote \(NumberText.count(total, "clip")) of \(NumberText.count(subjects, "person")) to \(to), seed \(seed)")
    ])
  }

  /// One line per exercise.
  private static var faults: String {
    Exercises.all.compactMap { $0 as? any ScenarioExercise }.map {
      "\($0.name): \($0.faultNames.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// The items selected by name, each once.
  private static func chosen<Value>(
    _ names: [String], _ option: String, of known: [String], _ named: (String) -> Value?
  ) throws -> [Value] {
    guard Set(names).count == names.count else {
      throw EvaluationError.usage("\(option) names \(names.joined(separator: ", ")): expected each once")
    }
    return try names.map { name in
      guard let value = named(name) else {
        throw EvaluationError.usage(
          "\(option) takes one of \(known.joined(separator: ", ")), found \(NearNames.question(name, in: known))")
      }
      return value
    }
  }
}
