import RealModule
import Statistics
import Testing

struct QuantileSupportTests {
  /// Sample sizes for two-sided tolerance limits, Hahn and Meeker, Statistical Intervals, 1991, table A.17.
  @Test(arguments: [
    (0.5, 0.95, 8), (0.9, 0.95, 46), (0.95, 0.95, 93), (0.99, 0.95, 473), (0.5, 0.99, 11), (0.9, 0.99, 64),
    (0.95, 0.99, 130), (0.99, 0.99, 662),
  ])
  func publishedSampleSizes(p: Double, confidence: Double, samples: Int) {
    #expect(samplesNeeded(forQuantile: p, confidence: confidence) == samples)
    #expect(samplesNeeded(forQuantile: 1 - p, confidence: confidence) == samples)
  }

  /// With n samples fewer than two lie beyond with probability 0.999ⁿ + n 0.001 · 0.999ⁿ⁻¹, which passes 1 % between
  /// 6,635 and 6,636.
  @Test func p999() {
    func fewer(_ n: Double) -> Double { .pow(0.999, n) + n * 0.001 * .pow(0.999, n - 1) }
    #expect(fewer(6635) > 0.01 && fewer(6636) <= 0.01)
    #expect(samplesNeeded(forQuantile: 0.999) == 6636)
  }

  @Test func undefined() {
    for (p, confidence) in [(0, 0.9), (1, 0.9), (0.5, 0), (0.5, 1), (.nan, 0.9), (0.5, .nan)] {
      #expect(samplesNeeded(forQuantile: p, confidence: confidence) == nil)
    }
  }

  /// The median of six: all lie below it with probability 1 / 64, so the extremes are an interval of 62 / 64; of five
  /// it would be 30 / 32.
  @Test func medianOfSix() {
    #expect(Interval.quantile(0.5, of: [4, 1, 9, 2, 6, 5]) == Interval(low: 1, high: 9, level: 0.95))
    #expect(Interval.quantile(0.5, of: [4, 1, 9, 2, 6]) == nil)
  }

  /// Of ten, at most one lies below the median with probability 11 / 1024: the second and the ninth are 1002 / 1024
  /// apart, the third and eighth, with 56 / 1024 a side, too near.
  @Test func medianOfTen() {
    #expect(Interval.quantile(0.5, of: (1...10).map(Double.init)) == Interval(low: 2, high: 9, level: 0.95))
  }

  /// No sample of n lies above p99 with probability 0.99ⁿ, at most 2.5 % from 368 on.
  @Test func p99NeedsSamplesAboveIt() {
    #expect(Interval.quantile(0.99, of: (0..<367).map(Double.init)) == nil)
    #expect(Interval.quantile(0.99, of: (0..<368).map(Double.init))?.high == 367)
  }

  @Test func undefinedIntervals() {
    #expect(Interval.quantile(0.5, of: []) == nil)
    #expect(Interval.quantile(0, of: [1, 2, 3]) == nil)
    #expect(Interval.quantile(0.5, of: (0..<9).map { $0 == 3 ? .nan : 1 }) == nil)
  }

  /// Of samples of 20 from the uniform distribution, at least 95 % of the intervals hold the median; within four
  /// standard errors of 4,000 samples.
  @Test func holdsTheQuantile() {
    var random = SeededGenerator(seed: 2)
    let held = (0..<4000).count { _ in
      Interval.quantile(0.5, of: (0..<20).map { _ in random.unit() }).map { $0.low <= 0.5 && 0.5 <= $0.high } ?? false
    }
    #expect(Double(held) / 4000 > 0.95 - 4 * (0.05 * 0.95 / 4000).squareRoot())
  }
}
