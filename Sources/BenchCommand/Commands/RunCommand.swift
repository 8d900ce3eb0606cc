import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct RunCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a suite: replay its clips, score its detectors, and write a report.",
    discussion: """
      Exits with 0 when the run is done, even if it is worse. To block a release, use bench gate.

      Perturbations:
      \(PerturbOptions.meanings)

      Examples:
        bench run --suite squat
        bench run --suite squat --set reps.squat-states.bottomAngle=100
        bench run --suite squat --smooth one-euro
        bench run --suite squat --dataset repcount-pose --json
        bench run --suite squat --perturb noise=2%,dropout=20%,fps=10
        bench run --suite squat --robustness
      """)

  @OptionGroup var suite: SuiteOptions

  @Flag(help: "Print results.json instead of the summary.")
  var json = false

  @Flag(help: "Show every metric of the suite and every count, not only gating and changed ones.")
  var all = false

  @Option(help: "Mark the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var smoothing: SmoothingOptions
  @OptionGroup var perturbation: PerturbationOptions

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = suite.storage.project
    // Reported before minutes of replay.
    _ = try project.within(project.baselineFile(suite.suite))
    let reports = try project.within(project.reportFolder(suite.suite))
    var executed = try await suite.execute(
      smoothing: smoothing.smoothing, perturbations: perturbation.perturbations)
    if perturbation.robustness { try await climb(&executed) }
    executed.results.repeatNote = try await ProgramCheck.repeatNote(
      executed.run, executed.results, threads: suite.threads)
    try executed.finish(in: reports, release: release, json: json, showsAll: all)
  }
}

extension ExecutedRun {
  /// Writes the report, keeps the run, and prints its summary.
  ///
  /// - Parameters:
  ///   - reports: The folder of the suite's reports.
  ///   - json: Whether to print the numbers instead of the summary.
  ///   - showsAll: Whether the summary has every metric.
  func finish(in reports: String, release: String?, json: Bool, showsAll: Bool) throws {
    let now = Date().formatted(.iso8601)
    let report = try report(at: now)
    let numbers = try report.write(to: reports) { folder in
      if !json { Terminal.out(RunScreen(report, in: folder, showsAll: showsAll).blocks) }
    } keep: { name, results in
      try Interruption.check()
      try keep(results, as: name, at: now, by: report.run.origin, heldAgainst: report.baseline, release: release)
    }
    if json { Terminal.out(String(decoding: numbers, as: UTF8.self)) }
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

/// The options for perturbations of the poses.
struct PerturbOptions: ParsableArguments {
  /// One line per perturbation, for help.
  static let meanings = Perturbations.all.map {
    "  \($0.profile.name)=\($0.profile.example): \($0.profile.meaning)"
  }.joined(separator: "\n")

  @Option(
    help: ArgumentHelp(
      "Corrupt the poses before detection, in the order written: "
        + Perturbations.all.map { "\($0.profile.name)=\($0.profile.example)" }.joined(separator: ",")
        + ". The ground truth stays; the result never gates.",
      valueName: "list"))
  var perturb: String?

  /// `nil` for none.
  func perturbations(seed: UInt64) throws -> Perturbations? { try perturb.map { try Perturbations($0, seed: seed) } }

  func validate() throws {
    // The seed does not affect the parsing.
    do { _ = try perturbations(seed: 1) } catch let error as PerturbationError {
      throw ValidationError("--perturb: \(error)")
    }
  }
}

/// Perturbations to run a suite with, besides the recorded poses.
struct PerturbationOptions: ParsableArguments {
  @OptionGroup var options: PerturbOptions

  @Flag(
    help: "Also replay the suite under each perturbation alone, from mild to strong, and chart the scores.")
  var robustness = false

  @Option(help: "The seed of --perturb and --robustness.")
  var seed: UInt64 = 1

  /// `nil` for none.
  var perturbations: Perturbations? {
    get throws { try options.perturbations(seed: seed) }
  }

  func validate() throws {
    guard options.perturb == nil || !robustness else {
      throw ValidationError("--robustness starts from the recorded poses: leave out --perturb")
    }
  }
}
