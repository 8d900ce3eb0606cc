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
    if let path { try writeWhole(Data(ParameterFile(results).yaml.utf8), to: path) }
    try study.finish(report.study, in: project, of: chosen.name, store: store) { folder in
      TuneSummary(
        report: report, datasets: suite.datasets, folder: folder, file: path ?? "\(folder)/parameters.yaml"
      ).text
    }
  }
}

extension TuneSearch.Method: ExpressibleByArgument {}

/// A tuning on one screen.
struct TuneSummary {
  var report: TuneReport
  /// Those that replaced the suite's.
  var datasets: [String]
  /// The folder of the report.
  var folder: String
  /// The path of the parameter file.
  var file: String

  private var results: TuneResults { report.results }

  var text: String {
    let head = ["\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)"]
    return
      (Terminal.opening(report.conclusion(file: file, datasets: datasets)) + [""] + head + results.datasets.lines
      + (results.perturbation?.lines ?? []) + plan + [""] + choices + [""] + scores + ["", end])
      .joined(separator: "\n")
  }

  private var plan: [String] {
    var lines = [entry("tune", report.planWords)]
    if let alone = report.leftAloneWords { lines.append(entry("untuned", alone)) }
    if let skipped = report.contradictionWords { lines.append(entry("skipped", skipped)) }
    return lines
  }

  private var choices: [String] {
    let lines = Terminal.table(report.choiceRows, right: [1, 2], indent: 0)
    return [Terminal.dim(lines[0])] + lines.dropFirst()
  }

  private var scores: [String] {
    let lines = Terminal.table(report.scoreRows, right: [1, 2], indent: 0)
    return zip(lines, 0...).map { line, row in
      switch row {
      case 0: Terminal.dim(line)
      case 1: Terminal.bold(line)
      case 2: line
      default: Terminal.unsure(line)
      }
    } + ["", entry("gain", report.gainWords)] + (report.delayWords.map { [entry("delay", $0)] } ?? [])
      + (report.procedureWords.map { [entry("nested", $0)] } ?? [])
      + (report.phantomWords.map { ["phantoms " + Terminal.wrap($0, indent: 9)] } ?? [])
      + (report.sideEffectWords.map { ["worse    \(Terminal.unsure(Terminal.wrap($0, indent: 9)))"] } ?? [])
  }

  private var end: String {
    "wrote    \(file)\n" + "report   \(folder)/tune.md\n"
      + "warning  \(Terminal.unsure("optimistic")): " + Terminal.wrap(TuneResults.honesty, indent: 9, from: 21)
  }

  private func entry(_ name: String, _ words: String) -> String {
    name + String(repeating: " ", count: 9 - name.count) + Terminal.wrap(words, indent: 9)
  }
}
