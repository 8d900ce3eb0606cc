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

struct SegmentalEditTests {
  /// "kitten" and "sitting" are 3 apart.
  @Test(
    arguments: zip(
      ["abc abc", "abc abd", "abc ac", "ab ba", " ab", "kitten sitting", "abcd dabc"], [0, 1, 1, 2, 2, 3, 2]))
  func isOneLessTheRelativeDistance(words: String, distance: Int) {
    let labels = words.split(separator: " ", omittingEmptySubsequences: false).map { $0.map { String($0) } }
    let longer = max(labels[0].count, labels[1].count)
    let expected = 1 - Double(distance) / Double(longer)
    #expect(isClose(SegmentalEdit(truth: labels[0], predicted: labels[1]).value, expected))
    #expect(isClose(SegmentalEdit(truth: labels[1], predicted: labels[0]).value, expected))
  }

  @Test func meanOverTheClipsThatHaveSegments() {
    let clips = [
      SegmentalEdit(truth: ["a"], predicted: ["a"]), SegmentalEdit(truth: [], predicted: []),
      SegmentalEdit(truth: ["a", "b"], predicted: ["a"]),
    ]
    let pooled = clips.reduce(SegmentalEdit(), +)
    #expect(pooled.value == 3 / 4.0)
    #expect(pooled.undefined == 1)
    #expect(SegmentalEdit(truth: [], predicted: []).value == nil)
  }
}

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

extension ActionSegmentation: CheckedFunctions {
  static let measures: [Measure] =
    [
      Measure(.segmentalEdit, isSymmetric: true) { clips in
        func labels(_ segments: [Segment]) -> [String] { segments.sorted { $0.start < $1.start }.map(\.label) }
        return clips.map { SegmentalEdit(truth: labels($0.segments.truth), predicted: labels($0.segments.predicted)) }
          .reduce(SegmentalEdit(), +).value
      },
      Measure(.frameAccuracy, isSymmetric: true) { clips in
        clips.map {
          FrameAccuracy(truth: $0.segments.truth, predicted: $0.segments.predicted, frames: MeasuredClip.frames)
        }.reduce(FrameAccuracy(), +).value
      },
    ]
    + [10, 25, 50].map { percent in
      Measure(.segmentalF1(percent: percent)) { clips in
        clips.map {
          DetectionCounts(
            truth: $0.segments.truth, predicted: $0.segments.predicted, overlap: Double(percent) / 100)
        }.reduce(DetectionCounts(), +).f1
      }
    }
}
