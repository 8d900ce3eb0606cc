import Charts
import Statistics
import Testing

@testable import Evaluation

/// What the title of a comparison says: where there is nothing to compare, never that nothing changed.
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

  /// The gate stops there, whatever changed.
  @Test func aValueWorseThanItsFloorIsTheFinding() {
    var change = Self.change(100, 250)
    change.floor = 200
    #expect(
      MetricChange.finding([change], names: Self.names)
        == "B is worse than a floor: report delay 250.0 ms, floor 200.0 ms")
    change.floor = 300
    #expect(
      MetricChange.finding([change], names: Self.names) == "No clear difference: 1 metric changed, which may be chance")
  }

  /// What the gate leaves open is no claim, but is said: here it would stop, of the more likely loss.
  @Test func aLikelyLossIsSaidWithItsProbability() {
    var (one, other) = (Self.change(100, 150), Self.change(100, 120))
    other.metric = "latency.live"
    (one.margin, one.probabilityOfLoss) = (30, 0.92)
    (other.margin, other.probabilityOfLoss) = (30, 0.4)
    let likely = "report delay 100.0 → 150.0 ms, worse for 1 of 1 person, 92 % likely to be worse beyond the margin"
    #expect(
      MetricChange.finding([other, one], names: Self.names) == "B may be worse: \(likely) (and 1 other metric)")
    one.probabilityOfLoss = 0.2
    #expect(MetricChange.finding([one], names: Self.names)?.hasPrefix("No clear difference: ") == true)
    other.shown = .better
    (other.probabilityOfLoss, other.gain) = (nil, 20)
    one.probabilityOfLoss = 0.92
    #expect(
      MetricChange.finding([one, other], names: Self.names)?.hasPrefix(
        "Mixed: B may be worse in \(likely); better in live delay ") == true)
  }

  @Test func sidesWithoutACommonMetricSaySo() {
    #expect(MetricChange.finding([], names: Self.names) == "A and B have no metric in common")
  }
}
