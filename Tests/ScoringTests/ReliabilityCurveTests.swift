import Scoring
import Testing

struct ReliabilityCurveTests {
  /// Two bins: 0.25 0.5 with one positive, 0.75 1 with one; 1 / 8 apart in half of the cases and 3 / 8 in the others.
  @Test func binsHoldWhatIsToldAndWhatHappens() throws {
    let scores = BinaryScores(truth: [true, false, false, true], scores: [0.25, 0.5, 0.75, 1])
    let curve = try #require(ReliabilityCurve(scores, bins: 2))
    #expect(curve.bins.map(\.count) == [2, 2])
    #expect(curve.bins.map(\.confidence) == [3 / 8.0, 7 / 8.0])
    #expect(curve.bins.map(\.frequency) == [1 / 2.0, 1 / 2.0])
    #expect(isClose(curve.expectedError, 4 / 16.0))
  }

  /// 100 · 0.07 is above 7 in doubles, and 7 / 100 is 0.07.
  @Test func borderBelongsToTheLowerBin() throws {
    for border in 1...100 {
      let scores = BinaryScores(truth: [true], scores: [Double(border) / 100])
      let curve = try #require(ReliabilityCurve(scores, bins: 100))
      #expect(curve.bins.firstIndex { $0.count == 1 } == border - 1)
    }
    let zero = try #require(ReliabilityCurve(BinaryScores(truth: [true], scores: [0]), bins: 4))
    #expect(zero.bins.map(\.count) == [1, 0, 0, 0])
    #expect(zero.bins[1].confidence == nil && zero.bins[1].frequency == nil)
  }

  @Test func poolsBinByBin() throws {
    let one = try #require(ReliabilityCurve(BinaryScores(truth: [true], scores: [0.25]), bins: 2))
    let two = try #require(ReliabilityCurve(BinaryScores(truth: [false], scores: [0.25]), bins: 2))
    #expect((one + two).expectedError == 1 / 4.0)
  }

  @Test func undefinedIsNoNumber() {
    #expect(ReliabilityCurve().expectedError == nil)
    #expect(ReliabilityCurve(BinaryScores(truth: [true], scores: [1.01])) == nil)
    #expect(ReliabilityCurve(BinaryScores(truth: [true], scores: [.nan])) == nil)
  }
}
