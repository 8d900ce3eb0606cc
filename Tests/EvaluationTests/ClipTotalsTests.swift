import Testing

@testable import Evaluation

/// What a detector gets right on all clips together.
@Suite struct ClipTotalsTests {
  /// Each clip has four reps.
  private func results(_ counts: [String: Int]) -> RunResults {
    SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 1, "c": 1])], counts: counts)
  }

  @Test func aClipWithoutBothCountsIsNone() throws {
    let counts = try #require(RightCounts([0, 1, nil, -2, 0]))
    #expect(counts.right == 2 && counts.clips == 4)
    #expect(RightCounts([nil]) == nil)
  }

  @Test func theRightCountsOfARun() throws {
    let counts = try #require(results(["a": 4, "b": 5, "c": 4]).rightCounts(of: "counter"))
    #expect(counts.right == 2 && counts.clips == 3)
    #expect(results(["a": 4]).rightCounts(of: "another") == nil)
  }

  /// Clips that became wrong weigh as much as those that became right.
  @Test(
    arguments: [
      (["a": 5, "b": 5, "c": 3], 2), (["a": 4, "b": 4, "c": 5], 0), (["a": 4, "b": 4, "c": 4], -1),
      (["a": 4, "b": 5, "c": 4], nil),
    ] as [([String: Int], Int?)])
  func whatIsGainedSinceTheBaseline(before: [String: Int], gained: Int?) throws {
    let comparison = try Comparison(results(["a": 4, "b": 5, "c": 4]), with: Baseline(results(before)))
    #expect(comparison.gainedRightCounts(of: "counter") == gained)
  }
}
