import Evaluation

/// A gate's verdict as GitHub workflow commands: an error for each metric that holds the release, a warning for each
/// that is inconclusive and does not.
///
/// GitHub shows at most ten errors and ten warnings a step, so the worst come first and the tenth says how many more there are.
///
/// - Source: docs.github.com, Workflow commands for GitHub Actions; actions/toolkit, `packages/core/src/command.ts` for
///   the escapes: `%`, CR and LF everywhere, `:` and `,` in properties as well.
public struct GitHubAnnotations: Sendable {
  public static let limit = 10

  private let errors: [(title: String, message: String)]
  private let warnings: [(title: String, message: String)]

  public init(_ report: GateReport) {
    switch report.result {
    case .missing(let reason): self.init(errors: [("MISSING: gate \(report.suite)", reason)], warnings: [])
    case .decided(let verdict, _) where verdict.metrics.isEmpty:
      self.init(
        errors: [("\(verdict.outcome.rawValue.uppercased()): gate \(report.suite)", verdict.reason)], warnings: [])
    case .decided(let verdict, _): self.init(verdicts: verdict.metrics, policy: report.policy)
    }
  }

  init(verdicts: [Verdict.MetricVerdict], policy: Suite.InconclusivePolicy) {
    let metrics = verdicts.worstFirst.filter { $0.outcome != .pass }
    func annotation(_ metric: Verdict.MetricVerdict) -> (title: String, message: String) {
      ("\(metric.outcome.rawValue.uppercased()): \(metric.change.metric) of \(metric.change.detector)", metric.message)
    }
    self.init(
      errors: metrics.filter { $0.outcome.holdsRelease(policy) }.map(annotation),
      warnings: metrics.filter { !$0.outcome.holdsRelease(policy) }.map(annotation))
  }

  private init(errors: [(title: String, message: String)], warnings: [(title: String, message: String)]) {
    self.errors = errors
    self.warnings = warnings
  }

  /// One command a line; empty where all pass.
  public var commands: [String] { Self.commands("error", errors) + Self.commands("warning", warnings) }

  private static func commands(_ kind: String, _ annotations: [(title: String, message: String)]) -> [String] {
    let omitted = annotations.count - limit
    return annotations.prefix(limit).enumerated().map { index, annotation in
      let more = omitted > 0 && index == limit - 1 ? "\nand \(omitted) more \(kind)\(omitted == 1 ? "" : "s")" : ""
      return "::\(kind) title=\(property(annotation.title))::\(message(annotation.message + more))"
    }
  }

  private static func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
