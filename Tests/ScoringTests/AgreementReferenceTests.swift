import Scoring
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceValues.arePresent, "there is no \(ReferenceValues.file.path) beside the checkout"))
struct AgreementReferenceTests {
  private struct Correlation: ReferenceCase {
    struct Given: Decodable { var truth: [Double], predicted: [Double] }
    struct Expected: Decodable {
      enum CodingKeys: String, CodingKey { case kendall = "kendall_tau_b" }
      var kendall: Double?
    }
    static let metric = "correlation"
    var given: Given
    var expected: Expected
  }

  private struct Kappa: ReferenceCase {
    struct Given: Decodable { var a: [Int], b: [Int], labels: [Int] }
    static let metric = "weighted_kappa"
    var given: Given
    var expected: [String: Double]
  }

  private struct Intraclass: ReferenceCase {
    struct Given: Decodable { var ratings: [[Double]] }
    struct Expected: Decodable { var value: Double, ci95: [Double] }
    static let metric = "icc"
    var given: Given
    var expected: [String: Expected]
  }

  private struct Alpha: ReferenceCase {
    struct Given: Decodable { var ratings: [[Double?]] }
    static let metric = "krippendorff_alpha"
    var given: Given
    var expected: [String: Double]
  }

  private struct Limits: ReferenceCase {
    struct Given: Decodable { var a: [Double], b: [Double] }
    struct Expected: Decodable { var bias: Double, sd: Double, lower: Double, upper: Double }
    static let metric = "bland_altman"
    var given: Given
    var expected: Expected
  }

  @Test func kendallIsThatOfScipy() throws {
    for reference in try cases(Correlation.self) {
      expect(kendallTauB(reference.given.truth, reference.given.predicted), reference.expected.kendall, "tau")
    }
  }

  @Test func kappaIsThatOfScikitLearn() throws {
    for reference in try cases(Kappa.self) {
      let given = reference.given
      for weighting in KappaWeighting.allCases {
        let kappa = cohenKappa(given.a, given.b, labels: given.labels, weighting: weighting)
        expect(kappa, reference.expected[weighting.rawValue], "\(weighting)")
      }
    }
  }

  @Test func intraclassCorrelationIsThatOfPingouin() throws {
    for reference in try cases(Intraclass.self) {
      let correlation = try #require(IntraclassCorrelation(reference.given.ratings))
      for form in IntraclassCorrelation.Form.allCases {
        let expected = try #require(reference.expected[form.rawValue])
        expect(correlation.value(form), expected.value, "\(form.rawValue)")
        let interval = try #require(correlation.interval(form, fQuantile: FDistribution.quantile))
        #expect([interval.low, interval.high].map { ($0 * 100).rounded() / 100 } == expected.ci95, "\(form.rawValue)")
      }
    }
  }

  @Test func alphaIsThatOfKrippendorff() throws {
    for reference in try cases(Alpha.self) {
      for level in MeasurementLevel.allCases {
        expect(krippendorffAlpha(reference.given.ratings, level: level), reference.expected[level.rawValue], "\(level)")
      }
    }
  }

  @Test func limitsAreThoseOfNumpy() throws {
    for reference in try cases(Limits.self) {
      let limits = BlandAltman(reference.given.a, reference.given.b)
      expect(limits?.bias, reference.expected.bias, "bias")
      expect(limits?.standardDeviation, reference.expected.sd, "standard deviation")
      expect(limits?.lower, reference.expected.lower, "lower limit")
      expect(limits?.upper, reference.expected.upper, "upper limit")
    }
  }

  private func cases<Case: ReferenceCase>(_: Case.Type) throws -> [Case] {
    let cases = try ReferenceValues.cases(Case.self)
    #expect(!cases.isEmpty)
    return cases
  }

  private func expect(_ value: Double?, _ expected: Double?, _ name: Comment) {
    #expect(expected.map { isClose(value, $0, within: 1e-9) } ?? (value == nil), name)
  }
}
