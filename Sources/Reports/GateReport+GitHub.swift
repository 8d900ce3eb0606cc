import Evaluation
import Files
import Scoring
import Statistics

/// A gate's verdict as GitHub workflow commands: an error for each metric that blocks the release, a warning for each
/// that may be worse and does not block it.
///
/// GitHub shows at most ten errors and ten warnings per step: the worst come first, and the tenth gives the number of
/// others.
///
/// - Source: docs.github.com, Workflow commands for GitHub Actions; actions/toolkit, `packages/core/src/command.ts` for
///   the escapes: `%` and LF everywhere, `:` and `,` in properties as well.
public struct GitHubAnnotations: Sendable {
  public static let limit = 10

  private let errors: [(title: String, message: String)]
  private let warnings: [(title: String, message: String)]

  public init(_ report: GateReport) {
    switch report.result {
    case .missing(let reason): self.init(errors: [("MISSING: gate \(report.suite)", reason)], warnings: [])
    case .failed(let reason): self.init(errors: [("ERROR: gate \(report.suite)", reason)], warnings: [])
    case .decided(let verdict, _) where verdict.metrics.isEmpty && report.missing.isEmpty:
      self.init(
        errors: [("\(verdict.title): gate \(report.suite)", verdict.reason)], warnings: [])
    case .decided(let verdict, _):
      self.init(
        verdicts: verdict.metrics, missing: report.missing.map { ("MISSING: gate \(report.suite)", $0) },
        findings: verdict.findings.map { ("gate \(report.suite)", $0) }, stopAt: report.stopAt)
    }
  }

  /// - Parameters:
  ///   - missing: Missing parts other than metrics.
  ///   - findings: Warnings besides those about metrics.
  init(
    verdicts: [Verdict.MetricVerdict], missing: [(title: String, message: String)] = [],
    findings: [(title: String, message: String)] = [], stopAt: Double
  ) {
    let metrics = verdicts.worstFirst.filter { $0.outcome != .pass }
    func annotation(_ metric: Verdict.MetricVerdict) -> (title: String, message: String) {
      let stops = metric.stopReason(at: stopAt) == nil ? "" : ", STOPS"
      return (
        "\(metric.title)\(stops): \(metric.change.metric) of \(metric.change.detector)", metric.message(stopAt: stopAt)
      )
    }
    let holding = metrics.filter { $0.holdsRelease(stopAt: stopAt) }
    self.init(
      errors: holding.filter { $0.outcome < .missing }.map(annotation) + missing
        + holding.filter { $0.outcome >= .missing }.map(annotation),
      warnings: findings + metrics.filter { !$0.holdsRelease(stopAt: stopAt) }.map(annotation))
  }

  private init(errors: [(title: String, message: String)], warnings: [(title: String, message: String)]) {
    self.errors = errors
    self.warnings = warnings
  }

  /// One command per line; empty if all pass.
  public var commands: [String] { Self.commands("error", errors) + Self.commands("warning", warnings) }

  private static func commands(_ kind: String, _ annotations: [(title: String, message: String)]) -> [String] {
    let omitted = annotations.count - limit
    return annotations.prefix(limit).enumerated().map { index, annotation in
      let more = omitted > 0 && index == limit - 1 ? "\nand \(omitted) more \(kind)\(omitted == 1 ? "" : "s")" : ""
      return "::\(kind) title=\(property(annotation.title))::\(message(annotation.message + more))"
    }
  }

