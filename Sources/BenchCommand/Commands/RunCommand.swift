import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Reports

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a suite: replays its clips, scores its detectors, and writes a report.",
    discussion: """
      Ends with 0 when the run is done, whatever its verdict: bench gate is for holding a release.

      What --perturb does to every recording:
      \(PerturbationOptions.meanings)

      Examples:
        bench run --suite squat
        bench run --suite squat --set reps.squat-states.bottomAngle=100
        bench run --suite squat --smooth one-euro
        bench run --suite squat --dataset repcount-pose --json
        bench run --suite squat --perturb noise=2%,dropout=20%,fps=10
        bench run --suite squat --robustness
      """)

  @OptionGroup var suite: SuiteOptions

  @Flag(help: "Prints results.json instead of the summary.")
  var json = false

  @Option(help: "Marks the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var smoothing: SmoothingOptions
  @OptionGroup var perturbation: PerturbationOptions

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let templates = try ReportTemplates(folder: suite.storage.project.templateFolder)
    var executed = try await suite.execute(
      smoothing: smoothing.smoothing, perturbations: perturbation.perturbations)
    if perturbation.robustness { try await climb(&executed) }
    let now = Date().formatted(.iso8601)
    let report = try executed.report(at: now)
    let folder = try report.write(to: executed.project.reportFolder(executed.suite.name), templates) { name in
      try Interruption.check()
      try executed.keep(
        as: name, at: now, by: report.run.origin, heldAgainst: report.baseline, release: release)
    }
    if json {
      Terminal.out(String(decoding: try report.numbers(), as: UTF8.self))
    } else {
      Terminal.out(RunSummary(report: report, folder: folder).text)
    }
  }
}

extension RunCommand {
  /// Replays the run under every perturbation.
  private func climb(_ executed: inout ExecutedRun) async throws {
    let bar = ProgressBar("climbing", total: SuiteRun.robustnessReplays)
    defer { bar.finish() }
    executed.results.robustness = try await executed.run.robustness(
      beside: executed.results, seed: perturbation.seed, version: Bench.version, threads: suite.threads
    ) { try bar.update($0) }
  }
}

extension ExecutedRun {
  /// The report of this run, compared with the baseline where there is one that fits.
  ///
  /// - Parameter now: ISO 8601, UTC.
  func report(at now: String) throws -> RunReport {
    var (baseline, reason): (Baseline?, String?)
    do {
      baseline = try Baseline(file: project.baselineFile(suite.name), suite: suite.name)
    } catch let error as EvaluationError {
      reason = "\(error)"
    }
    return try RunReport(
      results, run: RunReport.Run(name: now.replacing(":", with: "-"), created: now, origin: origin()),
      baseline: baseline, reasonWithoutBaseline: reason, trail: MetricTrail(of: results, keptAs: nil, in: store)
    ) { clip, detector in
      try ReplayedClip(
        clip, of: results, detector: detector, in: DatasetCatalogue(project: project, store: store),
        registry: Bench.registry)
    }
  }

  /// What the run is made by.
  func origin() throws -> RunOrigin {
    try RunOrigin(arguments: Bench.arguments, bench: Bench.version, root: project.root, store: store)
  }

  /// Keeps the run in the store.
  ///
  /// - Parameters:
  ///   - name: what it is called within its suite.
  ///   - now: ISO 8601, UTC.
  ///   - isNumbered: whether a number is added where another run has the name, which is an error otherwise.
  func keep(
    as name: String, at now: String, by origin: RunOrigin?, heldAgainst baseline: Baseline?, release: String? = nil,
    isNumbered: Bool = false
  ) throws {
    func text(_ value: some Encodable) throws -> String { String(decoding: try stableJSON(value), as: UTF8.self) }
    try store.add(
      StoredRun(
        id: "\(suite.name)/\(name)", suite: suite.name, created: now, results: text(results), origin: origin.map(text),
        release: release, baseline: baseline.map(text)), isNumbered: isNumbered)
  }
}
