import Statistics
import Testing

struct PairedDifferenceTests {
  /// Mean 2, s = 1, t = 2 / (1 / √3) = √12; with two degrees of freedom p = 1 - t / √(t² + 2) = 1 - √(12 / 14).
  @Test func threeDifferences() throws {
    let difference = try #require(PairedDifference([1, 2, 3]))
    #expect(difference.count == 3)
    #expect(difference.mean == 2)
    #expect(difference.standardDeviation == 1)
    let (t, p): (Double, Double) = (12.0.squareRoot(), 1 - (12.0 / 14).squareRoot())
    #expect(try abs(#require(difference.t) - t) < 1e-14)
    #expect(try abs(#require(difference.pTwoSided) - p) < 1e-14)
    #expect(difference.interval == Interval.studentT([1, 2, 3]))
  }

  /// Student's own: the additional sleep of ten patients, mean 1.58, t = 4.06 (R's `sleep`, p = 0.002833).
  @Test func studentsSleep() throws {
    let sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]
    let difference = try #require(PairedDifference(sleep))
    #expect(abs(difference.mean - 1.58) < 1e-12)
    #expect(abs((difference.t ?? .nan) - 4.0621) < 0.00005)
    #expect(abs((difference.pTwoSided ?? .nan) - 0.002833) < 0.0000005)
    #expect(abs(difference.interval.low - 0.7001142) < 1e-7 && abs(difference.interval.high - 2.4598858) < 1e-7)
  }

  @Test func equalDifferencesHaveNoT() throws {
    let difference = try #require(PairedDifference([0.1, 0.1, 0.1]))
    #expect(difference.t == nil && difference.pTwoSided == nil)
    #expect(difference.interval == Interval(low: 0.1, high: 0.1, level: 0.95))
    #expect(PairedDifference([1]) == nil)
    #expect(PairedDifference([1, .nan]) == nil)
  }

  /// The interval holds 0 exactly where the p value is above its complement.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func intervalAndPValueAgree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let difference = try #require(PairedDifference((0..<8).map { _ in 0.7 + random.normal() }))
    let holdsZero = difference.interval.low <= 0 && 0 <= difference.interval.high
    #expect(holdsZero == ((difference.pTwoSided ?? .nan) >= 0.05))
  }
}
