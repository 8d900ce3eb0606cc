import PoseModel
import Scoring
import Testing

struct FrameAccuracyTests {
  private let frames: [Microseconds] = [0, 10, 20, 30, 40, 50].map { .milliseconds($0) }

  /// Truth d d u u – –, predicted d u u – – –.
  @Test func frameIsOfTheSegmentThatBeganAndHasNotEnded() {
    let accuracy = FrameAccuracy(
      truth: [Segment(20, 40, "up"), Segment(0, 20, "down")],
      predicted: [Segment(0, 10, "down"), Segment(10, 30, "up")],
      frames: frames)
    #expect(accuracy.value == 4 / 6.0)
  }

  @Test func laterSegmentWinsWhereTheyOverlap() {
    let overlapping = [Segment(10, 30, "up"), Segment(0, 60, "down")]
    let cut = [Segment(0, 10, "down"), Segment(10, 30, "up"), Segment(30, 60, "down")]
    #expect(FrameAccuracy(truth: overlapping, predicted: cut, frames: frames).value == 1)
  }

  @Test func segmentsThatEndBeforeTheyStartAreEmpty() {
    #expect(FrameAccuracy(truth: [Segment(40, 10)], predicted: [], frames: frames).value == 1)
  }

  @Test func poolsByFrames() {
    let one = FrameAccuracy(truth: [], predicted: [Segment(0, 100)], frames: [.zero])
    #expect((one + FrameAccuracy(truth: [], predicted: [], frames: frames)).value == 6 / 7.0)
    #expect(FrameAccuracy().value == nil)
    #expect(FrameAccuracy(truth: [], predicted: [], frames: []).value == nil)
  }
}
