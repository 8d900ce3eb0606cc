import Scoring
import TestSupport
import Testing

struct KendallTauTests {
  /// Of the 6 pairs 5 agree and 1 (3 with 2) does not.
  @Test func withoutTiesIsTheSurplusOfPairsThatAgree() {
    #expect(isClose(kendallTauB([1, 2, 3, 4], [10, 30, 20, 40]), 4 / 6.0))
    #expect(kendallTauB([1, 2, 3, 4], [4, 3, 2, 1]) == -1)
  }

  /// Pairs: (5,5) tied in a; of the 5 others 1 is tied in b, 4 agree: 4 / √(5 · 5).
  @Test func tiesOnEitherSideShrinkWhatCouldAgree() {
    #expect(isClose(kendallTauB([1, 5, 5, 7], [1, 2, 3, 3]), 4 / 5.0))
  }

  /// Both tied in the same pair: 1 of 3 pairs leaves either side, 2 agree.
  @Test func tiesOnBothSidesAreNoDisagreement() {
    #expect(kendallTauB([1, 1, 2], [3, 3, 9]) == 1)
  }

  @Test func isThatOfCountingAllPairs() {
    var random = TestGenerator(seed: 7)
    for _ in 0..<60 {
      let count = random.integer(0...40)
      let a = (0..<count).map { _ in Double(random.integer(0...6)) }
      let b = (0..<count).map { _ in Double(random.integer(0...9)) }
      var (surplus, untiedA, untiedB) = (0.0, 0.0, 0.0)
      for i in 0..<count {
        for j in 0..<i {
          let (x, y) = (a[i] - a[j], b[i] - b[j])
          surplus += x * y == 0 ? 0 : (x * y > 0 ? 1 : -1)
          untiedA += x == 0 ? 0 : 1
          untiedB += y == 0 ? 0 : 1
        }
      }
      let scale = (untiedA * untiedB).squareRoot()
      #expect(scale > 0 ? isClose(kendallTauB(a, b), surplus / scale) : kendallTauB(a, b) == nil, "\(a) \(b)")
    }
  }

  @Test func isUndefinedWithoutVariationAndForNaN() {
    #expect(kendallTauB([], []) == nil)
    #expect(kendallTauB([1], [1]) == nil)
    #expect(kendallTauB([2, 2, 2], [1, 2, 3]) == nil)
    #expect(kendallTauB([1, 2, 3], [2, 2, 2]) == nil)
    #expect(kendallTauB([1, .nan], [1, 2]) == nil)
  }

  @Test func takesManyPairsInLittleTime() {
    let values = (0..<100_000).map(Double.init)
    #expect(kendallTauB(values, values.reversed()) == -1)
  }
}
