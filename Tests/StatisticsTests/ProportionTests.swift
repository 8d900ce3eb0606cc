import Statistics
import Testing

/// Wilson's intervals.
struct ProportionTests {
  private func expect(_ interval: Interval?, _ low: Double, _ high: Double, within tolerance: Double) {
    #expect(
      interval.map { abs($0.low - low) <= tolerance && abs($0.high - high) <= tolerance } ?? false, "\(low) \(high)")
  }

  /// Newcombe, Two-Sided Confidence Intervals for the Single Proportion, Statistics in Medicine 17, 1998, table I,
  /// method 3 (score).
  @Test(arguments: [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
  ])
  func newcombesTable(successes: Int, trials: Int, low: Double, high: Double) {
    expect(.wilson(successes: successes, of: trials), low, high, within: 0.000051)
  }

  /// Of no success the ends are 0 and z² / (n + z²).
  @Test func nothingAndAll() {
    let square = 1.959_963_984_540_054 * 1.959_963_984_540_054
    expect(.wilson(successes: 0, of: 12), 0, square / (12 + square), within: 1e-14)
    expect(.wilson(successes: 12, of: 12), 12 / (12 + square), 1, within: 1e-14)
    #expect(Interval.wilson(successes: 0, of: 12)?.low == 0)
    #expect(Interval.wilson(successes: 12, of: 12)?.high == 1)
  }

  @Test func undefined() {
    for (successes, trials) in [(0, 0), (-1, 4), (5, 4), (0, -3)] {
      #expect(Interval.wilson(successes: successes, of: trials) == nil)
    }
  }

  @Test func mirrorGrowAndNest() throws {
    for level in [0.5, 0.9, 0.95, 0.99] {
      var last = Interval(low: -1, high: -1, level: level)
      for successes in 0...17 {
        let interval = try #require(Interval.wilson(successes: successes, of: 17, level: level))
        let mirrored = try #require(Interval.wilson(successes: 17 - successes, of: 17, level: level))
        expect(mirrored, 1 - interval.high, 1 - interval.low, within: 1e-12)
        #expect(interval.low >= last.low && interval.high >= last.high && interval.level == level)
        #expect(interval.low <= Double(successes) / 17 && Double(successes) / 17 <= interval.high)
        last = interval
      }
    }
  }
}
