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
    #expect(result.interval?.method == "t on subject means")
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

  /// 1…8 against the same with two neighbours swapped: ρ = 1 − 6 · 2 / (8 · 63) = 1 − 1 / 42.
  @Test func aCorrelationOfOneClipASubjectIsOfAllClips() throws {
    let pairs = zip([1, 2, 3, 4, 5, 6, 8, 7] as [Double], 1...8).map { (predicted: $0, rated: Double($1)) }
    let result = try graded(pairs)
    #expect(result.metric == "grades.spearman")
    #expect(result.isPooled == true)
    #expect(result.definedSubjects == 0)
    #expect(abs(try #require(result.value) - (1 - 1.0 / 42)) < 1e-12)
    let bounds = try #require(result.interval)
    #expect(bounds.method == "BCa over subjects")
    #expect(bounds.low < 1 - 1.0 / 42 && bounds.high <= 1)
  }

  /// Two clips each: 1 where both orders agree, −1 for the last subject, whose mean is 1 / 2.
  @Test func aCorrelationThatSubjectsHaveIsTheirMean() throws {
    let pairs = zip([1, 2, 3, 4, 5, 6, 8, 7] as [Double], 1...8).map { (predicted: $0, rated: Double($1)) }
    let result = try graded(pairs, clipsEach: 2)
    #expect(result.isPooled == nil)
    #expect(abs(try #require(result.value) - 0.5) < 1e-12)
    #expect(result.interval?.method == "t on subject means")
  }

  /// A value that no subject has is nothing to decide by.
  @Test func aPooledValueThatGatesIsMissing() throws {
    var metric = SampleResults.metric("grades.spearman", values: ["a": nil, "b": nil], lowerIsBetter: false)
    (metric.value, metric.isPooled) = (0.9, true)
    let results = SampleResults.results([metric])
    let verdict = Verdict(try Comparison(results, with: Baseline(results)))
    #expect(verdict.outcome == .missing)
    #expect(verdict.reason.contains("is the value of all clips together"))
  }
}
