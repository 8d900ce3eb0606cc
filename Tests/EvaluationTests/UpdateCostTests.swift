import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct UpdateCostTests {
  /// Wilks: p90 needs 64 samples, p99 662 and p99.9 6,636, so that the slowest one does not decide what it is.
  @Test(arguments: [(1, 1), (63, 1), (64, 2), (661, 2), (662, 3), (6_635, 3), (6_636, 4)])
  func onlyAsManyNinesAsThereAreSamplesFor(_ samples: Int, _ quantiles: Int) {
    let cost = UpdateCost(samples: (0..<samples).map(Double.init), floor: [0])
    #expect(cost.quantiles.count == quantiles)
    #expect(
      RunResults.MeasuredCost(cost).quantiles.keys.sorted() == Array(["p50", "p90", "p99", "p99.9"].prefix(quantiles)))
  }

  /// A clip's blocks are alike, so that clips are the sample: one clip has no interval, of two t is too wide, and ten of ten
  /// blocks that each hold their share of all have that of `ClusteredQuantileTests`.
  @Test func intervalsTakeClipsForTheSample() throws {
    var cost = UpdateCost(samples: (1...100).map(Double.init), floor: [])
    #expect(RunResults.MeasuredCost(cost).intervals?.isEmpty == true)
    cost = UpdateCost()
    for clip in 0..<10 { cost.add(UpdateCost(samples: (0..<10).map { Double(10 * $0 + clip + 1) }, floor: [])) }
    let median = try #require(RunResults.MeasuredCost(cost).intervals?["p50"])
    #expect(median.method == "Woodruff over clips" && median.level == 0.95)
    #expect(abs(median.low - (1 + 99 * (0.5 - 0.113108))) < 0.001)
  }

  @Test func nothingMeasuredHasNoQuantile() { #expect(UpdateCost().quantiles.isEmpty) }
}
