import PoseModel
import Scoring
import Testing

struct FaultScoresTests {
  private let family = FaultScores(
    matching: RepMatching(instant: .end, tolerance: .milliseconds(200)), faults: ["lean"])

  /// Four reps of a clip; people see the fault in the first two. `nil` is a rep that the system does not judge.
  private func clip(_ scores: [Double?]) -> LabelledPrediction {
    let reps = (0..<4).map { Rep(2000 * $0, 2000 * $0 + 1000) }
    return LabelledPrediction(
      name: "clip", subject: "ann",
      groundTruth: GroundTruth(
        reps: reps, faults: reps.indices.map { .init(rep: $0, rater: "r", name: "lean", present: $0 < 2) }),
      prediction: Prediction(
        judged: zip(reps, scores).compactMap { rep, score in score.map { .init(rep: rep, scores: ["lean": $0]) } }))
  }

  @Test func scoresAreOfCases() throws {
    let values = FamilyValues(family, [clip([0.9, 0.4, 0.5, 0])])
    // Of the four pairs, 0.4 is below 0.5.
    #expect(isClose(try values["scores.roc-auc"], 3 / 4.0))
    // The first found is right, and of three two.
    #expect(isClose(try values["scores.average-precision"], (1 + 2 / 3.0) / 2))
    #expect(isClose(try values["scores.brier"], (0.01 + 0.36 + 0.25 + 0) / 4))
    // Each in a bin of its own.
    #expect(isClose(try values["scores.calibration-error"], (0.1 + 0.6 + 0.5 + 0) / 4))
  }

  @Test func whatIsNotScoredIsLeastCertain() throws {
    let clip = clip([0.9, nil, 0.5, 0])
    let values = FamilyValues(family, [clip])
    // Not told is 0: below 0.5, and a tie with 0.
    #expect(isClose(try values["scores.roc-auc"], 2.5 / 4))
    #expect(isClose(try values["scores.brier"], (0.01 + 1 + 0.25 + 0) / 4))
    #expect(family.unanswered(family.tally(clip)) == [1, 1, 1, 1])
  }

  /// A clip that people judged as a whole has its most certain score; a fault is there if most raters say that it is.
  @Test func aClipJudgedAsAWhole() throws {
    func clip(_ scores: [Double], raters: [Bool]) -> LabelledPrediction {
      LabelledPrediction(
        name: "clip", subject: "ann",
        groundTruth: GroundTruth(
          faults: raters.enumerated().map {
            .init(rep: nil, rater: "r\($0.offset)", name: "lean", present: $0.element)
          }),
        prediction: Prediction(
          judged: scores.enumerated().map { .init(rep: Rep(2000 * $0, 2000 * $0 + 1000), scores: ["lean": $1]) }))
    }
    let clips = [clip([0.25, 0.75], raters: [true, true, false]), clip([0.5, 0], raters: [true, false])]
    // 0.75 for one that is there and 0.5 for one that is not.
    #expect(isClose(try FamilyValues(family, clips)["scores.brier"], (0.0625 + 0.25) / 2))
    #expect(isClose(try FamilyValues(family, clips)["scores.roc-auc"], 1))
  }

  @Test func scoresThatAreNoProbabilitiesOnlyRank() throws {
    let values = FamilyValues(family, [clip([3, nil, 0.5, -7])])
    #expect(isClose(try values["scores.roc-auc"], 2 / 4.0))
    #expect(try values["scores.brier"] == nil)
  }
}

extension FaultScores: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    let family = FaultScores(matching: cases.matching, faults: RandomClips.faults)
    let judged = cases.clips.flatMap { clip in
      RandomClips.faults.flatMap { fault in
        Dictionary(grouping: clip.groundTruth.faults.filter { $0.name == fault }, by: \.rep).values.map { words in
          2 * words.count(where: \.present) > words.count
        }
      }
    }
    let scores = BinaryScores(truth: judged, scores: judged.map { _ in 0 })
    switch metric {
    case "scores.roc-auc": return scores.areaUnderROC == nil
    case "scores.average-precision": return !judged.contains(true)
    case "scores.brier", "scores.calibration-error":
      // A score above 1 is of a rep that raters judged.
      return judged.isEmpty || family.values(ofClips: cases.clips)[2] == nil
    default: return nil
    }
  }
}
