import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Reports

struct GateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Runs a suite and holds it against its committed baseline.",
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

  @Flag(help: "Ends with 2 also where a metric got better by more than its margin: accept it as the new baseline.")
  var strictImprovements = false

  @OptionGroup var smoothing: SmoothingOptions

  @OptionGroup var tunedSubjects: TunedSubjectsOptions

  @OptionGroup var outputs: GateOutputOptions

  @Flag(help: "Prints the verdict as JSON.")
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
  struct Metric: Encodable {
    var detector: String
    var metric: String
    var outcome: String
    var reason: String
    var detail: String?
    var before: Double?
    var after: Double?
    var gain: Double?
    var low: Double?
    var high: Double?
    var margin: Double?
  }

  var verdict: String
  var reason: String
  var detail: String?
  var exitCode: Int32
  var metrics: [Metric]
  var changedParameters: [String]
  var changedCounts: [String]
  /// Of what else the detectors said of a clip.
  var changedAnswers: [String]

  init(_ verdict: Verdict, _ comparison: Comparison, exitCode: Int32) {
    self.verdict = verdict.outcome.rawValue
    reason = verdict.reason
    detail = verdict.detail
    self.exitCode = exitCode
    metrics = verdict.metrics.map { metric in
      Metric(
        detector: metric.change.detector, metric: metric.change.metric, outcome: metric.outcome.rawValue,
        reason: metric.reason, detail: metric.detail, before: metric.change.before, after: metric.change.after,
        gain: metric.change.gain,
        low: metric.interval?.low, high: metric.interval?.high, margin: metric.change.margin)
    }
    changedParameters = comparison.changedParameters
    changedCounts = comparison.changedCounts.map(\.words)
    changedAnswers = comparison.changedAnswers.map { "\($0.clip): \($0.detector) \($0.words)" }
  }
}

extension Comparison.ChangedCount {
  /// `squat-sample/s01_side_1: squat-states 5 → 4, true 5`
  var words: String {
    "\(clip): \(detector) \(before) → \(after)" + (truth.map { ", true \($0)" } ?? "")
  }
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
    let changes = comparison.changedClips
    let shown = changes.prefix(10).map { "changed  \($0.clip): \($0.detector) \($0.words)" }
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
        metric.interval.map {
          "\(NumberText.value($0.low, unit: unit)) to \(NumberText.value($0.high, unit: unit))"
        } ?? "n/a",
        NumberText.plain(metric.change.margin ?? 0), unit,
      ]
    }
    let header = ["", "detector", "metric", "baseline", "now", "gain", "95 % interval", "margin", ""]
    return Terminal.table([header] + rows, right: [3, 4, 5, 6, 7], indent: 0)
  }
}
