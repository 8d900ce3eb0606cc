import PoseModel
import Scoring
import Testing

struct SegmentDetectionTests {
  private func truth(_ start: Int, _ end: Int, _ label: String = "swing") -> SegmentDetection.TrueSegment {
    .init(clip: "clip", segment: Segment(start, end, label))
  }

  private func found(_ start: Int, _ end: Int, _ score: Double, _ clip: String = "clip") -> SegmentDetection.Detection {
    .init(clip: clip, segment: Segment(start, end), score: score)
  }

  /// Overlaps of 6 / 10, none and 1: right, wrong, right up to an overlap of 0.6; then wrong, wrong, right.
  @Test func precisionDependsOnTheOverlapAskedFor() {
    let detection = SegmentDetection(
      truth: [truth(0, 10), truth(20, 30)], detections: [found(0, 6, 0.9), found(50, 60, 0.8), found(20, 30, 0.7)])
    #expect(isClose(detection.averagePrecision(of: "swing", overlap: 0.6), (1 + 2 / 3.0) / 2))
    #expect(isClose(detection.averagePrecision(of: "swing", overlap: 0.61), (1 / 3.0) / 2))
  }

  /// 0.5, 0.55 and 0.6 of ten overlaps are reached.
  @Test func meanOverTheOverlapsOfActivityNet() {
    let detection = SegmentDetection(truth: [truth(0, 10)], detections: [found(0, 6, 0.9)])
    #expect(SegmentDetection.activityNetOverlaps.count == 10)
    let mean = detection.meanAveragePrecision(labels: ["swing", "phase"])
    #expect(isClose(mean.value, 3 / 10.0))
    #expect(mean.undefined == 1)
  }

  /// The second detection overlaps the first segment more, which is taken, and the other one enough.
  @Test func nextBestIsTakenWhereTheBestIsTaken() {
    let detection = SegmentDetection(
      truth: [truth(0, 10), truth(4, 16)], detections: [found(0, 10, 0.9), found(2, 12, 0.8)])
    #expect(detection.averagePrecision(of: "swing", overlap: 0.5) == 1)
  }

  @Test func segmentIsFoundOnceAndInItsOwnClip() {
    let detection = SegmentDetection(
      truth: [truth(0, 10), truth(40, 50)],
      detections: [found(0, 10, 0.9), found(0, 10, 0.8), found(40, 50, 0.7, "other")])
    #expect(detection.averagePrecision(of: "swing", overlap: 0.5) == 1 / 2.0)
  }

  @Test func undefinedIsNoNumber() {
    #expect(SegmentDetection(detections: [found(0, 1, 1)]).averagePrecision(of: "swing", overlap: 0.5) == nil)
    let nan = SegmentDetection(truth: [truth(0, 1)], detections: [found(0, 1, .nan)])
    #expect(nan.averagePrecision(of: "swing", overlap: 0.5) == nil)
  }
}

extension SegmentDetection: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.segmentMeanAveragePrecision) { clips in
      clips.map { clip in
        SegmentDetection(
          truth: clip.segments.truth.map { .init(clip: clip.name, segment: $0) },
          detections: zip(clip.segments.predicted, clip.certainties).map {
            .init(clip: clip.name, segment: $0, score: $1)
          })
      }.reduce(SegmentDetection(), +).meanAveragePrecision(labels: MeasuredClip.labels).value
    }
  ]
}
