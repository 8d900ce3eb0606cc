import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Reports
import Scoring
import Statistics

struct GateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Run a suite and compare it with its committed baseline.",
    discussion: """
      Exit codes: 0 pass, 2 regression, 3 inconclusive (where the suite's policy is fail), 5 something needed is \
      missing: a dataset, clip, metric or baseline, or a dataset whose content has changed.

      In GitHub Actions it also annotates the step and adds to its summary.

      It refuses to judge parameters, its own or the baseline's, on subjects that they were tuned on.

      Examples:
        bench gate --suite squat
        bench gate --suite squat --junit gate.xml --strict-improvements
        bench gate --suite squat --smooth one-euro
      """)

  @OptionGroup var suite: SuiteOptions

  @Flag(help: "Also exit with 2 if a metric got better by more than its margin: accept it as the new baseline.")
  var strictImprovements = false

  @OptionGroup var smoothing: SmoothingOptions

  @OptionGroup var tunedSubjects: TunedSubjectsOptions

  @OptionGroup var outputs: GateOutputOptions

  @Flag(help: "Print the verdict as JSON.")
  var json = false

  func run() async throws {
    let executed: ExecutedRun
    let comparison: Comparison
    do {
      let baseline = try suite.baseline()
      try tunedSubjects.require(baseline)
      executed = try await suite.execute(smoothing: smoothing.smoothing, requiring: tunedSubjects.require)
      comparison = try Comparison(executed.results, with: baseline)
      // What a release was held on is to be looked at, whatever the verdict.
      let now = Date().formatted(.iso8601)
      try executed.keep(
        as: "gate-\(now.replacing(":", with: "-"))", at: now, by: executed.origin(),
        heldAgainst: baseline, isNumbered: true)
    } catch let error as EvaluationError {
      if case .missing = error { try outputs.write(GateReport(suite: suite.suite, .missing("\(error)"))) }
      throw error
    } catch let error as DataError {
      try outputs.write(GateReport(suite: suite.suite, .missing("\(error)")))
      throw error
    }
    let verdict = Verdict(comparison, strictImprovements: strictImprovements)
    let code = verdict.exitCode(executed.suite.inconclusive)
    if json {
      Terminal.out(String(decoding: try stableJSON(GateRecord(verdict, comparison, exitCode: code)), as: UTF8.self))
    } else {
      Terminal.out(
        ([ComparisonText(comparison, verdict).text] + executed.results.tuningLines).joined(separator: "\n"))
    }
    try outputs.write(
      GateReport(
        suite: executed.suite.name, .decided(verdict, executed.results), policy: executed.suite.inconclusive))
    if code != 0 { throw ExitCode(code) }
  }
}

/// A gate's verdict for machines.
struct GateRecord: Encodable {
  var verdict: String
  var reason: String
  var detail: String?
  var exitCode: Int32
  var metrics: [Verdict.MetricVerdict]
  var changedParameters: [String]
  var changedCounts: [String]
  /// Of what else the detectors said of a clip.
  var changedAnswers: [String]

  init(_ verdict: Verdict, _ comparison: Comparison, exitCode: Int32) {
    self.verdict = verdict.outcome.rawValue
    reason = verdict.reason
    detail = verdict.detail
    self.exitCode = exitCode
    metrics = verdict.metrics
    changedParameters = comparison.changedParameters
    changedCounts = comparison.changedCounts.map(\.line)
    changedAnswers = comparison.changedAnswers.map(\.line)
  }
}

extension ClipChange {
  /// `squat-sample/s01_side_1: squat-states 5 → 4, true 5`
  fileprivate var line: String { "\(clip): \(detector) \(words)" }
}

/// What changed since the baseline, and the verdict.
struct ComparisonText {
  var comparison: Comparison
  var verdict: Verdict

  init(_ comparison: Comparison, _ verdict: Verdict) {
    self.comparison = comparison
    self.verdict = verdict
  }

  var text: String {
    (comparison.changedParameters.map { "changed  \($0)" } + clips + [""] + metrics + ["", VerdictText(verdict).line])
      .joined(separator: "\n")
  }

  private var clips: [String] {
    let changes = comparison.clipChanges
    let shown = changes.prefix(10).map { "changed  \($0.line)" }
    let others = Set(changes.map(\.clip)).subtracting(changes.prefix(10).map(\.clip)).count
    return shown + (others > 0 ? ["         and \(Terminal.count(others, "other clip"))"] : [])
  }

  private var metrics: [String] {
    let rows = verdict.metrics.map { metric -> [String] in
      let unit = metric.change.unit
      return [
        metric.outcome.rawValue, metric.change.detector, metric.change.metric,
        NumberText.value(metric.change.before, unit: unit), NumberText.value(metric.change.after, unit: unit),
        metric.change.isUnchanged ? "=" : NumberText.signed(metric.change.gain, unit: unit),
        NumberText.interval(metric.change.interval, unit: unit) ?? "n/a",
        NumberText.plain(metric.change.margin ?? 0), unit,
      ]
    }
    let header = ["", "detector", "metric", "baseline", "now", "gain", "95 % interval", "margin", ""]
    return Terminal.table([header] + rows, right: [3, 4, 5, 6, 7], indent: 0)
  }
}

/// The forms in which a gate's verdict is written beside what it prints.
struct GateOutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the verdict as JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write the values in Bencher Metric Format.", valueName: "file"))
  var bencher: String?

  @Option(
    help: ArgumentHelp(
      "Write the values for github-action-benchmark's customSmallerIsBetter; where higher is better, 1 − value.",
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
