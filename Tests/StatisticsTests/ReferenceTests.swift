import Statistics
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

  private struct PairedDifference: ReferenceCase {
    struct Given: Decodable { var differences: [Double] }
    struct Expected: Decodable { var mean: Double, ci95: [Double] }
    static let metric = "paired_difference"
    var given: Given
    var expected: Expected
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

  @Test func intervalsAreThoseOfScipy() throws {
    let cases = try ReferenceValues.cases(PairedDifference.self)
    #expect(!cases.isEmpty)
    for (index, reference) in cases.enumerated() {
      let differences = reference.given.differences
      let interval = try #require(Interval.studentT(differences))
      #expect(abs(try #require(mean(differences)) - reference.expected.mean) <= 1e-9, "mean of case \(index)")
      #expect(abs(interval.low - (try #require(reference.expected.ci95.first))) <= 1e-9, "low end of case \(index)")
      #expect(abs(interval.high - (try #require(reference.expected.ci95.last))) <= 1e-9, "high end of case \(index)")
    }
  }
}
