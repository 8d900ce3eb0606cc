import Evaluation
import Scoring

/// A gate's results for github-action-benchmark: a list of entries, smaller is better for all.
///
/// The action takes one direction a file (`customSmallerIsBetter`). A metric for which more is better is turned into its
/// shortfall where its best value is 1, and otherwise into its negative, which its name then says. A gate that could not
/// run writes an error in place of the list, which the action refuses.
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
    case .missing(let reason): error = reason
    case .decided(let verdict, let results):
      entries = results.metrics.filter(\.isListed).compactMap(Self.entry)
      if verdict.outcome == .missing { error = verdict.reason }
    }
  }

  private static func entry(_ metric: RunResults.MetricResult) -> Entry? {
    guard let value = metric.value, value.isFinite else { return nil }
    let half = metric.interval.map { "± \(NumberText.fixed(($0.high - $0.low) / 2, decimals: 4))" }
    let name = "\(metric.detector) \(metric.metric)"
    let unit = metric.unit.isEmpty ? "share" : metric.unit
    let subjects = "\(metric.definedSubjects) of \(metric.bySubject.count) subjects"
    switch metric.direction {
    case .lowerIsBetter: return Entry(name: name, unit: unit, value: value, range: half, extra: subjects)
    case .zeroIsBest: return Entry(name: "\(name) (size)", unit: unit, value: abs(value), range: half, extra: subjects)
    case .higherIsBetter where metric.unit.isEmpty:
      return Entry(name: "1 − \(name)", unit: unit, value: 1 - value, range: half, extra: subjects)
    case .higherIsBetter:
      return Entry(name: "−\(name)", unit: unit, value: -value, range: half, extra: subjects)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let error { return try ["error": error].encode(to: encoder) }
    try entries.encode(to: encoder)
  }
}
