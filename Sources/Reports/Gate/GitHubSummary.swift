import Evaluation

/// A gate's verdict as a short piece of Markdown for `$GITHUB_STEP_SUMMARY`.
///
/// - Source: docs.github.com, Workflow commands for GitHub Actions, "Adding a job summary".
public struct GitHubSummary: Sendable {
  private let report: GateReport

  public init(_ report: GateReport) { self.report = report }

  /// What it would take to decide.
  private var detail: String {
    guard case .decided(let verdict, _) = report.result, let detail = verdict.detail else { return "" }
    return Markdown.text(detail) + "\n\n"
  }

  public var markdown: String {
    let rows = report.worstFirst.map { metric -> [String] in
      let (change, unit) = (metric.change, metric.change.unit)
      let interval = metric.interval.map {
        "\(NumberText.value($0.low, unit: unit)) to \(NumberText.value($0.high, unit: unit))"
      }
      return [
        metric.outcome.rawValue.uppercased(), change.detector, change.metric,
        NumberText.value(change.before, unit: unit), NumberText.value(change.after, unit: unit),
        change.isUnchanged ? "unchanged" : NumberText.signed(change.gain, unit: unit), interval ?? "n/a",
        NumberText.plain(change.margin ?? 0), unit,
      ]
    }
    let header = ["", "detector", "metric", "baseline", "now", "gain", "95 % interval", "margin", "unit"]
    return "### bench gate \(report.suite): \(Markdown.text(report.headline))\n\n" + detail
      + (rows.isEmpty ? "" : Markdown.table([header] + rows) + "\n\n")
  }
}
