import ArgumentParser
import Datasets
import Evaluation
import Foundation
import PoseModel

/// Where a command finds datasets, suites and the store.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store's file. (default: .formbench/store.sqlite beside datasets/)")
  var store: String?

  var project: Project { .around(FileManager.default.currentDirectoryPath, store: store) }

  func open() throws -> Store {
    let store = try Store(at: project.storePath)
    if let upgrade = store.upgrade {
      Terminal.error(
        "note: \(store.path) was made by an older bench; its tables were brought from version \(upgrade.from) to "
          + "\(upgrade.to), and that bench can't open it any more")
    }
    return store
  }
}

/// A suite and what to change in it.
struct SuiteOptions: ParsableArguments {
  @Option(help: "The suite: datasets/suites/<suite>.yaml.")
  var suite: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Sets a detector's parameter; may be repeated.", valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("dataset"), parsing: .singleValue,
    help: ArgumentHelp("Uses this dataset in place of the suite's; may be repeated.", valueName: "name"))
  var datasets: [String] = []

  @Option(help: "Clips replayed at the same time. (default: the number of cores)")
  var jobs: Int?

  @OptionGroup var parameterFiles: ParameterFileOptions

  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a whole number from 1, found \(jobs)") }
  }

  var threads: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The suite's baseline. An absent one is told before minutes of replay, a misspelt suite before that.
  func baseline() throws -> Baseline {
    let suite = try storage.project.suite(named: suite, registry: Bench.registry)
    return try Baseline(file: storage.project.baselineFile(suite.name), suite: suite.name)
  }

  /// A run of the suite with what is changed in it.
  func suiteRun(_ suite: Suite, perturbations: Perturbations? = nil, store: Store) throws -> SuiteRun {
    let detectors = try suite.detectors.map { try Bench.registry.detector(named: $0.name) }
    return try SuiteRun(
      suite, assignments: assignments.flatMap { try Assignment.all($0, of: detectors) },
      parameterFiles: parameterFiles.read(of: detectors), datasetNames: datasets, perturbations: perturbations,
      in: storage.project, store: store, registry: Bench.registry)
  }

  /// Runs the suite with a progress bar.
  ///
  /// - Parameters:
  ///   - smoothing: in place of the suite's own, where given.
  ///   - perturbations: what is to go wrong with the poses.
  ///   - isFit: throws where it need not be replayed.
  func execute(
    smoothing: Smoothing? = nil, perturbations: Perturbations? = nil,
    requiring isFit: (SuiteRun) throws -> Void = { _ in }
  ) async throws -> ExecutedRun {
    let project = storage.project
    var suite = try project.suite(named: suite, registry: Bench.registry)
    if let smoothing { suite.smoothing = smoothing }
    let store = try storage.open()
    let run = try suiteRun(suite, perturbations: perturbations, store: store)
    try isFit(run)
    let bar = ProgressBar("replaying", total: run.clipCount)
    defer { bar.finish() }
    var results = try await run.results(
      version: Bench.version, threads: threads
    ) { try bar.update($0) }
    if !suite.costs.isEmpty {
      // A missing or unreadable baseline is the gate's to tell; without it there is still the fixed loop.
      let baseline = try? Baseline(file: project.baselineFile(suite.name), suite: suite.name)
      for (detector, ratios) in try run.costRatios(beside: baseline) { results.measured[detector]?.ratios = ratios }
    }
    return ExecutedRun(project: project, store: store, suite: suite, run: run, results: results)
  }
}

/// A run that is done.
struct ExecutedRun {
  var project: Project
  var store: Store
  var suite: Suite
  var run: SuiteRun
  var results: RunResults
}
