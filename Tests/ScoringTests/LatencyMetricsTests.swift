import PoseModel
import Scoring
import Testing

struct LatencyMetricsTests {
  private let metrics = LatencyMetrics(matching: RepMatching(instant: .end, tolerance: .milliseconds(200)))
  private let reps = [Rep(0, 1000), Rep(2000, 3000), Rep(4000, 5000)]

  /// Reported 250, -50 and 400 ms after the labelled ends: the middle one is 250.
  @Test func reportIsTheMedianFromTheLabelledEnd() throws {
    let prediction = Prediction(reps: [
      .init(100, 1100, reported: 1250), .init(2000, 2900, reported: 2950), .init(4000, 5000, reported: 5400),
    ])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["latency.report"] == 250)
  }

  /// Reported 50 ms before, 66 before and 20 after: the middle one is 50 early, which is not late. Were the sign kept, the
  /// median would be −50, and "better" than being on time.
  @Test func anEarlyReportIsEarlyAndNotLate() throws {
    let prediction = Prediction(reps: [
      .init(0, 950, reported: 950), .init(2000, 2934, reported: 2934), .init(4000, 5000, reported: 5020),
    ])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["latency.report"] == 0)
    #expect(try values["latency.early"] == 50)
  }

  /// The second rep is missed; the live cue of the third comes 60 ms after its report.
  @Test func theCasesAreTheTrueReps() {
    let clip = LabelledPrediction(
      GroundTruth(reps: reps),
      Prediction(
        reps: [.init(0, 1000, reported: 1100), .init(4000, 4970, reported: 4970)],
        liveReps: [.init(4000, 5000, reported: 5030)]))
    #expect(
      metrics.caseValues(clip) == [
        "latency.report": [100, nil, 0], "latency.early": [0, nil, 30], "latency.live": [nil, nil, 60],
      ])
    // Nobody marked when the reps were: live delays belong to no case.
    let counted = LabelledPrediction(GroundTruth(repCount: 3), clip.prediction)
    #expect(metrics.caseValues(counted) == ["latency.report": [], "latency.early": []])
  }

  /// Without the second: (250 + 400) / 2.
  @Test func medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() throws {
    let prediction = Prediction(reps: [.init(100, 1100, reported: 1250), .init(4000, 5000, reported: 5400)])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["latency.report"] == 325)
  }

  @Test func repThatMatchesNoneHasNoReportLatency() throws {
    let prediction = Prediction(reps: [.init(0, 1201, reported: 1300), .init(2000, 3200, reported: 3333)])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["latency.report"] == 333)
  }

  /// The cues come 80, 120 and 500 ms after the reports; the labels have no part in it.
  @Test func liveIsTheMedianFromTheReportToItsCue() throws {
    let prediction = Prediction(
      reps: [.init(0, 1000, reported: 1100), .init(2000, 3000, reported: 3100), .init(4000, 5000, reported: 5100)],
      liveReps: [.init(0, 1033, reported: 1180), .init(2000, 3033, reported: 3220), .init(4000, 5033, reported: 5600)])
    for truth in [GroundTruth(), GroundTruth(reps: []), GroundTruth(reps: reps)] {
      let values = FamilyValues(metrics, [LabelledPrediction(truth, prediction)])
      #expect(try values["latency.live"] == 120)
      #expect(try values["latency.live-lost"] == 0)
    }
  }

  /// Of four reports one has no cue, and one's cue is of a rep that ends 201 ms elsewhere.
  @Test func liveLostIsTheShareOfReportsWithoutACue() throws {
    let prediction = Prediction(
      reps: [.init(0, 1000), .init(2000, 3000), .init(4000, 5000), .init(6000, 7000)],
      liveReps: [.init(0, 1000, reported: 1040), .init(2000, 3201), .init(4000, 5200, reported: 5060)])
    let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
    #expect(try values["latency.live-lost"] == 2 / 4.0)
    #expect(try values["latency.live"] == (40 + 60) / 2.0)
  }

  @Test func withoutALiveReplayNothingIsLost() throws {
    let replayed = LabelledPrediction(
      GroundTruth(), Prediction(reps: [.init(0, 1000), .init(2000, 3000)], liveReps: [.init(0, 1000)]))
    let notReplayed = LabelledPrediction(GroundTruth(), Prediction(reps: [.init(0, 1000)]))
    #expect(try FamilyValues(metrics, [notReplayed])["latency.live-lost"] == nil)
    #expect(try FamilyValues(metrics, [notReplayed])["latency.live"] == nil)
    #expect(try FamilyValues(metrics, [replayed, notReplayed])["latency.live-lost"] == 1 / 2.0)
  }

  @Test func withoutRepsAllIsUndefined() throws {
    for prediction in [Prediction(), Prediction(count: 3), Prediction(reps: [], liveReps: [])] {
      let values = FamilyValues(metrics, [LabelledPrediction(GroundTruth(reps: reps), prediction)])
      #expect(try values["latency.report"] == nil)
      #expect(try values["latency.live"] == nil)
      #expect(try values["latency.live-lost"] == nil)
    }
  }
}

extension LatencyMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "latency.report", "latency.early": !cases.timed.contains { cases.areAnyNear($0.truth, $0.predicted) }
    case "latency.live": !cases.live.contains { cases.areAnyNear($0.reported, $0.live) }
    case "latency.live-lost": !cases.live.contains { !$0.reported.isEmpty }
    default: nil
    }
  }
}
