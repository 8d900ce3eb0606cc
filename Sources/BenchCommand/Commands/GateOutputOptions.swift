import ArgumentParser
import Evaluation
import Foundation
import Reports

/// The forms in which a gate's verdict is written beside what it prints.
struct GateOutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Writes the verdict as JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Writes the values in Bencher Metric Format.", valueName: "file"))
  var bencher: String?

  @Option(
    help: ArgumentHelp(
      "Writes the values for github-action-benchmark's customSmallerIsBetter; those of which more is better as 1 − value.",
      valueName: "file"))
  var githubBenchmark: String?

  /// Writes what is asked for, and what GitHub Actions asks for through its environment.
  func write(_ report: GateReport) throws {
    if let junit { try writeWhole(Data(JUnitReport(report).xml.utf8), to: junit) }
    if let bencher { try writeWhole(try stableJSON(BencherReport(report)), to: bencher) }
    if let githubBenchmark { try writeWhole(try stableJSON(GitHubBenchmarkReport(report)), to: githubBenchmark) }
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      // Other steps' summaries stand in the same file.
      let before = FileManager.default.contents(atPath: path) ?? Data()
      try writeWhole(before + Data(GitHubSummary(report).markdown.utf8), to: path)
    }
    // Standard error, so that --json stays JSON: the runner reads commands from both.
    if environment["GITHUB_ACTIONS"] == "true" {
      for command in GitHubAnnotations(report).commands { Terminal.error(command) }
    }
  }
}
