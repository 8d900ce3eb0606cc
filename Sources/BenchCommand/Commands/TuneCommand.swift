import ArgumentParser
import Evaluation
import Files
import Foundation
import Pipeline
import Reports

struct TuneCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Optimize a detector's parameters for one metric, judged on people it was not tuned on.",
    discussion: """
      For each person the whole search runs on the others, and its choice is scored on the one left out: the mean of \
      these scores is the expected score on new people. The written setting comes from a search on all people; its own \
      score on them is optimistic.

      A parameter's values are a range (70...130), a range with a step (70...130:5) or a list (80,90,100); without \
      values it is the whole range. --tune smoothing chooses the smoothing of the poses from none, average:3, median:3, \
      one-euro, average:5 and median:5, or from a list. Without --tune, all parameters of the detector and the \
      smoothing are tuned, except those that the metric does not depend on, and the smoothing if a detector of the \
      suite is a command. A value moves to the middle of its plateau. Settings whose values contradict each other are \
      skipped and counted. Other metrics that get worse are named.

      Examples:
        bench tune --suite squat --metric count.mae --detector squat-states --to tuned.yaml
        bench tune --suite squat --metric count.mae --tune reps.squat-states.bottomAngle=70...130 \\
          --tune reps.squat-states.hysteresis --search global --seed 1
        bench tune --suite squat --metric count.mae --detector squat-states --tune smoothing=none,average:5
        bench gate --suite squat --parameters tuned.yaml
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(
    name: .customLong("tune"), parsing: .singleValue,
    help: ArgumentHelp(
      "Vary a parameter or the smoothing; may be repeated.", valueName: "kind.detector.parameter[=values]"))
  var tuned: [String] = []

  @Option(help: "The detector to tune, if the suite has several.")
  var detector: String?

  @Option(help: "Metric to optimize. (default: the first metric that the suite names for the detector)")
  var metric: String?

  @Option(
    help: ArgumentHelp(
      "coordinate: one parameter at a time; global: differential evolution; both: the better of them, chosen in each fold.",
      valueName: "method"))
  var search = TuneSearch.Method.coordinate

  @Option(help: "Maximum number of settings that each method scores per fold.")
  var budget = 300

  @Flag(help: "Also estimate the gain of keeping tuned parameters only if folds show a gain.")
  var nested = false

  @OptionGroup var perturb: PerturbOptions

  @Option(help: "The seed of the global method and of --perturb.")
  var seed: UInt64 = 1

  @Option(name: .customLong("to"), help: ArgumentHelp("Also write the parameter file here.", valueName: "file"))
  var path: String?

  @OptionGroup var study: StudyOptions

  func validate() throws {
    if budget < 1 { throw ValidationError("--budget takes a whole number of 1 or more, found \(budget)") }
  }

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let detectors = try chosen.detectors.map { try Bench.registry.detector(named: $0.name) }
    let assignments = try suite.assignments.flatMap { try Assignment.all($0, of: detectors) }
    let plan = try TunePlan(
      tuned, detector: detector, search: TuneSearch(method: search, budget: budget, seed: seed), of: detectors)
    if let axis = plan.axes.first(where: { axis in
      !tuned.isEmpty && assignments.contains { $0.detector == plan.detector && $0.parameter == axis.parameter.name }
    }) {
      throw EvaluationError.usage("\(axis.parameter.name) is both set and tuned: expected one of them")
    }
    let store = try suite.storage.open()
    let run = try TuneRun(
      plan, metric: metric, on: suite.suiteRun(chosen, perturbations: perturb.perturbations(seed: seed), store: store))
    let bar = ProgressBar("searching", total: run.searchCount(nested: nested))
    defer { bar.finish() }
    let results = try await run.results(
      version: Bench.version, threads: suite.threads, nested: nested
    ) { try bar.update($0) }
    bar.finish()
    let report = TuneReport(results)
    try Interruption.check()
    if let path { try writeWhole(Data(ParameterFile(results).yaml.utf8), to: path) }
    try study.finish(report.study, in: project, of: chosen.name, store: store) { folder in
      TuneScreen(report, on: suite.datasets, in: folder, file: path ?? "\(folder)/parameters.yaml").blocks
    }
  }
}

extension TuneSearch.Method: ExpressibleByArgument {}
