import Scoring
import Testing

struct MetricTests {
  @Test func lossIsAboveZeroWhereTheValueIsWorse() {
    #expect(Metric.Direction.higherIsBetter.loss(from: 3, to: 1) == 2)
    #expect(Metric.Direction.higherIsBetter.loss(from: 1, to: 3) == -2)
    #expect(Metric.Direction.lowerIsBetter.loss(from: 1, to: 3) == 2)
    #expect(Metric.Direction.lowerIsBetter.loss(from: 3, to: 1) == -2)
    #expect(Metric.Direction.zeroIsBest.loss(from: -1, to: 3) == 2)
    #expect(Metric.Direction.zeroIsBest.loss(from: 1, to: -3) == 2)
    #expect(Metric.Direction.zeroIsBest.loss(from: -3, to: 1) == -2)
    #expect(Metric.Direction.zeroIsBest.loss(from: -3, to: 3) == 0)
  }

  /// Baselines are committed with these words in them.
  @Test func directionsAreWrittenAsWords() {
    #expect(Metric.Direction.higherIsBetter.rawValue == "higher")
    #expect(Metric.Direction.lowerIsBetter.rawValue == "lower")
    #expect(Metric.Direction.zeroIsBest.rawValue == "zero")
  }

  @Test func keepsWhatItIsGiven() {
    let metric = Metric(
      "a.b", "What it is.", .zeroIsBest, unit: "ms", range: -2...5, undefined: "never", source: "a book")
    #expect(metric.name == "a.b")
    #expect(metric.summary == "What it is.")
    #expect(metric.direction == .zeroIsBest)
    #expect(metric.unit == "ms")
    #expect(metric.range == -2...5)
    #expect(metric.undefined == "never")
    #expect(metric.source == "a book")
  }
}
