import Scoring
import Testing

struct CohenKappaTests {
  /// Of the grades 1 1 2 3 and 1 2 2 1; expected disagreement from 2 1 1 times 2 2 0.
  private let a = [1, 1, 2, 3]
  private let b = [1, 2, 2, 1]

  /// 2 of 4 differ; by chance 2·2 + 1·2 + 1·4 = 10 of 16.
  @Test func anyDifferenceCountsTheSame() {
    #expect(isClose(cohenKappa(a, b, labels: [1, 2, 3]), 1 - (2 / 4.0) / (10 / 16.0)))
  }

  /// 1 + 2 steps; by chance 2·2·1 + 1·2·1 + 1·2·2 + 1·2·1 = 12.
  @Test func linearCountsSteps() {
    #expect(isClose(cohenKappa(a, b, labels: [1, 2, 3], weighting: .linear), 1 - (3 / 4.0) / (12 / 16.0)))
  }

  /// 1 + 4; by chance 4 + 2 + 8 + 2 = 16.
  @Test func quadraticCountsTheirSquares() {
    #expect(isClose(cohenKappa(a, b, labels: [1, 2, 3], weighting: .quadratic), 1 - (5 / 4.0) / (16 / 16.0)))
  }

  /// Between 1 and 3 a label that nobody gave makes two steps of one.
  @Test func labelsThatNobodyGaveCount() {
    let (one, other) = ([1, 1, 2, 3], [1, 2, 2, 3])
    let full = cohenKappa(one, other, labels: [1, 2, 0, 3], weighting: .linear)
    let short = cohenKappa(one, other, labels: [1, 2, 3], weighting: .linear)
    #expect(full != short)
    #expect(cohenKappa(one, other, labels: [1, 2, 0, 3]) == cohenKappa(one, other, labels: [1, 2, 3]))
  }

  @Test func undefinedIsNoNumber() {
    #expect(cohenKappa([Int](), [], labels: [1, 2]) == nil)
    #expect(cohenKappa([2, 2], [2, 2], labels: [1, 2]) == nil)
    #expect(cohenKappa([1, 2], [1, 9], labels: [1, 2]) == nil)
    #expect(cohenKappa(["yes", "yes"], ["no", "no"], labels: ["no", "yes"]) == 0)
  }
}

extension CohenKappa: CheckedFunctions {
  static let measures: [Measure] = KappaWeighting.allCases.map { weighting in
    Measure(.cohenKappa(weighting), isSymmetric: true) {
      cohenKappa(
        $0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted), labels: [1, 2, 3, 4, 5], weighting: weighting)
    }
  }
}
