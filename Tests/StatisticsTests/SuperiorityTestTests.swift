import Testing

@testable import Statistics

@Suite struct SuperiorityTestTests {
  /// 1, 2, 3, 4, 5, 6: the mean is 3.5 / (1.8708 / √6) = 4.583 standard errors above 0, of which t with 5 degrees of freedom
  /// has 0.00296 above.
  @Test func studentsTest() throws {
    let sample = try #require(SuperiorityTest([1, 2, 3, 4, 5, 6]))
    #expect(abs(sample.t(above: 0) - 4.5826) < 1e-4)
    #expect(abs(sample.p(meanAbove: 0) - 0.00296) < 1e-5)
    #expect(sample.p(meanAbove: 3.5) == 0.5 && abs(sample.p(meanAbove: 7) - (1 - 0.00296)) < 1e-5)
  }

  /// One of twelve, and eleven that are 0: mean and standard error are 1 / 12.
  @Test func oneMoreGainIsAsIfItHadBeenThere() throws {
    let sample = try #require(SuperiorityTest([Double](repeating: 0, count: 11))).adding(1)
    #expect(sample.count == 12)
    #expect(abs(sample.mean - 1.0 / 12) < 1e-15 && abs(sample.standardError - 1.0 / 12) < 1e-15)
    let other = try #require(SuperiorityTest([4, -1, 2.5])).adding(7)
    let whole = try #require(SuperiorityTest([4, -1, 2.5, 7]))
    #expect(abs(other.mean - whole.mean) < 1e-12 && abs(other.standardError - whole.standardError) < 1e-12)
  }

  @Test func equalGainsHaveNoStandardError() throws {
    let sample = try #require(SuperiorityTest([1, 1, 1]))
    #expect(sample.t(above: 0) == .infinity && sample.t(above: 1) == 0 && sample.t(above: 2) == -.infinity)
    #expect(sample.standardError == 0)
  }

  @Test func whatIsNotFiniteOrOneIsNoSample() {
    #expect(SuperiorityTest([1]) == nil)
    #expect(SuperiorityTest([1, .nan]) == nil)
    #expect(SuperiorityTest([1, .infinity]) == nil)
  }
}
