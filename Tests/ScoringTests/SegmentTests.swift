import PoseModel
import Scoring
import Testing

extension Segment {
  /// Milliseconds.
  init(_ start: Int, _ end: Int, _ label: String = "swing") {
    self.init(start: .milliseconds(start), end: .milliseconds(end), label: label)
  }
}

struct SegmentTests {
  @Test func overlapIsSharedOverCovered() {
    #expect(Segment(0, 10).intersectionOverUnion(Segment(5, 20)) == 5 / 20.0)
    #expect(Segment(5, 20).intersectionOverUnion(Segment(0, 10)) == 5 / 20.0)
    #expect(Segment(0, 10).intersectionOverUnion(Segment(2, 4, "phase")) == 2 / 10.0)
    #expect(Segment(3, 9).intersectionOverUnion(Segment(3, 9)) == 1)
  }

  @Test func apartOrEmptyIsNoOverlap() {
    #expect(Segment(0, 10).intersectionOverUnion(Segment(10, 20)) == 0)
    #expect(Segment(0, 10).intersectionOverUnion(Segment(30, 40)) == 0)
    #expect(Segment(5, 5).intersectionOverUnion(Segment(5, 5)) == 0)
  }
}
