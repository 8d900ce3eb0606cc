import PoseModel
import Scoring
import Testing

struct PhantomMetricsTests {
  private let metrics = PhantomMetrics()

  private func clip(_ intervals: [Segment], _ reps: [Prediction.CountedRep]) -> LabelledPrediction {
    LabelledPrediction(GroundTruth(intervals: intervals), Prediction(reps: reps))
  }

  /// Two of three turns (their middles) lie in the 30 s of walking: 2 in half a minute are 4 a minute.
  @Test func repsThatTurnInNegativeTimeArePhantoms() throws {
    let walking = Segment(10_000, 40_000, "negative-walking")
    let values = FamilyValues(
      metrics, [clip([walking], [.init(9000, 10_800), .init(9600, 10_400), .init(39_000, 41_000)])])
    #expect(try values["count.phantoms"] == 4)
  }

  /// 1 phantom in 15 s and 2 in 45 s are 3 in one minute, not the mean of 4 and 2 2/3.
  @Test func clipsPoolBeforeTheyAreDivided() throws {
    let values = FamilyValues(
      metrics,
      [
        clip([Segment(0, 15_000, "negative")], [.init(1000, 2000)]),
        clip([Segment(0, 45_000, "negative-lunge")], [.init(1000, 2000), .init(3000, 4000)]),
      ])
    #expect(try values["count.phantoms"] == 3)
  }

  /// 0 to 20 s and 10 to 30 s are half a minute.
  @Test func overlappingIntervalsCountOnce() throws {
    let values = FamilyValues(
      metrics, [clip([Segment(0, 20_000, "negative"), Segment(10_000, 30_000, "negative")], [.init(14_000, 16_000)])])
    #expect(try values["count.phantoms"] == 2)
  }

  @Test func aCountWithoutTimesIsOfAClipWithoutReps() throws {
    let negative = [Segment(0, 60_000, "negative")]
    let whole = LabelledPrediction(GroundTruth(repCount: 0, intervals: negative), Prediction(count: 5))
    #expect(try FamilyValues(metrics, [whole])["count.phantoms"] == 5)
    let part = LabelledPrediction(GroundTruth(repCount: 5, intervals: negative), Prediction(count: 5))
    #expect(try FamilyValues(metrics, [part])["count.phantoms"] == 0)
  }

  @Test func otherLabelsAreNotNegative() throws {
    #expect(try FamilyValues(metrics, [clip([Segment(0, 60_000, "negatives")], [])])["count.phantoms"] == nil)
    #expect(PhantomMetrics.activity("negative-walking") == "walking")
    #expect(PhantomMetrics.activity("negative") == nil)
  }
}

extension PhantomMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "count.phantoms":
      !cases.clips.contains { $0.groundTruth.intervals.contains { $0.label == RandomClips.negative } }
    default: nil
    }
  }
}
