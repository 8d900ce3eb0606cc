import Charts
import Testing

@testable import Evaluation

/// What the title of a comparison says where there is nothing to compare: never that nothing changed.
@Suite struct ComparisonFindingTests {
  private static let names = ComparisonNames(datasets: 1, kinds: ["counter": "reps"])

  private static func change(_ before: Double?, _ after: Double?) -> MetricChange {
    let gain = before.flatMap { before in after.map { before - $0 } }
    return MetricChange(
      detector: "counter", metric: "latency.report", unit: "ms", direction: .lowerIsBetter, before: before,
      after: after, bySubject: ["data/a": MetricChange.Subject(before: before, after: after, gain: gain)], margin: nil,
      clips: 1)
  }

  @Test func aMetricWithoutAPairIsNotComparable() {
    #expect(MetricChange.finding([Self.change(100, nil)], names: Self.names) == "Not comparable: latency.report")
    #expect(MetricChange.finding([Self.change(nil, 100)], names: Self.names) == "Not comparable: latency.report")
    #expect(MetricChange.finding([Self.change(100, 100)], names: Self.names) == nil)
  }

  @Test func sidesWithoutACommonMetricSaySo() {
    #expect(MetricChange.finding([], names: Self.names) == "A and B have no metric in common")
  }
}
