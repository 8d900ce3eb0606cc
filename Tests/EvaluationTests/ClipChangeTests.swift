import Scoring
import Testing

@testable import Evaluation
@testable import Pipeline

/// What a detector says of a clip otherwise than at the baseline, whatever it does.
struct ClipChangeTests {
  private static func results(kind: String, _ outcome: ClipResult.Outcome) -> RunResults {
    var results = SampleResults.results([], counts: ["a": 0])
    results.detectors[0].kind = kind
    results.clips[0].trueCount = nil
    results.clips[0].outcomes = ["counter": outcome]
    return results
  }

  private static func outcome(
    grades: [Double] = [], truth: [String] = [], predicted: [String] = [], misjudged: Int = 0
  ) -> ClipResult.Outcome {
    ClipResult.Outcome(
      count: nil, reps: nil,
      graded: grades.enumerated().map { .init(rep: $0, predicted: $1, ratings: ["x": 80]) },
      reportDelays: [], liveDelays: [], classes: ConfusionMatrix(truth: truth, predicted: predicted),
      judged: (0..<3).map { .init(rep: nil, grade: nil, isFaulty: true, isReported: $0 >= misjudged) })
  }

  /// The same change the other way round.
  private static func turned(_ change: ClipChange) -> ClipChange {
    var turned = change
    (turned.before, turned.after) = (change.after, change.before)
    turned.parts = change.parts?.map { .init(name: $0.name, before: $0.after, after: $0.before) }
    return turned
  }

  /// What changed since the baseline, and the same the other way round.
  private func changes(
    kind: String, from before: ClipResult.Outcome, to after: ClipResult.Outcome
  ) throws -> [ClipChange] {
    let (old, new) = (Self.results(kind: kind, before), Self.results(kind: kind, after))
    let there = try Comparison(from: .baseline(Baseline(old)), to: .run(new, id: "two")).clipChanges
    let back = try Comparison(from: .run(new, id: "two"), to: .baseline(Baseline(old))).clipChanges
    #expect(back.map(Self.turned) == there)
    #expect(try Comparison(new, with: Baseline(old)).clipChanges == there)
    return there
  }

  /// Of three strokes one is missed, and none made up; then all are found, one by another name, and two made up.
  @Test func strokesThatAreMissedMadeUpOrMisnamed() throws {
    let none = StrokeMetrics.none
    let before = Self.outcome(truth: ["serve", "volley", "serve"], predicted: ["serve", none, "serve"])
    let after = Self.outcome(
      truth: ["serve", "volley", "serve", none, none], predicted: ["serve", "serve", "serve", "serve", "serve"])
    let change = try #require(try changes(kind: "swing", from: before, to: after).first)
    #expect(change.kind == .strokes)
    #expect([change.before, change.after, change.gain] == [1, 3, -2])
    #expect(change.parts?.map(\.name) == ["missed", "made up", "misnamed"])
    #expect(change.parts?.map { [$0.before, $0.after] } == [[1, 0], [0, 2], [0, 1]])
  }

  /// As many wrong strokes, others than before.
  @Test func aMissedStrokeForAMadeUpOneIsAChangeToo() throws {
    let none = StrokeMetrics.none
    let changes = try changes(
      kind: "swing", from: Self.outcome(truth: ["serve"], predicted: [none]),
      to: Self.outcome(truth: ["serve", none], predicted: ["serve", "serve"]))
    #expect(changes.map(\.gain) == [0])
  }

  /// At 30 frames a second one frame in three is wrong, then two are: 1/30 s and 2/30 s.
  @Test func labelsOfFrames() throws {
    let truth = ["up", "up", "down"]
    let changes = try changes(
      kind: "posture", from: Self.outcome(truth: truth, predicted: ["up", "up", "up"]),
      to: Self.outcome(truth: truth, predicted: ["down", "down", "down"]))
    #expect(changes.map(\.kind) == [.labels])
    let seconds: [Double?] = [1.0 / 30, 2.0 / 30]
    #expect(changes.map { [$0.before, $0.after] } == [seconds])
  }

  /// Raters gave 80: from 70 and 90 to 60 and 70, 15 away; and of three faults one is no longer reported.
  @Test func gradesAndJudgements() throws {
    let changes = try changes(
      kind: "form", from: Self.outcome(grades: [70, 90]), to: Self.outcome(grades: [60, 70], misjudged: 1))
    #expect(changes.map(\.kind) == [.grade, .faults])
    #expect(changes.map { [$0.before, $0.after, $0.truth] } == [[80, 65, 80], [0, 1, 0]])
    #expect(changes.map(\.gain) == [-15, -1])
  }

  /// Nobody does the exercise in the clip: 0 → 2 is worse by two reps.
  @Test func aRepWhereNobodyExercisesIsALoss() throws {
    func results(_ count: Int) -> RunResults {
      var results = SampleResults.results([], counts: ["a": count])
      results.clips[0].trueCount = nil
      (results.clips[0].exercise, results.negatives) = ("walking", ["walking"])
      return results
    }
    let comparison = try Comparison(from: .run(results(0), id: "one"), to: .run(results(2), id: "two"))
    #expect(comparison.clipChanges.map { [$0.before, $0.after, $0.truth, $0.gain] } == [[0, 2, 0, -2]])
  }

  @Test func theSameAnswerIsNoChange() throws {
    let outcome = Self.outcome(grades: [70], truth: ["up"], predicted: ["down"], misjudged: 2)
    for kind in ["form", "posture", "swing"] { #expect(try changes(kind: kind, from: outcome, to: outcome).isEmpty) }
  }

  /// A baseline from before more was kept.
  @Test func aBaselineOfCountsTellsCounts() throws {
    var baseline = Baseline(Self.results(kind: "form", Self.outcome(grades: [70])))
    baseline.knowsCountsOnly = true
    baseline.clips = baseline.clips.mapValues { $0.mapValues { Baseline.ClipPrediction(count: $0.count) } }
    let after = Self.results(kind: "form", Self.outcome(grades: [50]))
    let comparison = try Comparison(from: .baseline(baseline), to: .run(after, id: "two"))
    #expect(comparison.clipChanges.isEmpty && comparison.knowsCountsOnly)
  }
}
