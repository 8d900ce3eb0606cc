import Scoring
import TestSupport
import Testing

struct IntraclassCorrelationTests {
  /// Row means 2 5 5, column means 3 and 5, grand mean 4: squares between rows 2 · (4 + 1 + 1) = 12, within rows
  /// 2 + 2 + 2 = 6, between columns 3 · 2 = 6, residual 0.
  private let offset = IntraclassCorrelation([[1, 3], [4, 6], [4, 6]])

  /// Mean squares 6, 2, 6, 0.
  @Test func raterWhoIsAlwaysHigherCountsForAgreementAlone() {
    #expect(isClose(offset?.value(.oneWaySingle), 4.0 / 8))
    #expect(isClose(offset?.value(.oneWayMean), 4.0 / 6))
    let (single, mean): (Double, Double) = (6 / (6 + 2 * 2), 6 / (6 + 2))
    #expect(isClose(offset?.value(.agreementSingle), single))
    #expect(isClose(offset?.value(.agreementMean), mean))
    #expect(offset?.value(.consistencySingle) == 1)
    #expect(offset?.value(.consistencyMean) == 1)
  }

  /// Mean squares between rows 0 and residual 1: [1, 2] and [2, 1] have the same mean of rows and columns.
  @Test func ratersWhoContradictAreBelowZero() {
    let ratings = IntraclassCorrelation([[1, 2], [2, 1]])
    #expect(ratings?.value(.consistencySingle) == -1)
    #expect(ratings?.value(.consistencyMean) == nil)
    #expect(ratings?.value(.agreementSingle) == nil)
  }

  /// F = 6 / 2 = 3 with quantiles of 2 and 4: bounds (3 / 2 − 1) / (3 / 2 + 1) and (12 − 1) / (12 + 1).
  @Test func boundsFollowFromTheQuantiles() throws {
    var asked: [[Double]] = []
    let single = try #require(
      offset?.interval(.oneWaySingle, level: 0.9) {
        asked.append([$0, $1, $2])
        return $1 == 2 ? 2 : 4
      })
    #expect(asked == [[0.95, 2, 3], [0.95, 3, 2]])
    #expect(isClose(single.low, 1 / 5.0))
    #expect(isClose(single.high, 11 / 13.0))
    let mean = try #require(offset?.interval(.oneWayMean, level: 0.9) { _, numerator, _ in numerator == 2 ? 2 : 4 })
    #expect(isClose(mean.low, 1 - 2 / 3.0))
    #expect(isClose(mean.high, 1 - 1 / 12.0))
  }

  @Test func withoutErrorThereIsNoInterval() {
    #expect(offset?.interval(.consistencySingle, fQuantile: FDistribution.quantile) == nil)
    #expect(offset?.interval(.agreementMean, fQuantile: FDistribution.quantile) == nil)
  }

  @Test func intervalHoldsTheValueAndGrowsWithTheLevel() throws {
    var random = TestGenerator(seed: 11)
    for _ in 0..<5 {
      let ratings = (0..<6).map { _ in
        let grade = Double(random.integer(1...9))
        return (0..<3).map { _ in grade + Double(random.integer(-20...20)) / 10 }
      }
      let correlation = try #require(IntraclassCorrelation(ratings))
      for form in IntraclassCorrelation.Form.allCases {
        let value = try #require(correlation.value(form))
        let narrow = try #require(correlation.interval(form, level: 0.8, fQuantile: FDistribution.quantile))
        let wide = try #require(correlation.interval(form, level: 0.95, fQuantile: FDistribution.quantile))
        #expect(wide.low < narrow.low && narrow.low < value, "\(form.rawValue) of \(ratings)")
        #expect(value < narrow.high && narrow.high < wide.high && wide.high <= 1, "\(form.rawValue) of \(ratings)")
      }
    }
  }

  /// F of 1 and 1 degrees is tan²: its quantile at 3 / 4 is tan²(3π / 8) = (1 + √2)². And of 2 and 2, F / (1 + F).
  @Test func quantilesOfTheTestAreRight() {
    let root = 1 + 2.0.squareRoot()
    #expect(isClose(FDistribution.quantile(0.75, 1, 1), root * root, within: 1e-6))
    #expect(isClose(FDistribution.quantile(0.975, 2, 2), 39, within: 1e-6))
  }

  @Test func undefinedIsNoNumber() {
    #expect(IntraclassCorrelation([]) == nil)
    #expect(IntraclassCorrelation([[1, 2]]) == nil)
    #expect(IntraclassCorrelation([[1], [2]]) == nil)
    #expect(IntraclassCorrelation([[1, 2], [2]]) == nil)
    #expect(IntraclassCorrelation([[1, 2], [2, .nan]]) == nil)
    let constant = IntraclassCorrelation([[3, 3], [3, 3]])
    #expect(IntraclassCorrelation.Form.allCases.allSatisfy { constant?.value($0) == nil })
  }
}

extension IntraclassCorrelation: CheckedFunctions {
  static let measures: [Measure] = IntraclassCorrelation.Form.allCases.map { form in
    Measure(.intraclassCorrelation(form), isSymmetric: true) {
      IntraclassCorrelation($0.flatMap(\.ratings))?.value(form)
    }
  }
}
