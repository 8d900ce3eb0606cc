import Scoring
import Testing

struct MeasurementErrorTests {
  /// Row means 2 5 5, column means 3 and 5: mean squares between columns 6 and residual 0, so the raters' variance is
  /// (6 − 0) / 3 = 2.
  @Test func raterWhoIsAlwaysHigherIsAnErrorOfAgreementAlone() throws {
    let offset = try #require(IntraclassCorrelation([[1, 3], [4, 6], [4, 6]]))
    #expect(isClose(offset.standardError(.agreement), 2.0.squareRoot()))
    #expect(isClose(offset.detectableChange(.agreement), 1.96 * 2))
    #expect(isClose(offset.standardError(.consistency), 0))
    #expect(isClose(offset.detectableChange(.consistency), 0))
  }

  /// Raters with the same mean: columns 0, residual 1. Their variance would be negative, and is 0.
  @Test func aNegativeVarianceIsNone() throws {
    let ratings = try #require(IntraclassCorrelation([[1, 2], [2, 1]]))
    #expect(isClose(ratings.standardError(.agreement), 1) && isClose(ratings.standardError(.consistency), 1))
  }

  /// The ratings of Shrout and Fleiss, 1979, table 2. Mean squares by NumPy 11.24167, 32.48611 and 1.01944, with which
  /// `pingouin.intraclass_corr` has ICC(A,1) 0.289764; SEM √((32.48611 − 1.01944) / 6 + 1.01944) and √1.01944.
  @Test func errorsOfShroutAndFleiss() throws {
    let ratings = try #require(
      IntraclassCorrelation([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]))
    #expect(isClose(ratings.value(.agreementSingle), 0.289764, within: 1e-6))
    #expect(isClose(ratings.standardError(.agreement), 2.502776236280201))
    #expect(isClose(ratings.standardError(.consistency), 1.0096754153907306))
    #expect(isClose(ratings.detectableChange(.agreement), 6.937341789987799))
    #expect(isClose(ratings.detectableChange(.consistency), 2.798677465438909))
  }
}

extension MeasurementError: CheckedFunctions {
  static let measures: [Measure] =
    allCases.map { error in
      Measure(.standardErrorOfMeasurement(error), isSymmetric: true) {
        IntraclassCorrelation($0.flatMap(\.ratings))?.standardError(error)
      }
    }
    + allCases.map { error in
      Measure(.minimalDetectableChange(error), isSymmetric: true) {
        IntraclassCorrelation($0.flatMap(\.ratings))?.detectableChange(error)
      }
    }
}
