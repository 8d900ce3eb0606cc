import Statistics
import Testing

@Suite struct DifferenceOfMeansTests {
  /// Means of 2 and 5, deviations of √2 and standard errors of 1; Student's t of one degree of freedom is 12.7062. The
  /// halves combine to 12.7062 · √2 = 17.9693.
  @Test func halvesAreCombinedAsVariances() throws {
    let interval = try #require(Interval.differenceOfMeans(from: [1, 3], to: [4, 6]))
    #expect(abs(interval.low - (3 - 17.9693)) < 1e-3 && abs(interval.high - (3 + 17.9693)) < 1e-3)
    #expect(interval.level == 0.95)
  }

  @Test func equalValuesHaveNoWidth() throws {
    let interval = try #require(Interval.differenceOfMeans(from: [2, 2, 2], to: [4, 4]))
    #expect(interval.low == 2 && interval.high == 2)
  }

  @Test func aSingleValueHasNone() {
    #expect(Interval.differenceOfMeans(from: [1], to: [1, 2]) == nil)
    #expect(Interval.differenceOfMeans(from: [1, 2], to: []) == nil)
  }
}
