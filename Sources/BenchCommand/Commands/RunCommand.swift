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

  @OptionGroup var smoothing: SmoothingOptions

  func run() async throws {
    let executed = try await suite.execute(smoothing: smoothing.smoothing)
    let report = try executed.report()
    let now = Date().formatted(.iso8601)
    let folder = try report.write(
      to: executed.project.reportFolder(executed.suite.name), at: now.replacing(":", with: "-")
    ) { name in
      try executed.store.add(
        StoredRun(
          id: "\(executed.suite.name)/\(name)", suite: executed.suite.name, created: now,
          results: String(decoding: try stableJSON(executed.results), as: UTF8.self)))
    }
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
    var comparison: Comparison?
    var reason: String?
    do {
      comparison = try Comparison(
        results, with: Baseline(file: project.baselineFile(suite.name), suite: suite.name))
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
    return RunReport(results, comparison: comparison, reasonWithoutVerdict: reason, timeline: timeline)
  }
}
