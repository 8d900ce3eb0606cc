import ArgumentParser
import Datasets
import Evaluation
import Pipeline
import Reports
import Statistics

struct MergeCommand: AsyncParsableCommand, ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the tallies of all shards into the run or sweep that one machine would have made.",
    discussion: """
      Every clip must be there once, and all files must come from the same version of bench, suite, detectors, \
      parameters and datasets. The run is stored; report, compare, gate and history then work as usual.

      Examples:
        bench merge tallies/*.jsonl
        bench merge tallies/1*.jsonl --to tallies/first.jsonl
      """)

  @Argument(help: ArgumentHelp("Files of bench tally.", valueName: "file"))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Write one tally file of all these clips, of which some may be missing, instead of a run.", valueName: "file"))
  var to: String?

  @Flag(help: "Print the results as JSON instead of the summary.")
  var json = false

  @Flag(help: "Show every metric of the suite and every count, not only gating and changed ones.")
  var all = false

  @Option(help: "Mark the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if to != nil, json || all || release != nil {
      throw ValidationError("--to makes no run: leave out --json, --all and --release")
    }
  }

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let tallies = try TallyFiles(files)
    let bar = ProgressBar("merging", total: tallies.clipCount)
    defer { bar.finish() }
    if let to {
      try tallies.write(to: to) { try bar.update($0) }
      bar.finish()
      let clips = "\(NumberText.count(tallies.clipCount, "clip")) of \(tallies.plan.clips)"
      return Terminal.out([.unbroken("merged", "\(clips): \(to)")])
    }
    let options = try TallyOptions.parse(tallies.plan.options + (storage.store.map { ["--store=\($0)"] } ?? []))
    let project = storage.project
    _ = try project.within(project.baselineFile(options.suite.suite))
    let reports = try project.within(project.reportFolder(options.suite.suite))
    let store = try storage.open()
    let run = try options.suite.suiteRun(
      options.chosenSuite(), smoothing: options.smoothing.smoothing, from: .tallies(tallies), store: store)
    if !options.sweep.sweeps.isEmpty {
      if all || release != nil {
        throw EvaluationError.usage("these are tallies of a sweep: leave out --all and --release")
      }
      let results = try await options.sweep.run(on: run, setting: options.suite.assignments).results(
        of: tallies, threads: work.threads
      ) { try bar.update($0) }
      bar.finish()
      return try StudyOptions.parse(json ? ["--json"] : []).finish(results, in: project, store: store)
    }
    let results = try await run.results(version: Bench.version, threads: work.threads) { try bar.update($0) }
    bar.finish()
    try ExecutedRun(project: project, store: store, suite: run.suite, run: run, results: results)
      .finish(in: reports, release: release, json: json, showsAll: all)
  }
}
