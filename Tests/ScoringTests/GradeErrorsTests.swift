import Scoring
import Testing

struct GradeErrorsTests {
  /// Errors 1, −2, 0, 1 over true grades from 1 to 5.
  private let errors = GradeErrors(truth: [1, 5, 3, 2], predicted: [2, 3, 3, 3])

  @Test func meansOfTheErrors() {
    #expect(errors.meanAbsolute == 4 / 4.0)
    #expect(isClose(errors.rootMeanSquare, (6 / 4.0).squareRoot()))
    #expect(isClose(errors.relativeL2, 6 / 4.0 / (4 * 4)))
  }

  @Test func poolingTakesTheRangeOfAll() {
    let pooled = GradeErrors(truth: [1, 5], predicted: [2, 3]) + GradeErrors(truth: [3, 2], predicted: [3, 3])
    #expect(pooled == errors)
    #expect(errors + GradeErrors() == errors)
  }

  @Test func undefinedIsNoNumber() {
    #expect(GradeErrors().meanAbsolute == nil)
    #expect(GradeErrors().rootMeanSquare == nil)
    #expect(GradeErrors().relativeL2 == nil)
    #expect(GradeErrors(truth: [3, 3], predicted: [1, 2]).relativeL2 == nil)
    #expect(GradeErrors(truth: [3, 1], predicted: [.nan, 2]).meanAbsolute == nil)
    #expect(GradeErrors(truth: [3, .infinity], predicted: [1, 2]).relativeL2 == nil)
  }
}

extension GradeErrors: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.rootMeanSquareError, isSymmetric: true) { errors($0).rootMeanSquare },
    Measure(.relativeL2) { errors($0).relativeL2 },
  ]

  private static func errors(_ clips: [MeasuredClip]) -> GradeErrors {
    clips.map { GradeErrors(truth: $0.grades.truth, predicted: $0.grades.predicted) }.reduce(GradeErrors(), +)
  }
}
