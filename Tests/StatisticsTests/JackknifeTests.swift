import RealModule
import Statistics
import Testing

struct JackknifeTests {
  /// Of a mean the shares are the values themselves, and the interval is Student's: 1, 2, 6 have the mean 3 and without each
  /// 4, 3.5 and 1.5.
  @Test func ofAMeanItIsTheSampleItself() throws {
    let jackknife = try #require(Jackknife(3, without: [4, 3.5, 1.5]))
    #expect(zip(jackknife.shares, [1, 2, 6] as [Double]).allSatisfy { abs($0 - $1) < 1e-12 })
    // s² = (4 + 1 + 9) / 2 = 7.
    #expect(abs(jackknife.standardError - (7.0 / 3).squareRoot()) < 1e-12)
  }

  /// Whatever the statistic, the mean of the shares is its value: no part of it is lost as bias.
  @Test func theMeanOfTheSharesIsTheValue() throws {
    let jackknife = try #require(Jackknife(0.75, without: [0.8, 0.8, 5.0 / 7]))
    #expect(abs(try #require(mean(jackknife.shares)) - 0.75) < 1e-12)
  }

  @Test func itTakesTwoAndNumbers() {
    #expect(Jackknife(1, without: [1]) == nil)
    #expect(Jackknife(1, without: [1, .nan]) == nil)
    #expect(Jackknife(.infinity, without: [1, 1]) == nil)
  }

  /// The log odds of 0.5 are 0, of 0.6 and 0.4 ± log 1.5: shares ∓ log 1.5, whose t interval for two is
  /// ± 12.7062 · log 1.5, and 1 / (1 + e^∓5.1519) are 0.00575 and 0.99425.
  @Test func theIntervalStaysWithinTheRange() throws {
    let interval = try #require(Jackknife.interval(0.5, without: [0.6, 0.4], in: 0...1))
    #expect(abs(interval.low - 0.00575) < 1e-5 && abs(interval.high - 0.99425) < 1e-5)
    // A range from −1 is the same one stretched.
    let correlation = try #require(Jackknife.interval(0, without: [0.2, -0.2], in: -1...1))
    #expect(abs(correlation.low - (2 * interval.low - 1)) < 1e-12)
  }

  @Test func whereNobodyChangesAnythingThereIsNone() {
    #expect(Jackknife.interval(1, without: [1, 1, 1], in: 0...1) == nil)
  }

  /// Without one subject it is 1, which has no log odds: then it is Student's, cut at the range.
  @Test func atAnEndItIsAsItIs() throws {
    let interval = try #require(Jackknife.interval(0.9, without: [1, 0.85, 0.85], in: 0...1))
    #expect(interval.low >= 0 && interval.low < 0.9 && interval.high == 1)
  }
}
