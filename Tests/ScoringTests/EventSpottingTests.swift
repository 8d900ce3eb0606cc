import PoseModel
import Scoring
import Testing

struct EventSpottingTests {
  private func event(_ label: String, _ frame: Int, _ clip: String = "clip") -> EventSpotting.Event {
    .init(clip: clip, label: label, instant: EventInstant(time: .milliseconds(frame * 10), frame: frame))
  }

  private func found(_ label: String, _ frame: Int, _ score: Double, _ clip: String = "clip") -> EventSpotting.Detection
  {
    .init(event(label, frame, clip), score: score)
  }

  /// Right, wrong, right: the second of two is found with a precision of 2 / 3.
  @Test func meanOfThePrecisionAtEachEvent() {
    let spotting = EventSpotting(
      truth: [event("hit", 10), event("hit", 50)],
      detections: [found("hit", 50, 0.3), found("hit", 11, 0.9), found("hit", 90, 0.5)])
    #expect(isClose(spotting.averagePrecision(of: "hit", within: .frames(1)), (1 + 2 / 3.0) / 2))
    #expect(isClose(spotting.averagePrecision(of: "hit", within: .frames(0)), (1 / 3.0) / 2))
    #expect(isClose(spotting.averagePrecision(of: "hit", within: .time(.milliseconds(9))), (1 / 3.0) / 2))
  }

  /// Wrong, right, right: both events are reached with 2 / 3 at the end, which is better than 1 / 2 before.
  @Test func precisionIsTheBestThatFollows() {
    let spotting = EventSpotting(
      truth: [event("hit", 10), event("hit", 50)],
      detections: [found("hit", 90, 0.9), found("hit", 10, 0.8), found("hit", 50, 0.7)])
    #expect(isClose(spotting.averagePrecision(of: "hit", within: .frames(0)), 2 / 3.0))
  }

  @Test func eventIsFoundOnceAndInItsOwnClip() {
    let twice = EventSpotting(
      truth: [event("hit", 10), event("hit", 90)], detections: [found("hit", 10, 0.9), found("hit", 10, 0.8)])
    #expect(twice.averagePrecision(of: "hit", within: .frames(3)) == 1 / 2.0)
    let elsewhere = EventSpotting(truth: [event("hit", 10)], detections: [found("hit", 10, 0.9, "other")])
    #expect(elsewhere.averagePrecision(of: "hit", within: .frames(3)) == 0)
  }

  /// The surest takes 12, its nearest, so that the next, which is near 12 alone, finds nothing.
  @Test func surestTakesTheNearest() {
    let spotting = EventSpotting(
      truth: [event("hit", 9), event("hit", 12)], detections: [found("hit", 11, 0.9), found("hit", 14, 0.8)])
    #expect(spotting.averagePrecision(of: "hit", within: .frames(2)) == 1 / 2.0)
  }

  @Test func labelAbsentFromTheTruthIsUndefinedAndCounted() {
    let spotting = EventSpotting(truth: [event("hit", 10)], detections: [found("serve", 10, 0.9)])
    #expect(spotting.averagePrecision(of: "serve", within: .frames(1)) == nil)
    #expect(spotting.averagePrecision(of: "hit", within: .frames(1)) == 0)
    let mean = spotting.meanAveragePrecision(labels: ["hit", "serve", "volley"], within: [.frames(1)])
    #expect(mean.value == 0)
    #expect(mean.undefined == 2)
    #expect(EventSpotting().meanAveragePrecision(labels: ["hit"], within: [.frames(1)]).value == nil)
  }

  /// 0 within no frame, 1 within one, and 1 for the other label within both.
  @Test func meanOverTolerancesAndLabels() {
    let spotting = EventSpotting(
      truth: [event("hit", 10), event("serve", 40)], detections: [found("hit", 11, 0.9), found("serve", 40, 0.2)])
    let mean = spotting.meanAveragePrecision(labels: ["hit", "serve"], within: [.frames(0), .frames(1)])
    #expect(mean.value == 3 / 4.0)
  }

  @Test func scoreThatIsNoNumberIsUndefined() {
    let spotting = EventSpotting(truth: [event("hit", 10)], detections: [found("hit", 10, .nan)])
    #expect(spotting.averagePrecision(of: "hit", within: .frames(1)) == nil)
  }
}

extension EventSpotting: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.spottingMeanAveragePrecision) { clips in
      func event(_ clip: MeasuredClip, _ segment: Segment) -> EventSpotting.Event {
        let frame = Int(segment.start.count / 10_000)
        return .init(
          clip: clip.name, label: segment.label, instant: EventInstant(time: segment.start, frame: frame))
      }
      return clips.map { clip in
        EventSpotting(
          truth: clip.segments.truth.map { event(clip, $0) },
          detections: zip(clip.segments.predicted, clip.certainties).map { .init(event(clip, $0), score: $1) })
      }.reduce(EventSpotting(), +).meanAveragePrecision(
        labels: MeasuredClip.labels, within: [.frames(1), .time(.milliseconds(25))]
      ).value
    }
  ]
}

struct EventToleranceTests {
  /// Uneven frames, in milliseconds.
  private let frames: [Microseconds] = [0, 40, 60, 200].map { .milliseconds($0) }

  private func instant(_ milliseconds: Int) -> EventInstant? {
    EventInstant(time: .milliseconds(milliseconds), frames: frames)
  }

  @Test(arguments: [(-5, 0), (0, 0), (20, 0), (21, 1), (50, 1), (51, 2), (130, 2), (131, 3), (900, 3)])
  func nearestFrameIsTaken(time: Int, frame: Int) {
    #expect(instant(time)?.frame == frame)
    #expect(instant(time)?.time == .milliseconds(time))
  }

  @Test func noFramesHaveNoNearest() {
    #expect(EventInstant(time: .zero, frames: []) == nil)
  }

  /// 60 and 200 ms are neighbouring frames, and 140 ms apart.
  @Test func framesAndTimeAreNotTheSame() throws {
    let truth = [try #require(instant(60))]
    let predicted = [try #require(instant(200))]
    #expect(EventTolerance.frames(1).pairs(truth: truth, predicted: predicted).count == 1)
    #expect(EventTolerance.frames(0).pairs(truth: truth, predicted: predicted).isEmpty)
    #expect(EventTolerance.time(.milliseconds(140)).pairs(truth: truth, predicted: predicted).count == 1)
    #expect(EventTolerance.time(.milliseconds(139)).pairs(truth: truth, predicted: predicted).isEmpty)
  }

  /// Nearest first would pair 2 with 3 and leave two alone.
  @Test func asManyPairsAsPossible() {
    func at(_ frames: [Int]) -> [EventInstant] { frames.map { EventInstant(time: .zero, frame: $0) } }
    let pairs = EventTolerance.frames(2).pairs(truth: at([2, 5]), predicted: at([3, 0]))
    #expect(pairs.map(\.truth) == [0, 1])
    #expect(pairs.map(\.predicted) == [1, 0])
  }
}
