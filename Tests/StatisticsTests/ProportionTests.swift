import RealModule
import Statistics
import Testing

/// Wilson's and Clopper's and Pearson's intervals, and McNemar's test.
struct ProportionTests {
  private func expect(_ interval: Interval?, _ low: Double, _ high: Double, within tolerance: Double) {
    #expect(
      interval.map { abs($0.low - low) <= tolerance && abs($0.high - high) <= tolerance } ?? false, "\(low) \(high)")
  }

  /// Newcombe, Two-Sided Confidence Intervals for the Single Proportion, Statistics in Medicine 17, 1998, table I,
  /// methods 3 (score) and 5 (exact).
  @Test(arguments: [
    (81, 263, 0.2553, 0.3662, 0.2527, 0.3676), (15, 148, 0.0624, 0.1605, 0.0578, 0.1617),
    (0, 20, 0, 0.1611, 0, 0.1684), (1, 29, 0.0061, 0.1718, 0.0009, 0.1776),
  ])
  func newcombesTable(
    successes: Int, trials: Int, wilsonLow: Double, wilsonHigh: Double, exactLow: Double, exactHigh: Double
  ) {
    expect(.wilson(successes: successes, of: trials), wilsonLow, wilsonHigh, within: 0.000051)
    expect(.clopperPearson(successes: successes, of: trials), exactLow, exactHigh, within: 0.000051)
  }

  /// Of no success the ends of Wilson's are 0 and z² / (n + z²), of Clopper's and Pearson's 0 and 1 - 0.025^(1/n).
  @Test func nothingAndAll() {
    let square = 1.959_963_984_540_054 * 1.959_963_984_540_054
    expect(.wilson(successes: 0, of: 12), 0, square / (12 + square), within: 1e-14)
    expect(.wilson(successes: 12, of: 12), 12 / (12 + square), 1, within: 1e-14)
    expect(.clopperPearson(successes: 0, of: 12), 0, 1 - .pow(0.025, 1 / 12.0), within: 1e-13)
    expect(.clopperPearson(successes: 12, of: 12), .pow(0.025, 1 / 12.0), 1, within: 1e-13)
    #expect(Interval.wilson(successes: 0, of: 12)?.low == 0)
    #expect(Interval.wilson(successes: 12, of: 12)?.high == 1)
  }

  @Test func undefined() {
    for (successes, trials) in [(0, 0), (-1, 4), (5, 4), (0, -3)] {
      #expect(Interval.wilson(successes: successes, of: trials) == nil)
      #expect(Interval.clopperPearson(successes: successes, of: trials) == nil)
    }
  }

  @Test func mirrorGrowAndNest() throws {
    for level in [0.5, 0.9, 0.95, 0.99] {
      for make in [Interval.wilson, Interval.clopperPearson] {
        var last = Interval(low: -1, high: -1, level: level)
        for successes in 0...17 {
          let interval = try #require(make(successes, 17, level))
          let mirrored = try #require(make(17 - successes, 17, level))
          expect(mirrored, 1 - interval.high, 1 - interval.low, within: 1e-12)
          #expect(interval.low >= last.low && interval.high >= last.high && interval.level == level)
          #expect(interval.low <= Double(successes) / 17 && Double(successes) / 17 <= interval.high)
          last = interval
        }
      }
    }
  }

  /// By listing the binomial distribution: Clopper and Pearson hold 95 % at every proportion.
  @Test func clopperPearsonHoldsItsLevel() {
    let n = 9
    for step in 1..<50 {
      let p = Double(step) / 50
      var weight = Double.pow(1 - p, n)
      var held = 0.0
      for k in 0...n {
        if let interval = Interval.clopperPearson(successes: k, of: n), interval.low <= p, p <= interval.high {
          held += weight
        }
        weight *= Double(n - k) / Double(k + 1) * p / (1 - p)
      }
      #expect(held >= 0.95, "\(p)")
    }
  }

  /// 2 (1 + 13 + 78 + 286) / 2¹³ and 2 / 2⁵.
  @Test func mcNemar() throws {
    let (ofThirteen, ofFive): (Double, Double) = (756.0 / 8192, 1.0 / 16)
    #expect(try abs(#require(mcNemarExact(onlyFirst: 3, onlySecond: 10)) - ofThirteen) < 1e-15)
    #expect(try abs(#require(mcNemarExact(onlyFirst: 0, onlySecond: 5)) - ofFive) < 1e-16)
    #expect(mcNemarExact(onlyFirst: 12, onlySecond: 12) == 1)
    #expect(mcNemarExact(onlyFirst: 0, onlySecond: 0) == 1)
    #expect(mcNemarExact(onlyFirst: 0, onlySecond: 1) == 1)
    #expect(mcNemarExact(onlyFirst: -1, onlySecond: 1) == nil)
    #expect(mcNemarExact(onlyFirst: 4, onlySecond: 9) == mcNemarExact(onlyFirst: 9, onlySecond: 4))
  }
}
