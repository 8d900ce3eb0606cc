import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Pipeline
import Reports
import Statistics

struct SweepCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Score one metric at many settings of a detector's parameters.",
    discussion: """
      Values are a list (80,90,100), a range with a step (70...110:2), or with --sample a range without one (70...110). \
      Several --sweep make a grid. Settings whose values contradict each other are skipped and counted. The optimum is \
      chosen on the suite's own people, so its score is optimistic.

      Examples:
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...110:2
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130:5 \\
          --sweep reps.squat-states.standingAngle=145,150,155,160 --metric count.mae
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130 \\
          --sweep reps.squat-states.hysteresis=0...10 --sample 200 --seed 1
      """)

  @OptionGroup var suite: SuiteOptions

  @OptionGroup var sweep: SweepOptions

  @OptionGroup var study: StudyOptions

  func validate() throws {
    if sweep.sweeps.isEmpty {
      throw ValidationError("Missing expected argument '--sweep <kind.detector.parameter=values>'")
    }
  }

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let store = try suite.storage.open()
    let run = try sweep.run(
      on: suite.suiteRun(chosen, perturbations: sweep.perturbations, store: store), setting: suite.assignments)
    let bar = ProgressBar("sweeping \(run.settingCount) settings", total: run.clipCount)
    defer { bar.finish() }
    let results = try await run.results(
      version: Bench.version, threads: suite.threads
    ) { try bar.update($0) }
    bar.finish()
    try study.finish(results, on: suite.datasets, in: project, store: store)
  }
}

extension StudyOptions {
  /// Writes the report of a sweep and prints its summary.
  ///
  /// - Parameter datasets: Those that replaced the suite's.
  func finish(_ results: SweepResults, on datasets: [String] = [], in project: Project, store: Store) throws {
    let report = SweepReport(results)
    let path = try Bench.registry.detector(named: results.detector).profile.path
    try finish(report.study, in: project, of: results.suite, store: store) {
      SweepScreen(report, path: path, on: datasets, in: $0).blocks
    }
  }
}
