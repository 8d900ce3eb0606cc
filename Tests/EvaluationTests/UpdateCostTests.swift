import Testing

@testable import Evaluation

@Suite struct UpdateCostTests {
  /// Wilks: p90 needs 64 samples, p99 662 and p99.9 6,636, so that the slowest one does not decide what it is.
  @Test(arguments: [(1, 1), (63, 1), (64, 2), (661, 2), (662, 3), (6_635, 3), (6_636, 4)])
  func onlyAsManyNinesAsThereAreSamplesFor(_ samples: Int, _ quantiles: Int) {
    let cost = UpdateCost(samples: (0..<samples).map(Double.init), floor: [0])
    #expect(cost.quantiles.count == quantiles)
    #expect(
      RunResults.MeasuredCost(cost).quantiles.keys.sorted() == Array(["p50", "p90", "p99", "p99.9"].prefix(quantiles)))
  }

  @Test func nothingMeasuredHasNoQuantile() { #expect(UpdateCost().quantiles.isEmpty) }
}
