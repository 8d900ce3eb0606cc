import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Statistics

/// What is run on each clip. Written into a tally file's head, from which `bench merge` makes the same run.
struct TallyOptions: ParsableArguments {
  @OptionGroup var suite: SuiteOptions
  @OptionGroup var smoothing: SmoothingOptions
  @OptionGroup var sweep: SweepOptions

  func validate() throws {
    guard sweep.sweeps.isEmpty else {
      if smoothing.smooth != nil { throw ValidationError("a sweep uses its suite's smoothing: leave out --smooth") }
      return
    }
    if sweep.metric != nil || sweep.sample != nil { throw ValidationError("--metric and --sample need --sweep") }
  }

  func chosenSuite() throws -> Suite {
    try suite.storage.project.suite(named: suite.suite, registry: Bench.registry)
  }

  /// As they are parsed, without those that say where and how fast it is run.
  var arguments: [String] {
    Self.arguments(suite, smoothing.smooth) + Self.list("sweep", sweep.sweeps)
      + Self.list("metric", [sweep.metric].compactMap(\.self))
      + Self.list("sample", [sweep.sample].compactMap { $0.map(String.init) })
      + Self.list("perturb", [sweep.perturb.perturb].compactMap(\.self))
      + Self.list("seed", [sweep.seed].compactMap { $0.map { String($0) } })
  }

  /// Those of a run.
  static func arguments(_ suite: SuiteOptions, _ smooth: String?) -> [String] {
    list("suite", [suite.suite]) + list("set", suite.assignments) + list("dataset", suite.datasets)
      + list("parameters", suite.parameterFiles.paths) + list("smooth", [smooth].compactMap(\.self))
  }

  private static func list(_ name: String, _ values: [String]) -> [String] { values.map { "--\(name)=\($0)" } }
}

struct TallyCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Replay a part of a suite's clips and write their tallies to a file for bench merge.",
    discussion: """
      Several machines share the clips of a run, or with --sweep of a sweep: each tallies a shard, and from all \
      files bench merge makes the run that one machine would have made. See docs/scale.md, also for Spark, Dask and \
      Ray.

      Examples:
        bench tally --suite squat --shard 3/64 --to tallies/3.jsonl
        bench tally --suite squat --clips clips.txt --to part.jsonl
        bench tally --suite squat --sweep reps.squat-states.bottomAngle=70...110:2 --shard 1/2 --to 1.jsonl
      """)

  @OptionGroup var options: TallyOptions

  @Option(help: ArgumentHelp("The part of the clips: 3/64 is the third of 64. (default: all clips)", valueName: "part"))
  var shard: String?

  @Option(
    help: ArgumentHelp(
      "Tally the clips named in this file, one on each line, - for standard input: squats/anna_1.", valueName: "file"))
  var clips: String?

  @Option(help: ArgumentHelp("Write the tallies to this file; it appears when it is complete.", valueName: "file"))
  var to: String

  var suite: SuiteOptions { options.suite }

  func validate() throws {
    if shard != nil, clips != nil { throw ValidationError("give one of --shard and --clips") }
    if let shard, Shard(shard) == nil {
      throw ValidationError("--shard takes a part such as 3/64, from 1/64 to 64/64, found \(shard)")
    }
  }

  func run() async throws {
    let project = suite.storage.project
    let run = try suite.suiteRun(
      options.chosenSuite(), smoothing: options.smoothing.smoothing, perturbations: options.sweep.perturbations,
      store: suite.storage.open())
    let sweep = try options.sweep.sweeps.isEmpty ? nil : options.sweep.run(on: run, setting: suite.assignments)
    let plan =
      try sweep?.plan(options: options.arguments, version: Bench.version, in: project)
      ?? TallyPlan(run, options: options.arguments, version: Bench.version, in: project)
    let part = clips == nil ? shard.map { Shard($0) } ?? Shard("1/1") : nil
    var positions = part?.positions(of: plan.clips) ?? []
    if let clips {
      let (names, file) = (try names(in: clips), clips == "-" ? "standard input" : clips)
      positions = try sweep?.positions(of: names, from: file) ?? run.positions(of: names, from: file)
    }
    let file = try TallyWriter(to, plan: plan, shard: part, clips: positions.count)
    let bar = ProgressBar("tallying", total: positions.count)
    defer { bar.finish() }
    if let sweep {
      try await sweep.tally(positions, to: file, threads: suite.threads) { try bar.update($0) }
    } else {
      // A missing or unreadable baseline has no parameters; the fixed loop remains.
      let baseline = try? project.baseline(ofSuite: run.suite.name)
      try await run.tally(
        positions, to: file, beside: baseline?.parameters ?? [:], threads: suite.threads
      ) { try bar.update($0) }
    }
    bar.finish()
    Terminal.out([.unbroken("tallied", "\(NumberText.count(positions.count, "clip")) of \(plan.clips): \(to)")])
  }

  private func names(in path: String) throws -> [String] {
    let text =
      path == "-"
      ? String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) : try InputFile(path).text()
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }
}
