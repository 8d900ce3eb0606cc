import Coaching
import PoseModel
import Scoring
import Testing

@testable import Evaluation

/// Correlations of subjects with one clip each, which none of them has alone.
@Suite struct PooledDifferenceTests {
  /// One neighbouring pair swapped: ρ = 1 − 6 · 2 / (8 · 63) = 1 − 1 / 42.
  private static let swapped: [Double] = [1, 2, 3, 4, 5, 6, 8, 7]
  private static let right: [Double] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// A detector that grades clips whose true grades are 1…8.
  private func replayed(_ grades: [Double]) throws -> ReplayedSuite {
    let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))
    let clips = grades.enumerated().map { index, grade in
      LabelledPrediction(
        name: "s\(index)", subject: "data/s\(index)",
        groundTruth: GroundTruth(
          grades: [GroundTruth.Grade(rep: nil, rater: "a", criterion: "depth", value: Double(index + 1))]),
        prediction: Prediction(judged: [
          Prediction.JudgedRep(rep: Rep(start: .zero, end: Microseconds(1_000_000)), grades: ["depth": grade])
        ]))
    }
    let family = GradeMetrics(matching: matching, criterion: "depth")
    var metrics = RunResults.MetricResult.results(of: [family], detector: "counter", clips: clips)
    for index in metrics.indices { metrics[index].isListed = true }
    let counts = Dictionary(uniqueKeysWithValues: grades.indices.map { ("s\($0)", 0) })
    return ReplayedSuite(
      results: SampleResults.results(metrics, counts: counts), groundTruth: clips.map(\.groundTruth),
      tallies: TallyTable(
        subjects: clips.map(\.subject), clips: clips.map { [ClipTallies($0, of: [family])] }, families: [[family]]))
  }

  private func spearman(from before: [Double], to after: [Double]) throws -> MetricChange {
    let comparison = try Comparison(
      from: .replayed(try replayed(before)), to: .replayed(try replayed(after)))
    return try #require(comparison.metrics.first { $0.metric == "grades.spearman" })
  }

  @Test func theGainIsThatOfAllClips() throws {
    let metric = try spearman(from: Self.swapped, to: Self.right)
    #expect(metric.isPooled == true)
    #expect(abs(try #require(metric.before) - (1 - 1.0 / 42)) < 1e-12)
    #expect(metric.after == 1)
    #expect(abs(try #require(metric.gain) - 1.0 / 42) < 1e-12)
    #expect(metric.subjects == 8)
    #expect(metric.p == nil && metric.adjustedP == nil)
    let interval = try #require(metric.interval)
    // No resample of right grades is worse than one of swapped ones.
    #expect(interval.low >= 0 && interval.high > 1.0 / 42)
  }

  /// Whatever subjects are drawn, they are the same on both sides: without a change no resample shows any. Drawn for each
  /// side by itself, the two would differ in nearly every resample.
  @Test func bothSidesAreDrawnTogether() throws {
    let interval = try #require(try spearman(from: Self.swapped, to: Self.swapped).interval)
    #expect((interval.low, interval.high) == (0, 0))
  }

  /// Of stored runs there are values and no predictions to draw from.
  @Test func storedRunsHaveADifferenceWithoutInterval() throws {
    let (before, after) = (try replayed(Self.right).results, try replayed(Self.swapped).results)
    let comparison = try Comparison(from: .run(before, id: "one"), to: .run(after, id: "two"))
    let metric = try #require(comparison.metrics.first { $0.metric == "grades.spearman" })
    #expect(abs(try #require(metric.gain) + 1.0 / 42) < 1e-12)
    #expect(metric.interval == nil)
    // The same the other way round, through a baseline, which remembers what the value is.
    let back = try Comparison(from: .run(after, id: "two"), to: .baseline(Baseline(before)))
    let turned = try #require(back.metrics.first { $0.metric == "grades.spearman" })
    #expect(abs(try #require(turned.gain) - 1.0 / 42) < 1e-12)
  }

  /// A slice's clips give a difference and no interval, since there is no p value to correct.
  @Test func slicesAreWithoutInference() throws {
    var (before, after) = (try replayed(Self.swapped), try replayed(Self.right))
    for index in 0..<8 {
      before.results.clips[index].view = index < 2 ? "front" : "side"
      after.results.clips[index].view = before.results.clips[index].view
    }
    let comparison = try Comparison(from: .replayed(before), to: .replayed(after))
    let side = try #require(
      comparison.slices?.first { $0.slice.value == "side" && $0.metric.metric == "grades.spearman" })
    // 3…6, 8, 7 against 3…8: 1 − 6 · 2 / (6 · 35) = 1 − 2 / 35.
    #expect(abs(try #require(side.metric.gain) - 2.0 / 35) < 1e-12)
    #expect(side.metric.interval == nil)
  }
}
