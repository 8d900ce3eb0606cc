import Scoring
import Testing

struct BlandAltmanTests {
  /// Differences 1 3 5: the standard deviation is √(8 / 2).
  @Test func limitsOfIndependentDifferences() throws {
    let agreement = try #require(BlandAltman([2, 4, 6], [1, 1, 1]))
    #expect(agreement.bias == 3)
    #expect(agreement.standardDeviation == 2)
    #expect(isClose(agreement.lower, 3 - 1.96 * 2))
    #expect(isClose(agreement.upper, 3 + 1.96 * 2))
  }

  /// Means 2 and 6 about 4: between 4·(4 + 4)/... = 2·4 + 2·4 = 16 over 1, within (2 + 2) / 2 = 2. Of two differences each,
  /// (16 − 2) / 2 = 7 is between subjects: together 9.
  @Test func varianceBetweenSubjectsAddsToThatWithin() {
    let agreement = BlandAltman(differencesBySubject: [[1, 3], [5, 7]])
    #expect(agreement?.bias == 4)
    #expect(isClose(agreement?.standardDeviation, 9.0.squareRoot()))
  }

  /// Counts 1 and 3 come to (4 − 10 / 4) / 1 = 3 / 2. Means 8 and 4 about 5: 9 + 3 = 12 over 1; within 8 / 2 = 4.
  @Test func subjectsMayHaveDifferentCounts() {
    let agreement = BlandAltman(differencesBySubject: [[8], [2, 4, 6], []])
    #expect(agreement?.bias == 5)
    #expect(isClose(agreement?.standardDeviation, (4 + (12 - 4) / 1.5).squareRoot()))
  }

  /// Equal means: between subjects the estimate is (0 − 2) / 2, and taken as 0.
  @Test func varianceBetweenSubjectsIsNeverNegative() {
    let agreement = BlandAltman(differencesBySubject: [[1, 3], [3, 1]])
    #expect(isClose(agreement?.standardDeviation, 2.0.squareRoot()))
  }

  @Test func oneDifferenceASubjectIsTheSimpleMethod() {
    let differences = [1.5, -2, 0.25, 7]
    let simple = BlandAltman(differences, [0, 0, 0, 0])
    let repeated = BlandAltman(differencesBySubject: differences.map { [$0] })
    #expect(isClose(repeated?.standardDeviation, simple?.standardDeviation ?? .nan))
    #expect(repeated?.bias == simple?.bias)
  }

  @Test func undefinedIsNoNumber() {
    #expect(BlandAltman([], []) == nil)
    #expect(BlandAltman([.nan], [1]) == nil)
    #expect(BlandAltman([3], [1])?.bias == 2)
    #expect(BlandAltman([3], [1])?.upper == nil)
    #expect(BlandAltman(differencesBySubject: [[], []]) == nil)
    #expect(BlandAltman(differencesBySubject: [[1, 2]])?.lower == nil)
    #expect(BlandAltman(differencesBySubject: [[1, .infinity], [2]]) == nil)
  }
}

extension BlandAltman: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.blandAltmanBias) { limits($0)?.bias },
    Measure(.blandAltmanLower) { limits($0)?.lower },
    Measure(.blandAltmanUpper) { limits($0)?.upper },
  ]

  private static func limits(_ clips: [MeasuredClip]) -> BlandAltman? {
    BlandAltman(differencesBySubject: clips.map { zip($0.grades.predicted, $0.grades.truth).map(-) })
  }
}
