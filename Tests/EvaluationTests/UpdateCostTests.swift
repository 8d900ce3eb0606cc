import Testing

@testable import Evaluation

@Suite struct UpdateCostTests {
  /// A quantile needs ten samples beyond it: p90 a hundred samples, p99 a thousand, p99.9 ten thousand.
  @Test(arguments: [(1, 1), (99, 1), (100, 2), (999, 2), (1_000, 3), (9_999, 3), (10_000, 4)])
  func onlyAsManyNinesAsThereAreSamplesFor(_ samples: Int, _ quantiles: Int) {
    let cost = UpdateCost(samples: (0..<samples).map(Double.init), floor: [0])
    #expect(cost.quantiles.count == quantiles)
    #expect(
      RunResults.MeasuredCost(cost).quantiles.keys.sorted() == Array(["p50", "p90", "p99", "p99.9"].prefix(quantiles)))
  }

  @Test func nothingMeasuredHasNoQuantile() { #expect(UpdateCost().quantiles.isEmpty) }
}