  private static func message(_ text: String) -> String {
    text.visible.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

/// A gate's verdict as short Markdown for `$GITHUB_STEP_SUMMARY`.
///
/// - Source: docs.github.com, Workflow commands for GitHub Actions, "Adding a job summary".
public struct GitHubSummary: Sendable {
  private let report: GateReport

  public init(_ report: GateReport) { self.report = report }

  /// Why the clip that lost most is wrong, the data that would decide it, and the findings.
  private var detail: String {
    guard case .decided(let verdict, _) = report.result else { return "" }
    let why = report.why.map { "Why: \($0)" }
    return ([why, verdict.detail].compactMap(\.self) + verdict.findings).map { Markdown.text($0) + "\n\n" }.joined()
  }

  /// The lines of the headline, of which only a program's error has several.
  private var lines: [String] {
    guard case .failed = report.result else { return [report.headline] }
    return report.headline.split(separator: "\n").map(String.init)
  }

  private var headline: String { lines.first ?? "" }

  /// What a program said, as it said it.
  private var told: String {
    let told = lines.dropFirst().map { "    \($0.visibleLine)\n" }.joined()
    return told.isEmpty ? "" : "\(told)\n"
  }

  public var markdown: String {
    let rows = report.worstFirst.map { metric -> [String] in
      let (change, unit) = (metric.change, metric.change.unit)
      let interval = NumberText.interval(change.interval, unit: unit)
      return [
        metric.title, change.detector, change.metric,
        NumberText.value(change.before, unit: unit), NumberText.value(change.after, unit: unit),
        change.isUnchanged ? "unchanged" : NumberText.signed(change.gain, unit: unit), interval ?? "n/a",
        NumberText.plain(change.margin ?? 0),
        [unit, change.casesWords ?? ""].filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    }
    let header = ["", "detector", "metric", "baseline", "now", "gain", "95 % interval", "margin", "unit"]
    return "### bench gate \(Markdown.text(report.suite)): \(Markdown.text(headline))\n\n" + told + detail
      + (rows.isEmpty ? "" : Markdown.table([header] + rows) + "\n\n")
      + report.missing.map { "- MISSING: \(Markdown.text($0))\n" }.joined() + (report.missing.isEmpty ? "" : "\n")
  }
}

/// A gate's results for github-action-benchmark: a list of entries, smaller is better for all.
///
/// The action supports one direction per file (`customSmallerIsBetter`) and compares by ratio, which is meaningless
/// below 0. A metric with best value 1 is written as 1 minus its value, with that in its name; a bias as its absolute
/// value. A time below 0, such as a cue that comes earlier live, is written as 0, with the value in `extra`. A gate
/// that could not run writes an error instead of the list, which the action refuses.
///
/// - Source: github.com/benchmark-action/github-action-benchmark, README, "customSmallerIsBetter".
public struct GitHubBenchmarkReport: Encodable, Sendable {
  struct Entry: Encodable, Sendable {
    var name: String
    var unit: String
    var value: Double
    var range: String?
    var extra: String
  }

  private var entries: [Entry] = []
  private var error: String?

  public init(_ report: GateReport) {
    switch report.result {
    case .missing(let reason), .failed(let reason): error = reason
    case .decided(let verdict, let results):
      entries = results.metrics.filter(\.isListed).compactMap(Self.entry)
      if verdict.outcome == .missing { error = verdict.reason }
    }
  }

  private static func entry(_ metric: RunResults.MetricResult) -> Entry? {
    guard let value = metric.value, value.isFinite else { return nil }
    let half = metric.interval.map { "± \(NumberText.fixed(($0.high - $0.low) / 2, decimals: 4))" }
    let name = metric.metricID.description
    let unit = metric.unit.isEmpty ? "share" : metric.unit
    let subjects = "\(metric.definedSubjects) of \(NumberText.count(metric.bySubject.count, "person"))"
    let (title, shown) =
      switch metric.direction {
      case .lowerIsBetter: (name, value)
      case .zeroIsBest: ("\(name) (size)", abs(value))
      case .higherIsBetter: ("1 − \(name)", 1 - value)
      }
    return Entry(
      name: title, unit: unit, value: max(0, shown), range: half,
      extra: shown < 0 ? "\(subjects); measured \(NumberText.value(shown, unit: metric.unit)), written as 0" : subjects)
  }

  public func encode(to encoder: any Encoder) throws {
    if let error { return try ["error": error].encode(to: encoder) }
    try entries.encode(to: encoder)
  }
}
