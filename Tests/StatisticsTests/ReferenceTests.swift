import Statistics
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceValues.arePresent, "there is no \(ReferenceValues.file.path) beside the checkout"))
struct ReferenceTests {
  private struct Quantiles: ReferenceCase {
    struct Given: Decodable { var values: [Double] }
    static let metric = "quantiles"
    var given: Given
    /// By the fraction below.
    var expected: [String: Double]
  }

  private struct Differences: ReferenceCase {
    struct Given: Decodable { var differences: [Double] }
    struct Expected: Decodable {
      var mean: Double
      var t: Double
      var p_two_sided: Double
      var ci95: [Double]
      var sign_flip_p_greater: Double
    }
    static let metric = "paired_difference"
    var given: Given
    var expected: Expected
  }

  private struct Proportion: ReferenceCase {
    struct Given: Decodable { var successes: Int, n: Int }
    struct Expected: Decodable { var wilson95: [Double] }
    static let metric = "proportion"
    var given: Given
    var expected: Expected
  }

  private struct MultipleComparisons: ReferenceCase {
    struct Given: Decodable { var p: [Double] }
    struct Expected: Decodable { var holm: [Double], benjamini_hochberg: [Double] }
    static let metric = "multiple_comparisons"
    var given: Given
    var expected: Expected
  }

  private func expect(_ values: [Double]?, _ expected: [Double], _ what: String, _ index: Int) {
    #expect(values?.count == expected.count, "\(what) of case \(index)")
    for (value, expected) in zip(values ?? [], expected) {
      #expect(abs(value - expected) <= 1e-9, "\(what) of case \(index)")
    }
  }

  @Test func quantilesAreThoseOfNumpy() throws {
    let cases = try ReferenceValues.cases(Quantiles.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      #expect(!reference.expected.isEmpty)
      for (fraction, expected) in reference.expected {
        let p = try #require(Double(fraction))
        let value = try #require(quantile(p, of: reference.given.values))
        #expect(abs(value - expected) <= 1e-9, "quantile \(p) of case \(index)")
      }
    }
  }

  @Test func pairedDifferencesAreThoseOfScipy() throws {
    let cases = try ReferenceValues.cases(Differences.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      let difference = try #require(PairedDifference(reference.given.differences))
      let expected = reference.expected
      expect([difference.mean], [expected.mean], "mean", index)
      expect(difference.t.map { [$0] }, [expected.t], "t", index)
      expect(difference.pTwoSided.map { [$0] }, [expected.p_two_sided], "p", index)
      expect([difference.interval.low, difference.interval.high], expected.ci95, "interval", index)
      let flips = try #require(SignFlip(reference.given.differences))
      #expect(flips.greater == expected.sign_flip_p_greater, "sign flip of case \(index)")
    }
  }

  @Test func proportionsAreThoseOfScipy() throws {
    let cases = try ReferenceValues.cases(Proportion.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      let (successes, trials) = (reference.given.successes, reference.given.n)
      let wilson = Interval.wilson(successes: successes, of: trials)
      expect(wilson.map { [$0.low, $0.high] }, reference.expected.wilson95, "Wilson", index)
    }
  }

  @Test func adjustedPValuesAreThoseOfPingouin() throws {
    let cases = try ReferenceValues.cases(MultipleComparisons.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      expect(holm(reference.given.p), reference.expected.holm, "Holm", index)
      expect(
        benjaminiHochberg(reference.given.p), reference.expected.benjamini_hochberg, "Benjamini and Hochberg", index)
    }
  }
}
