import RealModule
import Statistics
import Testing

struct ShareIntervalTests {
  /// 30 of 30 clips of ten people: as ten of ten, whose lower end is 10 / (10 + z²).
  @Test func allRightIsNotCertain() throws {
    let square = 1.959_963_984_540_054 * 1.959_963_984_540_054
    let interval = try #require(Interval.share(1, standardError: 0, subjects: 10, cases: 30))
    #expect(abs(interval.low - 10 / (10 + square)) < 1e-12 && interval.high == 1)
    let none = try #require(Interval.share(0, standardError: 0, subjects: 10, cases: 30))
    #expect(none.low == 0 && abs(none.high - square / (10 + square)) < 1e-12)
  }

  /// One clip each is a plain proportion.
  @Test func ofOneCaseEachItIsWilsons() {
    let plain = Interval.wilson(successes: 8, of: 10)
    #expect(Interval.share(0.8, standardError: 0.133, subjects: 10, cases: 10) == plain)
  }

  /// scipy.stats: n = 0.8 · 0.2 / 0.1² · (norm.ppf(0.975) / t.ppf(0.975, 9))² = 12.010764, and Wilson's ends of 0.8 on it.
  @Test func theEffectiveNumberIsThatOfTheStandardError() throws {
    let interval = try #require(Interval.share(0.8, standardError: 0.1, subjects: 10, cases: 30))
    #expect(abs(interval.low - 0.5174017) < 1e-6 && abs(interval.high - 0.9372007) < 1e-6)
    // Never more cases than there are.
    let most = try #require(Interval.share(0.8, standardError: 0.001, subjects: 10, cases: 30))
    #expect(most == Interval.wilson(successes: 24, of: 30))
  }

  @Test func itTakesTwoSubjectsAndAShare() {
    #expect(Interval.share(0.5, standardError: 0.1, subjects: 1) == nil)
    #expect(Interval.share(1.1, standardError: 0.1, subjects: 10) == nil)
    #expect(Interval.share(0.5, standardError: .nan, subjects: 10) == nil)
  }

  /// How often the interval holds the true share, of clips of which a subject's are all the same as often as `alike` says,
  /// and how often Student's on subjects' means does.
  private func coverage(_ truth: Double, subjects: Int, clips: Int, alike: Double) -> (share: Double, t: Double) {
    var random = SeededGenerator(seed: 16)
    let samples = 2000
    var (held, heldByT) = (0, 0)
    for _ in 0..<samples {
      let means = (0..<subjects).map { _ -> Double in
        if random.unit() < alike { return random.unit() < truth ? 1 : 0 }
        return Double((0..<clips).count { _ in random.unit() < truth }) / Double(clips)
      }
      guard let value = mean(means), let deviation = standardDeviation(means) else { continue }
      let interval = Interval.share(
        value, standardError: deviation / Double(subjects).squareRoot(), subjects: subjects, cases: subjects * clips)
      if let interval, interval.low <= truth, truth <= interval.high { held += 1 }
      if let t = Interval.studentT(means), t.low <= truth, truth <= t.high { heldByT += 1 }
    }
    return (Double(held) / Double(samples), Double(heldByT) / Double(samples))
  }

  /// At a true 0.98, 30 clips of ten people mostly are all right: an interval of no width misses. That the level is 95 %
  /// holds for each share here within what so few people allow, and above it rather than below.
  @Test(arguments: [0, 0.3, 1])
  func itHoldsItsLevel(alike: Double) {
    for truth in [0.5, 0.8, 0.9, 0.95, 0.98] {
      let found = coverage(truth, subjects: 10, clips: 3, alike: alike)
      #expect(found.share > 0.93, "\(truth), \(alike): \(found)")
    }
    #expect(coverage(0.98, subjects: 10, clips: 3, alike: alike).t < 0.6)
  }
}
