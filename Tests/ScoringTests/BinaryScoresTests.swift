import Scoring
import TestSupport
import Testing

struct BinaryScoresTests {
  /// Positives 0.9 0.5 0.2, negatives 0.5 0.1.
  private let scores = BinaryScores(
    truth: [true, false, true, true, false], scores: [0.9, 0.5, 0.5, 0.2, 0.1])

  /// Of 6 pairs 0.9 wins 2, 0.5 wins 1 and ties 1, 0.2 wins 1 and loses 1.
  @Test func areaCountsTiesHalf() {
    #expect(isClose(scores.areaUnderROC, 4.5 / 6))
  }

  /// The first positive at 1 / 1, the second together with a negative at 2 / 3, the third at 3 / 4.
  @Test func averagePrecisionGoesInSteps() {
    #expect(isClose(scores.averagePrecision, (1 + 2 / 3.0 + 3 / 4.0) / 3))
  }

  /// 0.01 + 0.25 + 0.25 + 0.64 + 0.01.
  @Test func brierIsTheMeanSquare() {
    #expect(isClose(scores.brier, 1.16 / 5))
  }

  @Test func curvesHaveAPointAScore() throws {
    let roc = try #require(scores.rocCurve)
    #expect(roc.map(\.threshold) == [.infinity, 0.9, 0.5, 0.2, 0.1])
    #expect(roc.map(\.falsePositiveRate) == [0, 0, 1 / 2.0, 1 / 2.0, 1])
    #expect(roc.map(\.truePositiveRate) == [0, 1 / 3.0, 2 / 3.0, 1, 1])
    let curve = try #require(scores.precisionRecallCurve)
    let precisions: [Double] = [1, 2 / 3, 3 / 4, 3 / 5]
    #expect(curve.map(\.precision) == precisions)
    #expect(curve.map(\.recall) == [1 / 3.0, 2 / 3.0, 1, 1])
  }

  @Test func trapeziaUnderTheCurveHaveTheArea() throws {
    var random = TestGenerator(seed: 3)
    for _ in 0..<40 {
      let count = random.integer(2...60)
      let scores = BinaryScores(
        truth: (0..<count).map { $0 == 0 || ($0 > 1 && random.chance(0.4)) },
        scores: (0..<count).map { _ in Double(random.integer(0...20)) / 20 })
      let curve = try #require(scores.rocCurve)
      let area = zip(curve, curve.dropFirst()).reduce(0) { sum, points in
        let (a, b) = points
        return sum + (b.falsePositiveRate - a.falsePositiveRate) * (a.truePositiveRate + b.truePositiveRate) / 2
      }
      #expect(isClose(scores.areaUnderROC, area))
    }
  }

  @Test func undefinedIsNoNumber() {
    let positives = BinaryScores(truth: [true, true], scores: [0.2, 0.3])
    #expect(positives.areaUnderROC == nil)
    #expect(positives.rocCurve == nil)
    #expect(positives.averagePrecision == 1)
    let negatives = BinaryScores(truth: [false], scores: [0.2])
    #expect(negatives.areaUnderROC == nil)
    #expect(negatives.averagePrecision == nil)
    #expect(negatives.precisionRecallCurve == nil)
    #expect(BinaryScores().brier == nil)
    #expect(BinaryScores(truth: [true], scores: [1.5]).brier == nil)
    let nan = BinaryScores(truth: [true, false], scores: [.nan, 0.5])
    #expect(nan.areaUnderROC == nil && nan.averagePrecision == nil && nan.brier == nil && nan.rocCurve == nil)
  }
}
