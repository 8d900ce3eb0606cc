import PoseModel
import Scoring
import Testing

struct RepEventMetricsTests {
  private let metrics = RepEventMetrics(matching: RepMatching(instant: .start, tolerance: .milliseconds(200)))
  private let reps = [Rep(1000, 2000), Rep(3000, 4000), Rep(5000, 6000), Rep(7000, 8000)]

  /// Starts are 50 ms late, 200 early, 201 late (not matched) and missing; one more is far from all.
  @Test func matchedMissedAndInvented() throws {
    let prediction = Prediction(reps: [.init(1050, 2000), .init(2800, 4000), .init(5201, 6000), .init(9000, 9500)])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["reps.precision"] == 2 / 4.0)
    #expect(try values["reps.recall"] == 2 / 4.0)
    #expect(try values["reps.f1"] == 4 / 8.0)
    #expect(try values["reps.timing-error"] == (50 + 200) / 2.0)
    #expect(try values["reps.timing-bias"] == (50 - 200) / 2.0)
  }

  /// Pooled: 3 matched, 3 predicted and 5 true ones in all; a mean of the clips' recalls would be 5 / 8.
  @Test func clipsPoolBeforeTheyAreDivided() throws {
    let values = FamilyValues(
      metrics,
      [
        LabelledPrediction(GroundTruth(reps: reps), Prediction(reps: [.init(1010, 1900), .init(3020, 3900)])),
        LabelledPrediction(GroundTruth(reps: [reps[0]]), Prediction(reps: [.init(1060, 1900)])),
      ])
    #expect(try values["reps.precision"] == 1)
    #expect(try values["reps.recall"] == 3 / 5.0)
    #expect(try values["reps.f1"] == 6 / 8.0)
    #expect(try values["reps.timing-error"] == (10 + 20 + 60) / 3.0)
  }

  /// Adding 0.1 ms three times and dividing by 3 would give 0.10000000000000002.
  @Test func errorsOfTheToleranceDoNotRoundBeyondIt() throws {
    let narrow = RepEventMetrics(matching: RepMatching(instant: .start, tolerance: Microseconds(100)))
    let late = reps.prefix(3).map {
      Prediction.CountedRep(rep: Rep(start: $0.start + Microseconds(100), end: $0.end), reported: $0.end)
    }
    let values = FamilyValues(
      narrow, [LabelledPrediction(GroundTruth(reps: Array(reps.prefix(3))), Prediction(reps: late))])
    #expect(try values["reps.timing-error"] == 0.1)
    #expect(try values["reps.timing-bias"] == 0.1)
  }

  /// Both turn inside their reps; the first ends 0.6 s before its label, the second 0.5 s.
  @Test func endsThatFollowAnotherConventionAreCounted() throws {
    let inside = RepEventMetrics(matching: .turnInside)
    let truth = [Rep(0, 3000), Rep(3000, 6000)]
    let prediction = Prediction(reps: [.init(500, 2400), .init(3500, 5500)])
    let values = FamilyValues(inside, [LabelledPrediction(GroundTruth(reps: truth), prediction)])
    #expect(try values["reps.f1"] == 1)
    #expect(try values["reps.same-end"] == 1 / 2.0)
    #expect(try values["reps.timing-bias"] == (-600 - 500) / 2.0)
    // Where the rule itself compares ends there is no such metric.
    let ends = RepEventMetrics(matching: RepMatching(instant: .end, tolerance: .milliseconds(500)))
    #expect(!ends.metrics.contains { $0.name == "reps.same-end" })
  }

  @Test func nothingPredicted() throws {
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), Prediction(reps: []))])
    #expect(try values["reps.precision"] == nil)
    #expect(try values["reps.recall"] == 0)
    #expect(try values["reps.f1"] == 0)
    #expect(try values["reps.timing-error"] == nil)
    #expect(try values["reps.timing-bias"] == nil)
  }

  @Test func nothingTrue() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: []), Prediction(reps: [.init(1000, 2000)]))])
    #expect(try values["reps.precision"] == 0)
    #expect(try values["reps.recall"] == nil)
    #expect(try values["reps.f1"] == 0)
  }

  @Test func clipWithoutMarkedRepsOrTimesIsNotTallied() throws {
    let clips = [
      LabelledPrediction(GroundTruth(repCount: 4), Prediction(reps: [.init(1000, 2000)])),
      LabelledPrediction(GroundTruth(reps: reps), Prediction(count: 4)),
    ]
    for name in metrics.metrics.map(\.name) { #expect(try FamilyValues(metrics, clips)[name] == nil) }
  }

  @Test func summariesSayWhatAMatchIs() throws {
    let summary = try #require(metrics.metrics.first { $0.name == "reps.precision" }).summary
    #expect(summary == "Share of predicted reps that are a true rep within 0.2 s of its start.")
  }
}

extension RepEventMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "reps.precision": !cases.timed.contains { !$0.predicted.isEmpty }
    case "reps.recall": !cases.timed.contains { !$0.truth.isEmpty }
    case "reps.f1": !cases.timed.contains { !$0.predicted.isEmpty || !$0.truth.isEmpty }
    case "reps.timing-error", "reps.timing-bias", "reps.same-end":
      !cases.timed.contains { cases.areAnyNear($0.truth, $0.predicted) }
    default: nil
    }
  }
}
