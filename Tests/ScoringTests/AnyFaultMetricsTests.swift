import PoseModel
import Scoring
import Testing

struct AnyFaultMetricsTests {
  private let metrics = AnyFaultMetrics(
    matching: RepMatching(instant: .end, tolerance: .milliseconds(200)), criterion: "form")

  private func clip(_ isIncorrect: Bool, grades: [Double], faults: Set<String>) -> LabelledPrediction {
    LabelledPrediction(
      GroundTruth(faults: [.init(rep: nil, rater: "dataset", name: "incorrect", present: isIncorrect)]),
      Prediction(
        judged: grades.enumerated().map { index, grade in
          .init(rep: Rep(1000 * index, 1000 * index + 900), grades: ["form": grade], faults: faults)
        }))
  }

  /// Incorrect and found, incorrect and not found, correct and accused; mean grades 50, 80, 60 and 90. Of the four pairs
  /// of an incorrect with a correct one three are in order: 50 below 60 and 90, 80 below 90.
  @Test func aClipThatIsIncorrectHasAFaultWhicheverItIs() throws {
    let values = FamilyValues(
      metrics,
      [
        clip(true, grades: [40, 60], faults: ["shallow"]), clip(true, grades: [80], faults: []),
        clip(false, grades: [60], faults: ["lean"]), clip(false, grades: [90], faults: []),
      ])
    #expect(isClose(try values["faults.any.precision"], 0.5))
    #expect(isClose(try values["faults.any.recall"], 0.5))
    #expect(isClose(try values["faults.any.f1"], 0.5))
    #expect(isClose(try values["grades.roc-auc"], 0.75))
  }

  /// Faulty clips graded 50 and not at all, good ones 60 and not at all: of four pairs 50 below 60 alone is in order, since
  /// what is not graded counts as graded in the worst way.
  @Test func whatIsNotGradedCountsAsWorst() throws {
    let clips = [
      clip(true, grades: [50], faults: []), clip(true, grades: [], faults: []), clip(false, grades: [60], faults: []),
      clip(false, grades: [], faults: []),
    ]
    #expect(isClose(try FamilyValues(metrics, clips)["grades.roc-auc"], 0.25))
    let tally = try #require(metrics.pooled(clips.map(metrics.tally)))
    #expect(metrics.unanswered(tally) == [0, 0, 0, 0, 2])
    #expect(metrics.contributes(tally) == [false, true, true, true, true])
  }

  /// Three labelled reps, of which the detector saw the first and the third.
  @Test func aRepThatWasNotSeenIsNotCovered() throws {
    let reps = [Rep(0, 1000), Rep(2000, 3000), Rep(4000, 5000)]
    let clip = LabelledPrediction(
      GroundTruth(reps: reps, faults: reps.indices.map { .init(rep: $0, rater: "A", name: "lean", present: false) }),
      Prediction(judged: [.init(rep: reps[0]), .init(rep: reps[2])]))
    #expect(try FamilyValues(metrics, [clip])["faults.any.coverage"] == 2 / 3.0)
  }

  @Test func aFaultThatNobodyLookedForIsNoFalseAlarm() throws {
    let clip = LabelledPrediction(
      GroundTruth(reps: [Rep(0, 1000)], faults: [.init(rep: 0, rater: "A", name: "lean", present: false)]),
      Prediction(judged: [.init(rep: Rep(0, 1000), faults: ["shallow"])]))
    let values = FamilyValues(metrics, [clip])
    #expect(try values["faults.any.precision"] == nil)
    #expect(try values["faults.any.recall"] == nil)
  }
}

extension AnyFaultMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let judged = cases.judged
    return switch metric {
    case "faults.any.precision": !judged.contains { $0.isReported }
    case "faults.any.recall": !judged.contains { $0.isFaulty }
    case "faults.any.f1": !judged.contains { $0.isReported || $0.isFaulty }
    case "faults.any.coverage": judged.isEmpty
    case "grades.roc-auc": Set(judged.map(\.isFaulty)).count < 2
    default: nil
    }
  }
}
