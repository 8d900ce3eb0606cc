import PoseModel
import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct CostRatioTests {
  /// All of six clips are above by chance in 1 / 64 of cases, five or six in 7 / 64; of five none is enough.
  @Test func clipsAreTheSample() throws {
    let ratio = CostRatio(byClip: [1.3, 1.1, 1.2, 1.6, 1.5, 1.4])
    #expect(abs(try #require(ratio.median) - 1.35) < 1e-12)
    let interval = try #require(ratio.interval)
    #expect(interval.low == 1.1 && interval.high == 1.6)
    #expect(abs(ratio.pAbove(1.05) - 1.0 / 64) < 1e-12)
    #expect(abs(ratio.pAbove(1.15) - 7.0 / 64) < 1e-12)
    #expect(abs(ratio.pBelow(1.7) - 1.0 / 64) < 1e-12)
    #expect(CostRatio(byClip: [1, 1, 1, 1, 1]).interval == nil)
    #expect(CostRatio(byClip: []).pAbove(1) == 1)
  }

  /// A clock that runs slower by a nanosecond with every interval: A B B A takes 10, 11, 12 and 13, and 23 / 23 = 1.
  /// In the order A B A B it would be 22 / 24.
  @Test func evenDriftFallsOnBothAlike() throws {
    var next = 9.0
    let ratio = InterleavedCost.ratio(
      of: { { _ in } }, to: { { _ in } }, on: Self.poses(frames: 640),
      nanoseconds: { work in
        work()
        next += 1
        return next
      })
    #expect(ratio == 1)
  }

  /// Of ten blocks in which B takes a third of A, an interruption falls on one; a rest shorter than a block is not timed.
  @Test func aClipsRatioIsTheMedianOfItsBlocks() throws {
    var (interval, frames) = (0, 0)
    let ratio = InterleavedCost.ratio(
      of: { { _ in frames += 1 } }, to: { { _ in } }, on: Self.poses(frames: 640 + 63),
      nanoseconds: { work in
        work()
        defer { interval += 1 }
        return interval == 0 ? 1e6 : interval % 4 == 0 || interval % 4 == 3 ? 300 : 100
      })
    #expect(ratio == 3)
    #expect(frames == 2 * 640)
    #expect(InterleavedCost.ratio(of: { { _ in } }, to: { { _ in } }, on: Self.poses(frames: 63)) == nil)
  }

  @Test func besideTheBaselinesParametersTheMarginIsOnTheRatio() throws {
    func outcome(_ ratio: Double, margin: Double, clips: Int = 6) throws -> Verdict.MetricVerdict {
      let measured = MeasuredCostRatios(
        toReference: CostRatio(byClip: [9]), toBaseline: CostRatio(byClip: .init(repeating: ratio, count: clips)),
        margin: margin)
      return try Self.verdict(now: measured, before: nil)
    }
    #expect(try outcome(1.3, margin: 1.2).outcome == .regression)
    #expect(try outcome(1.1, margin: 1.2).outcome == .pass)
    let few = try outcome(1.3, margin: 1.2, clips: 5)
    // All of five are above by chance in 1 / 32 of cases, and none is at most the margin: (1 + 1 − 1 / 32) / 2 = 0.98.
    #expect(few.outcome == .maybeWorse && few.probabilityOfLoss == 0.98)
    #expect(few.reason.contains("98 % likely to take more than 1.2 times as long"))
    #expect(few.reason.contains("5 clips are too few, at least six are needed"))
  }

  /// The baseline took 2 to 2.2 times as long as the loop, now it is 2.6: a claim of "slower than 1.2 times" must hold
  /// beside 2.2 (2.64), of "slower than 1.1 times" too (2.42).
  @Test func withoutOtherParametersItIsTheRatioOfRatios() throws {
    let before = CostRatio(byClip: [2, 2.1, 2.1, 2.1, 2.1, 2.2])
    func verdict(margin: Double) throws -> Verdict.MetricVerdict {
      try Self.verdict(
        now: MeasuredCostRatios(
          toReference: CostRatio(byClip: .init(repeating: 2.6, count: 6)), toBaseline: nil, margin: margin),
        before: before)
    }
    #expect(try verdict(margin: 1.2).outcome == .maybeWorse)
    let slower = try verdict(margin: 1.1)
    #expect(slower.outcome == .regression)
    #expect(slower.reason.contains("takes 1.238 times as long as at the baseline"))
    #expect(try verdict(margin: 1.35).outcome == .pass)
  }

  @Test func aBaselineWithoutACostIsMissing() throws {
    let verdict = try Self.decided(
      now: MeasuredCostRatios(toReference: CostRatio(byClip: [2]), toBaseline: nil, margin: 1.2), before: nil)
    #expect(verdict.outcome == .missing && verdict.exitCode(stopAt: 1) == 5)
    #expect(verdict.missing.lines.first?.contains("expected cost.ratio of counter, found none") == true)
  }

  private static func verdict(now: MeasuredCostRatios, before: CostRatio?) throws -> Verdict.MetricVerdict {
    try #require(try decided(now: now, before: before).metrics.last)
  }

  private static func decided(now: MeasuredCostRatios, before: CostRatio?) throws -> Verdict {
    var results = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": 2], margin: nil)])
    var baseline = Baseline(results)
    baseline.costs = before.map { ["counter": $0] }
    results.measured = [
      "counter": RunResults.MeasuredCost(
        blocks: 1, framesPerBlock: 64, quantiles: [:], clockFloor: nil, ratios: now, samples: [])
    ]
    return Verdict(try Comparison(results, with: baseline))
  }

  private static func poses(frames: Int) -> PoseSequence {
    PoseSequence(
      Keypoints(
        times: (0..<frames).map { Microseconds(Int64($0) * 33_333) }, keypointCount: Joint.count,
        channels: [.x, .y], values: [Float](repeating: 0.5, count: frames * Joint.count * 2)),
      skeleton: .common, coordinates: CoordinateSystem(unit: .metre, yAxis: .down))
  }
}
