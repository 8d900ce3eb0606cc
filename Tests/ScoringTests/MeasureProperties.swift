import PoseModel
import Scoring
import TestSupport
import Testing

/// What holds for every metric that is a function, on random clips.
struct MeasureProperties {
  private static let seeds = 0..<25 as Range<UInt64>

  private func clips(_ seed: UInt64) -> [MeasuredClip] {
    var random = TestGenerator(seed: seed)
    let count = random.integer(0...5)
    return (0..<count).map { MeasuredClip("clip \($0)", using: &random) }
  }

  /// A group without its cases fails here: see `CheckedFunctions`.
  @Test func everyMetricIsMeasured() {
    let detector = ScoredDetector.everything(
      matching: RepMatching(instant: .end, tolerance: .milliseconds(100)), labels: ["down"])
    for group in MetricFamilies.all {
      let measures = (group as? any CheckedFunctions.Type)?.measures
      if measures == nil, group is any MetricFamily.Type { continue }
      #expect(measures?.map(\.metric.name).sorted() == group.metrics(for: detector).map(\.name).sorted(), "\(group)")
    }
  }

  @Test(arguments: seeds)
  func valuesLieInTheRange(seed: UInt64) {
    let clips = clips(seed)
    for measure in Measure.all {
      if let value = measure.value(clips) {
        #expect(measure.metric.range.contains(value), "seed \(seed): \(measure.metric.name) is \(value)")
      }
    }
  }

  @Test(arguments: seeds)
  func perfectPredictionsHaveTheBestValue(seed: UInt64) {
    let clips = clips(seed).map(\.perfect)
    for measure in Measure.all where measure.hasBest {
      let best = measure.metric.direction == .higherIsBetter ? 1.0 : 0
      if let value = measure.value(clips) {
        #expect(isClose(value, best), "seed \(seed): \(measure.metric.name) is \(value)")
      }
    }
  }

  @Test func everyMetricIsSometimesThereAndSometimesNotTheBest() {
    for measure in Measure.all {
      let values = Self.seeds.compactMap { measure.value(clips($0)) }
      let best = measure.metric.direction == .higherIsBetter ? 1.0 : 0
      #expect(values.contains { abs($0 - best) > 1e-6 }, "\(measure.metric.name)")
      #expect(measure.value([]) == nil, "\(measure.metric.name)")
    }
  }

  @Test(arguments: seeds)
  func orderChangesNothing(seed: UInt64) {
    var random = TestGenerator(seed: seed)
    let clips = clips(seed)
    let shuffled = clips.map { $0.shuffled(using: &random) }.shuffled(using: &random)
    for measure in Measure.all { expectSame(measure, measure.value(shuffled), measure.value(clips), seed) }
  }

  @Test(arguments: seeds)
  func symmetricMetricsDoNotMindWhichIsTheTruth(seed: UInt64) {
    let clips = clips(seed)
    for measure in Measure.all where measure.isSymmetric {
      expectSame(measure, measure.value(clips.map(\.swapped)), measure.value(clips), seed)
    }
  }

  private func expectSame(_ measure: Measure, _ a: Double?, _ b: Double?, _ seed: UInt64) {
    let isSame = b.map { isClose(a, $0, within: 1e-10 * max(1, abs($0))) } ?? (a == nil)
    #expect(
      isSame, "seed \(seed): \(measure.metric.name) is \(String(describing: a)) and \(String(describing: b))")
  }
}
