import PoseModel
import Scoring
import Testing

struct SegmentalF1Tests {
  private let truth = [Segment(0, 10, "down"), Segment(10, 20, "up"), Segment(20, 40, "rest")]

  /// "down" overlaps by 8 / 10, "up" by 10 / 12, "rest" is missing and "down" comes again.
  private let predicted = [Segment(0, 8, "down"), Segment(8, 20, "up"), Segment(20, 40, "down")]

  @Test func segmentIsRightFromTheOverlapOn() {
    #expect(
      DetectionCounts(truth: truth, predicted: predicted, overlap: 0.5)
        == DetectionCounts(truePositives: 2, falsePositives: 1, falseNegatives: 1))
    #expect(DetectionCounts(truth: truth, predicted: predicted, overlap: 0.8).f1 == 4 / 6.0)
    #expect(DetectionCounts(truth: truth, predicted: predicted, overlap: 0.81).f1 == 2 / 6.0)
  }

  /// Both halves overlap the one true segment by half.
  @Test func secondHalfOfASegmentCutInTwoIsWrong() {
    let counts = DetectionCounts(
      truth: [Segment(0, 20, "down")], predicted: [Segment(10, 20, "down"), Segment(0, 10, "down")], overlap: 0.5)
    #expect(counts == DetectionCounts(truePositives: 1, falsePositives: 1, falseNegatives: 0))
  }

  /// The second predicted one overlaps the first true one most, which is taken; the other true one is not tried.
  @Test func eachIsHeldAgainstItsBestAlone() {
    let counts = DetectionCounts(
      truth: [Segment(0, 10), Segment(8, 30)], predicted: [Segment(0, 9), Segment(2, 13)], overlap: 0.1)
    #expect(counts == DetectionCounts(truePositives: 1, falsePositives: 1, falseNegatives: 1))
  }

  @Test func noSegmentsAreUndefined() {
    #expect(DetectionCounts(truth: [], predicted: [], overlap: 0.5).f1 == nil)
    #expect(DetectionCounts(truth: truth, predicted: [], overlap: 0.5).f1 == 0)
    #expect(DetectionCounts(truth: [], predicted: predicted, overlap: 0.5).f1 == 0)
  }
}
