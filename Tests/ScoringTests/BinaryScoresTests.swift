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

  @Test func undefinedIsNoNumber() {
    let positives = BinaryScores(truth: [true, true], scores: [0.2, 0.3])
    #expect(positives.areaUnderROC == nil)
    #expect(positives.averagePrecision == 1)
    let negatives = BinaryScores(truth: [false], scores: [0.2])
    #expect(negatives.areaUnderROC == nil)
    #expect(negatives.averagePrecision == nil)
    #expect(BinaryScores().brier == nil)
    #expect(BinaryScores(truth: [true], scores: [1.5]).brier == nil)
    let nan = BinaryScores(truth: [true, false], scores: [.nan, 0.5])
    #expect(nan.areaUnderROC == nil && nan.averagePrecision == nil && nan.brier == nil)
  }
}

extension BinaryScores: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.areaUnderROC) { binary($0).areaUnderROC },
    Measure(.averagePrecision) { binary($0).averagePrecision },
    Measure(.brier) { binary($0).brier },
    Measure(.expectedCalibrationError) { ReliabilityCurve(binary($0))?.expectedError },
  ]

  private static func binary(_ clips: [MeasuredClip]) -> BinaryScores {
    clips.map { BinaryScores(truth: $0.scores.truth, scores: $0.scores.predicted) }.reduce(BinaryScores(), +)
  }
}

struct ReliabilityCurveTests {
  /// Two bins: 0.25 0.5 with one positive, 0.75 1 with one; 1 / 8 apart in half of the cases and 3 / 8 in the others.
  @Test func binsHoldWhatIsToldAndWhatHappens() throws {
    let scores = BinaryScores(truth: [true, false, false, true], scores: [0.25, 0.5, 0.75, 1])
    let curve = try #require(ReliabilityCurve(scores, bins: 2))
    #expect(curve.bins.map(\.count) == [2, 2])
    let (confidences, frequencies): ([Double?], [Double?]) = ([0.375, 0.875], [0.5, 0.5])
    #expect(curve.bins.map(\.confidence) == confidences)
    #expect(curve.bins.map(\.frequency) == frequencies)
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
