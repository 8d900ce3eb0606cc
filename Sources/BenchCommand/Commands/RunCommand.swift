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

      Examples:
        bench run --suite squat
        bench run --suite squat --set reps.squat-states.bottomAngle=100
        bench run --suite squat --smooth one-euro
        bench run --suite squat --dataset repcount-pose --json
      """)

  @OptionGroup var suite: SuiteOptions

  @Flag(help: "Prints results.json instead of the summary.")
  var json = false

  @Option(help: "Marks the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var smoothing: SmoothingOptions

  func run() async throws {
    let executed = try await suite.execute(smoothing: smoothing.smoothing)
    let report = try executed.report()
    let now = Date().formatted(.iso8601)
    let folder = try report.write(
      to: executed.project.reportFolder(executed.suite.name), at: now.replacing(":", with: "-")
    ) { name in try executed.keep(as: name, at: now, heldAgainst: report.baseline, release: release) }
    if json {
      Terminal.out(String(decoding: try stableJSON(executed.results), as: UTF8.self))
    } else {
      Terminal.out(RunSummary(report: report, folder: folder).text)
    }
  }
}

extension ExecutedRun {
  /// The report of this run, compared with the baseline where there is one that fits.
  func report() throws -> RunReport {
    var held: (baseline: Baseline, comparison: Comparison)?
    var reason: String?
    do {
      let baseline = try Baseline(file: project.baselineFile(suite.name), suite: suite.name)
      held = (baseline, try Comparison(results, with: baseline))
    } catch let error as EvaluationError {
      // Looking at a suite without a fitting baseline is fine; releasing on it is not, which the gate sees to.
      reason = "\(error)"
    }
    var timeline: (clip: ClipResult, timeline: Timeline)?
    if let counter = results.counter, let worst = results.worstClips(counter).first ?? results.clips.first,
      let seen = try run.timeline(of: worst, detector: counter)
    {
      timeline = (worst, seen)
    }
    return RunReport(
      results, baseline: held?.baseline, comparison: held?.comparison, reasonWithoutVerdict: reason,
      timeline: timeline)
  }

  /// Keeps the run in the store.
  ///
  /// - Parameters:
  ///   - name: what it is called within its suite.
  ///   - now: ISO 8601, UTC.
  ///   - isNumbered: whether a number is added where another run has the name, which is an error otherwise.
  func keep(
    as name: String, at now: String, heldAgainst baseline: Baseline?, release: String? = nil, isNumbered: Bool = false
  ) throws {
    let origin = try RunOrigin(arguments: Bench.arguments, bench: Bench.version, root: project.root, store: store)
    func text(_ value: some Encodable) throws -> String { String(decoding: try stableJSON(value), as: UTF8.self) }
    try store.add(
      StoredRun(
        id: "\(suite.name)/\(name)", suite: suite.name, created: now, results: text(results), origin: text(origin),
        release: release, baseline: baseline.map(text)), isNumbered: isNumbered)
  }
}
