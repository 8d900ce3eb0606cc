import Statistics
import Testing

struct SignFlipIntervalTests {
  /// 2⁶ · 0.025 = 1.6: the smallest and the largest mean of a subset, which are those of one value.
  @Test func sixValuesGiveTheirExtremes() {
    #expect(
      SignFlip.interval([3, 9, 1, 4, 22, 6]).map { abs($0.low - 1) < 1e-12 && abs($0.high - 22) < 1e-12 } == true)
  }

  /// 2⁶ · 0.05 = 3.2: the third smallest of 1, (1 + 3) / 2, (1 + 3 + 4) / 3 = 2⅔, (1 + 4) / 2; the third largest of 22,
  /// (22 + 9) / 2, (22 + 6) / 2.
  @Test func thirdSubsetMean() throws {
    let interval = try #require(SignFlip.interval([3, 9, 1, 4, 22, 6], level: 0.9))
    #expect(abs(interval.low - 2.5) < 1e-12)
    #expect(abs(interval.high - 14) < 1e-12)
    #expect(interval.level == 0.9)
  }

  /// 2⁵ · 0.025 = 0.8: no flip is as rare as that.
  @Test func fiveValuesHaveNoneAt95Percent() {
    #expect(SignFlip.interval([1, 2, 3, 4, 5]) == nil)
    #expect(SignFlip.interval([1, 2, 3, 4, 5], level: 0.9) == Interval(low: 1, high: 5, level: 0.9))
    #expect(SignFlip.interval([]) == nil)
    #expect(SignFlip.interval([1, 2, 3, 4, 5, .nan]) == nil)
    #expect(SignFlip.interval((0..<21).map(Double.init)) == nil)
  }

  @Test func equalValues() {
    #expect(SignFlip.interval([2, 2, 2, 2, 2, 2]) == Interval(low: 2, high: 2, level: 0.95))
  }

  /// What lies just inside is kept by the test, what lies just outside is not.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func invertsTheTest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<6 + random.index(below: 8)).map { _ in random.normal() }
    let interval = try #require(SignFlip.interval(values))
    func p(_ centre: Double) -> Double { SignFlip(values.map { $0 - centre })?.twoSided ?? .nan }
    let step = 1e-6 * (interval.high - interval.low)
    #expect(p(interval.low + step) > 0.05 && p(interval.high - step) > 0.05)
    #expect(p(interval.low - step) <= 0.05 && p(interval.high + step) <= 0.05)
  }
}
