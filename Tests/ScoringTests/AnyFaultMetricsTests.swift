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
    case "grades.roc-auc": Set(judged.filter(\.isGraded).map(\.isFaulty)).count < 2
    default: nil
    }
  }
}
