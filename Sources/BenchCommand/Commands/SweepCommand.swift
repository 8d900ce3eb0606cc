import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Reports

struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Scores one metric at many settings of a detector's parameters.",
    discussion: """
      Values are a list (80,90,100), a range with a step (70...110:2), or with --sample a range without one (70...110). \
      Several --sweep make a grid. Settings whose values contradict each other are skipped and counted. The optimum is \
      chosen on the suite's own subjects, so its score is optimistic.

      Examples:
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...110:2
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130:5 \\
          --sweep reps.squat-states.standingAngle=145,150,155,160 --metric count.mae
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130 \\
          --sweep reps.squat-states.hysteresis=0...10 --sample 200 --seed 1
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(
    name: .customLong("sweep"), parsing: .singleValue,
    help: ArgumentHelp("Varies a parameter; may be repeated.", valueName: "kind.detector.parameter=values"))
  var sweeps: [String]

  @Option(help: "What to score. (default: the first metric that the suite names for the detector)")
  var metric: String?

  @Option(help: "Tries this many settings, spread evenly over the ranges, in place of all combinations.")
  var sample: Int?

  @Option(help: "The sample's seed. (default: 1)")
  var seed: UInt64?

  @OptionGroup var study: StudyOptions

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample takes a whole number from 1, found \(sample)") }
    if seed != nil, sample == nil { throw ValidationError("--seed is the seed of a --sample, which is absent") }
  }

  func run() async throws {
    let project = suite.storage.project
    let templates = try study.templates(project)
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let detectors = try chosen.detectors.map { try Bench.registry.detector(named: $0.name) }
    let assignments = try suite.assignments.flatMap { try Assignment.all($0, of: detectors) }
    let plan = try SweepPlan(
      sweeps.map { try SweepAxis($0, of: detectors) },
      sampling: sample.map { SweepPlan.Sampling(count: $0, seed: seed ?? 1) })
    if let axis = plan.axes.first(where: { axis in
      assignments.contains { $0.detector == plan.detector && $0.parameter == axis.parameter.name }
    }) {
      throw EvaluationError.usage("\(axis.parameter.name) is both set and swept: expected one of them")
    }
    let store = try suite.storage.open()
    let run = try SweepRun(plan, metric: metric, on: suite.suiteRun(chosen, store: store))
    let bar = ProgressBar("sweeping \(run.settingCount) settings", total: run.clipCount)
    defer { bar.finish() }
    let results = try await run.results(
      version: Bench.version, threads: suite.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    ) { try bar.update($0) }
    bar.finish()
    let report = SweepReport(results)
    try study.finish(report.study, in: project, of: chosen.name, store: store, templates) {
      SweepSummary(report: report, folder: $0).text
    }
  }
}
