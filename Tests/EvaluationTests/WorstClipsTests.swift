import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

/// Where a detector goes wrong most, whatever it does.
struct WorstClipsTests {
  private static func results(
    kind: String, _ outcomes: [String: ClipResult.Outcome], trueCount: Int? = nil
  ) -> RunResults {
    var results = SampleResults.results([], counts: outcomes.mapValues { _ in 0 })
    results.detectors = [
      RunResults.DetectorCard(name: "detector", kind: kind, summary: "", parameters: [:], changed: [])
    ]
    for index in results.clips.indices {
      results.clips[index].trueCount = trueCount
      results.clips[index].outcomes = ["detector": outcomes[results.clips[index].name] ?? outcome()]
    }
    return results
  }

  private static func outcome(
    count: Int? = nil, grades: [(predicted: Double?, raters: [String: Double])] = [], classes: ConfusionMatrix? = nil,
    judged: [(isFaulty: Bool, isReported: Bool)]? = nil
  ) -> ClipResult.Outcome {
    ClipResult.Outcome(
      count: count, reps: nil,
      graded: grades.enumerated().map { .init(rep: $0, predicted: $1.predicted, ratings: $1.raters) },
      reportDelays: [], liveDelays: [], classes: classes,
      judged: judged?.map { .init(rep: nil, grade: nil, isFaulty: $0.isFaulty, isReported: $0.isReported) })
  }

  @Test func aScorerIsWorstWhereItsGradesAreFarthestFromPeoples() {
    let results = Self.results(
      kind: "form",
      [
        // 10 off, (20 + 0) / 2 = 10 off but two misjudged; 30 off; right; without a grade.
        "a": Self.outcome(grades: [(70, ["x": 80])], judged: [(true, true)]),
        "b": Self.outcome(
          grades: [(60, ["x": 70, "y": 90]), (50, ["x": 50])], judged: [(true, false), (false, true)]),
        "c": Self.outcome(grades: [(50, ["x": 80])]), "d": Self.outcome(grades: [(80, ["x": 80])]),
        "e": Self.outcome(grades: [(nil, ["x": 80])]),
      ])
    #expect(results.worstClips("detector").map(\.name) == ["c", "b", "a"])
  }

  @Test func aClassifierIsWorstWhereItTakesMostForSomethingElse() {
    let results = Self.results(
      kind: "swing",
      [
        "a": Self.outcome(classes: ConfusionMatrix(truth: ["x", "y"], predicted: ["x", "x"])),
        "b": Self.outcome(classes: ConfusionMatrix(truth: ["x", "y", "y"], predicted: ["y", "x", "y"])),
        "c": Self.outcome(classes: ConfusionMatrix(truth: ["x"], predicted: ["x"])),
      ])
    #expect(results.worstClips("detector").map(\.name) == ["b", "a"])
  }

  @Test func aCounterIsJudgedByItsCountsAlone() {
    let results = Self.results(
      kind: "reps",
      [
        "a": Self.outcome(count: 4, grades: [(0, ["x": 100])]), "b": Self.outcome(count: 6),
        "c": Self.outcome(count: 3),
        "d": Self.outcome(count: 5),
      ], trueCount: 4)
    #expect(results.worstClips("detector").map(\.name) == ["b", "c", "d"])
  }
}
