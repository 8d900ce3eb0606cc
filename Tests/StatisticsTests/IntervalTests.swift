import RealModule
import Statistics
import Testing

struct IntervalTests {
  private func expect(_ interval: Interval?, _ low: Double, _ high: Double, within tolerance: Double) {
    #expect(interval.map { abs($0.low - low) <= tolerance && abs($0.high - high) <= tolerance } ?? false)
  }

  /// Mean 2, s = 1, and t with two degrees of freedom at 0.975 is 0.95 / √(2 · 0.975 · 0.025).
  @Test func threeValues() {
    let half = 0.95 / (2 * 0.975 * 0.025).squareRoot() / 3.0.squareRoot()
    expect(.studentT([1, 2, 3]), 2 - half, 2 + half, within: 1e-11)
  }

  /// Mean 1, s = √2, s / √n = 1, and t with one degree of freedom is tan(π (p - ½)).
  @Test func twoValuesAtAnotherLevel() {
    let half = Double.tan(.pi * 0.45)
    expect(.studentT([0, 2], level: 0.9), 1 - half, 1 + half, within: 1e-11)
    #expect(Interval.studentT([0, 2], level: 0.9)?.level == 0.9)
    #expect(Interval.studentT([0, 2])?.level == 0.95)
  }

  /// Mean 5, s² = 60 / 9, s / √n = √(60 / 90), and 2.262 in the table for nine degrees of freedom.
  @Test func tenValues() {
    let half = 2.262 * (60.0 / 90).squareRoot()
    expect(.studentT([1, 2, 3, 4, 5, 5, 6, 7, 8, 9]), 5 - half, 5 + half, within: 0.0005)
  }

  @Test func equalValuesHaveAnIntervalWithoutWidth() {
    #expect(Interval.studentT([0.1, 0.1, 0.1]) == Interval(low: 0.1, high: 0.1, level: 0.95))
  }

  @Test func fewerThanTwoValuesOrOneThatIsNotFiniteHaveNone() {
    #expect(Interval.studentT([]) == nil)
    #expect(Interval.studentT([3]) == nil)
    #expect(Interval.studentT([1, .nan]) == nil)
    #expect(Interval.studentT([1, 2, .infinity]) == nil)
  }

  /// Of 4,000 samples of five, 95 % of the intervals hold the mean: within four standard errors √(0.95 · 0.05 / 4,000).
  /// With the normal quantile in t's place it would be 88 %.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func holdsTheMeanAsOftenAsItSays(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let samples = 4000
    let held = (0..<samples).count { _ in
      let sample = (0..<5).map { _ in 10 + 3 * random.normal() }
      return Interval.studentT(sample).map { $0.low <= 10 && 10 <= $0.high } ?? false
    }
    let error = (0.95 * 0.05 / Double(samples)).squareRoot()
    #expect(abs(Double(held) / Double(samples) - 0.95) < 4 * error, "seed \(seed): \(held)")
  }

  @Test func clampsToTheRange() {
    let interval = Interval(low: -0.5, high: 1.5, level: 0.95)
    #expect(interval.clamped(to: 0...1) == Interval(low: 0, high: 1, level: 0.95))
    #expect(interval.clamped(to: -1...2) == interval)
    #expect(interval.clamped(to: 2...3) == Interval(low: 2, high: 2, level: 0.95))
    #expect(interval.clamped(to: -3...(-2)) == Interval(low: -2, high: -2, level: 0.95))
    #expect(interval.clamped(to: 0...(.infinity)) == Interval(low: 0, high: 1.5, level: 0.95))
  }
}
