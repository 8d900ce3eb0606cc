import PoseModel
import Scoring
import Testing

struct EventMetricsTests {
  private let metrics = EventMetrics(tolerance: .milliseconds(200), labels: ["address", "top", "impact"])

  private func truth(_ times: [(String, Int)]) -> GroundTruth {
    GroundTruth(events: times.map { LabelledInstant(time: .milliseconds($0.1), label: $0.0) })
  }

  private func stroke(_ label: String, _ time: Int, score: Double = 1) -> Prediction.Stroke {
    let time = Microseconds.milliseconds(time)
    return Prediction.Stroke(
      segment: Segment(start: time, end: time, label: label), contact: time, reported: time, score: score)
  }

  /// 100 frames a second. From address to impact there are 90 frames, so that 90 / 30 = 3 frames are near enough.
  private func clip(_ strokes: [Prediction.Stroke]) -> LabelledPrediction {
    LabelledPrediction(
      name: "swing", subject: "ann", frames: (0..<300).map { .milliseconds($0 * 10) },
      groundTruth: truth([("address", 500), ("top", 1100), ("impact", 1400)]), prediction: Prediction(strokes: strokes))
  }

  /// Three frames off is right, four are not.
  @Test func eventsAreCorrectWithinATolerance() throws {
    let values = FamilyValues(
      metrics, [clip([stroke("address", 530), stroke("top", 1060), stroke("impact", 1400)])])
    #expect(isClose(try values["events.pce"], 2.0 / 3))
    let missing = FamilyValues(metrics, [clip([stroke("impact", 1370)])])
    #expect(isClose(try missing["events.pce"], 1.0 / 3))
  }

  /// The surest one counts, wherever it is.
  @Test func ofSeveralDetectionsTheSurestCounts() throws {
    let values = FamilyValues(
      metrics, [clip([stroke("top", 1100, score: 0.4), stroke("top", 900, score: 0.6)])])
    #expect(isClose(try values["events.pce"], 0))
  }

  /// PCE is of swings with each event once; average precision is of any.
  @Test func aClipWithTwoOfAnEventHasNoPCE() throws {
    var twice = clip([stroke("top", 1100)])
    twice.groundTruth = truth([("top", 1100), ("top", 2000)])
    let values = FamilyValues(metrics, [twice])
    #expect(try values["events.pce"] == nil)
    // One of two found, at a precision of 1.
    #expect(isClose(try values["events.map"], 0.5))
  }

  /// A false detection that is surer than the right one: the precision at the right one is 1 of 2. The other labels are
  /// found at 1.
  @Test func averagePrecisionFollowsTheScores() throws {
    let values = FamilyValues(
      metrics,
      [
        clip([
          stroke("address", 500), stroke("impact", 1400), stroke("top", 2500, score: 0.9),
          stroke("top", 1100, score: 0.3),
        ])
      ])
    #expect(isClose(try values["events.map"], (1 + 0.5 + 1) / 3))
  }
}

extension EventMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    func events(_ clip: LabelledPrediction) -> [String] {
      clip.groundTruth.events.map(\.label).filter(RandomClips.labels.contains)
    }
    switch metric {
    case "events.pce":
      return !cases.clips.contains { clip in
        let events = events(clip)
        return !clip.frames.isEmpty && !events.isEmpty && Set(events).count == events.count
      }
    case "events.map": return cases.clips.allSatisfy { events($0).isEmpty }
    default: return nil
    }
  }
}
