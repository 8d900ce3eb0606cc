import PoseModel
import Scoring
import Testing

@testable import Evaluation

/// What the value of several subjects is, and by which interval.
@Suite struct MetricResultTests {
  private func counts(_ clips: [(subject: String, counted: Int)]) -> [LabelledPrediction] {
    clips.enumerated().map { index, clip in
      LabelledPrediction(
        name: "clip \(index)", subject: clip.subject, groundTruth: GroundTruth(repCount: 5),
        prediction: Prediction(count: clip.counted))
    }
  }

  private func exact(_ clips: [LabelledPrediction]) throws -> RunResults.MetricResult {
    try #require(RunResults.MetricResult.results(of: [CountMetrics()], detector: "counter", clips: clips).first)
  }

  /// Eight of ten: Wilson's centre is (0.8 + 3.8415 / 20) / (1 + 3.8415 / 10) = 0.71674, his half width
  /// 1.95996 / 1.38415 · √(0.016 + 3.8415 / 400) = 0.22659.
  @Test func aShareOfSubjectsWithOneClipEachIsAProportion() throws {
    let result = try exact(counts((0..<10).map { ("s\($0)", $0 < 8 ? 5 : 4) }))
    let bounds = try #require(result.interval)
    #expect(bounds.method == "Wilson")
    #expect(abs(bounds.low - (0.71674 - 0.22659)) < 1e-4)
    #expect(abs(bounds.high - (0.71674 + 0.22659)) < 1e-4)
  }

  /// With a second clip of one subject the mean of subjects is no proportion of clips.
  @Test func aSecondClipMakesItAMeanOfSubjects() throws {
    let result = try exact(counts((0..<10).map { ("s\($0)", $0 < 8 ? 5 : 4) } + [("s0", 5)]))
    #expect(result.interval?.method == "Wilson with one more subject")
  }

  /// 30 of 30 clips of ten people: one case each, 10 / (10 + 3.8415).
  @Test func allRightHasAnInterval() throws {
    let result = try exact(counts((0..<30).map { ("s\($0 % 10)", 5) }))
    let bounds = try #require(result.interval)
    #expect(result.value == 1 && bounds.high == 1 && abs(bounds.low - 10 / 13.841459) < 1e-6)
  }

  /// Of subjects with one clip, whose grade is for the whole clip, none has a correlation; all clips together have.
  private func graded(_ pairs: [(predicted: Double, rated: Double)], clipsEach: Int = 1) throws
    -> RunResults.MetricResult
  {
    let rep = Rep(start: .zero, end: Microseconds(1_000_000))
    let clips = pairs.enumerated().map { index, pair in
      LabelledPrediction(
        name: "clip \(index)", subject: "s\(index / clipsEach)",
        groundTruth: GroundTruth(grades: [
          GroundTruth.Grade(rep: nil, rater: "a", criterion: "depth", value: pair.rated)
        ]),
        prediction: Prediction(judged: [Prediction.JudgedRep(rep: rep, grades: ["depth": pair.predicted])]))
    }
    let family = GradeMetrics(
      matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)), criterion: "depth")
    return try #require(RunResults.MetricResult.results(of: [family], detector: "scorer", clips: clips).first)
  }

  private static let oneSwapped: [(predicted: Double, rated: Double)] = [
    (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (8, 7), (7, 8),
  ]
  private static let ofAll: Double = 1 - 1.0 / 42

  /// 1…8 against the same with two neighbours swapped: ρ = 1 − 6 · 2 / (8 · 63) = 1 − 1 / 42.
  @Test func aCorrelationOfOneClipASubjectIsOfAllClips() throws {
    let result = try graded(Self.oneSwapped)
    #expect(result.metric == "grades.spearman")
    #expect(result.isPooled == true)
    #expect(result.definedSubjects == 0)
    #expect(abs(try #require(result.value) - Self.ofAll) < 1e-12)
    let bounds = try #require(result.interval)
    #expect(bounds.method == "jackknife over subjects")
    #expect(bounds.low < Self.ofAll && bounds.high <= 1)
  }

  /// Also where each subject has a correlation of its own, which is that of other people: what a value is follows from the
  /// metric, not from the data.
  @Test func aCorrelationThatSubjectsHaveIsOfAllClipsToo() throws {
    let result = try graded(Self.oneSwapped, clipsEach: 2)
    #expect(result.isPooled == true && result.definedSubjects == 4)
    #expect(abs(try #require(result.value) - Self.ofAll) < 1e-12)
    #expect(result.withoutSubject?.count == 4)
  }

  /// Without the last subject, whose order is wrong, everything is in order; without any other one pair of six clips is not:
  /// 1 − 6 · 2 / (6 · 35).
  @Test func whatItIsWithoutEachSubjectIsKept() throws {
    let without = try #require(try graded(Self.oneSwapped, clipsEach: 2).withoutSubject)
    #expect(abs(try #require(without["s3"]) - 1) < 1e-12)
    let ofSix: Double = 1 - 2.0 / 35
    for name in ["s0", "s1", "s2"] { #expect(abs(try #require(without[name]) - ofSix) < 1e-12) }
  }

  /// What the detector did not grade is left out of a correlation and counted beside it.
  @Test func whatIsNotGradedIsCounted() throws {
    let truth = GroundTruth(grades: [GroundTruth.Grade(rep: nil, rater: "a", criterion: "depth", value: 1)])
    let family = GradeMetrics(matching: RepMatching(instant: .end, tolerance: .zero), criterion: "depth")
    let clips = ["a", "b"].map {
      LabelledPrediction(name: $0, subject: $0, groundTruth: truth, prediction: Prediction())
    }
    let results = RunResults.MetricResult.results(of: [family], detector: "scorer", clips: clips)
    #expect(results.first { $0.metric == "grades.spearman" }?.unanswered == 2)
    #expect(results.first { $0.metric == "grades.coverage" }?.unanswered == nil)
  }
}
