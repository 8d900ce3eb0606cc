import RealModule
import Statistics
import Testing

struct PowerTests {
  /// Quantiles of the normal distribution: as good as normal, for the resampling to draw from.
  private static let normalGains = (0..<1000).map { Normal().quantile((Double($0) + 0.5) / 1000) }

  private func power(_ gains: [Double] = normalGains, margin: Double = 0, comparisons: Int = 1) throws -> Power {
    let rule = try #require(NonInferiorityRule(margin: margin, comparisons: comparisons))
    return try #require(Power(gains: gains, rule: rule))
  }

  /// At a loss equal to the margin the two sides of the interval are wrong 2.5 % of the time each; within four standard
  /// errors of 20,000 simulations.
  @Test(arguments: [5, 10, 40])
  func wrongAtTheMargin(subjects: Int) throws {
    var random = SeededGenerator(seed: 3)
    let shares = try #require(
      try power(margin: 0.4).outcomes(loss: 0.4, subjects: subjects, simulations: 20_000, using: &random))
    let error = (0.025 * 0.975 / 20_000).squareRoot()
    #expect(abs(shares.regression - 0.025) < 4 * error, "\(shares)")
    #expect(abs(shares.pass - 0.025) < 4 * error, "\(shares)")
    #expect(abs(shares.pass + shares.regression + shares.inconclusive - 1) < 1e-12)
    #expect(shares.regressionInterval == .wilson(successes: Int((shares.regression * 20_000).rounded()), of: 20_000))
  }

  /// The t test on 34 subjects finds half a standard deviation with probability 0.808 (Cohen 1988).
  @Test func powerIsThatOfTheTTest() throws {
    var random = SeededGenerator(seed: 5)
    let shares = try #require(
      try power(margin: 0.2).outcomes(loss: 0.7, subjects: 34, simulations: 20_000, using: &random))
    #expect(abs(shares.regression - 0.808) < 4 * (0.808 * 0.192 / 20_000).squareRoot(), "\(shares)")
  }

  @Test func subjectsNeeded() throws {
    var random = SeededGenerator(seed: 5)
    let needed = try #require(try power().subjectsNeeded(loss: 0.5, using: &random))
    #expect((33...35).contains(needed))
    #expect(try power(margin: 0.5).subjectsNeeded(loss: 0.5, using: &random) == nil)
    #expect(try power().subjectsNeeded(loss: 0.5, most: 20, using: &random) == nil)
    #expect(try power().subjectsNeeded(loss: 1000, using: &random) == 2)
  }

  /// Only the spread of the gains matters, not their mean.
  @Test func gainsAreCentred() throws {
    var first = SeededGenerator(seed: 5)
    var second = SeededGenerator(seed: 5)
    let gains = [1.0, 4, 2, 8, 5, 7]
    let one = try power(gains).outcomes(loss: 3, subjects: 8, using: &first)
    let other = try power(gains.map { $0 + 64 }).outcomes(loss: 3, subjects: 8, using: &second)
    #expect(one == other)
    #expect(one.map { $0.simulations == 10_000 } == true)
  }

  @Test func growsWithLossAndFallsWithComparisons() throws {
    var last = -1.0
    for loss in [0, 0.2, 0.4, 0.8, 1.6] {
      var random = SeededGenerator(seed: 6)
      let share = try #require(try power().outcomes(loss: loss, subjects: 12, using: &random)).regression
      #expect(share >= last)
      last = share
      random = SeededGenerator(seed: 6)
      let strict = try #require(try power(comparisons: 5).outcomes(loss: loss, subjects: 12, using: &random)).regression
      #expect(strict <= share)
    }
    #expect(last > 0.99)
  }

  @Test func undefined() throws {
    let rule = try #require(NonInferiorityRule(margin: 0))
    var random = SeededGenerator(seed: 6)
    #expect(Power(gains: [1], rule: rule) == nil)
    #expect(Power(gains: [1, .nan], rule: rule) == nil)
    #expect(try power().outcomes(loss: 1, subjects: 1, using: &random) == nil)
    #expect(try power().outcomes(loss: 1, subjects: 5, simulations: 0, using: &random) == nil)
    #expect(try power().outcomes(loss: .nan, subjects: 5, using: &random) == nil)
  }

  /// Gains that are all equal have no spread: every loss above the margin shows, none below.
  @Test func withoutSpread() throws {
    var random = SeededGenerator(seed: 6)
    let power = try power([2, 2, 2], margin: 0.5)
    #expect(power.outcomes(loss: 0.6, subjects: 2, using: &random)?.regression == 1)
    #expect(power.outcomes(loss: 0.4, subjects: 2, using: &random)?.pass == 1)
  }
}
