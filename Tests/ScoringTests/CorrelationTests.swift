import Scoring
import TestSupport
import Testing

struct RankCorrelationTests {
  @Test func ranksOfDistinctValues() {
    #expect(ranks([30, -10, 20, 0]) == [4, 1, 3, 2])
    #expect(ranks([]) == [])
    #expect(ranks([7]) == [1])
  }

  /// The ranks 2 and 3 make 5 / 2 each; 4, 5 and 6 make 5 each.
  @Test func tiesShareTheMeanOfTheirRanks() {
    #expect(ranks([5, 9, 5, 1, 9, 9]) == [2.5, 5, 2.5, 1, 5, 5])
    #expect(ranks([4, 4]) == [1.5, 1.5])
  }

  /// Means 2 and 3: Σab = 1·2 + 0 + 1·1 = 3, Σaa = 2, Σbb = 4 + 1 + 1 = 6.
  @Test func pearsonOfThreePairs() {
    #expect(isClose(pearson([1, 2, 3], [1, 4, 4]), 3 / (2.0 * 6).squareRoot()))
  }

  @Test func straightLinesCorrelateFully() {
    let a = [0.3, 1.1, 7.9, -4, 2.25]
    #expect(isClose(pearson(a, a.map { 3 * $0 + 1 }), 1))
    #expect(isClose(pearson(a, a.map { -0.1 * $0 + 1 }), -1))
  }

  /// Without ties ρ = 1 - 6 Σd² / (n (n² - 1)), here with d = 1, 1, 2, 0, 2.
  @Test func spearmanWithoutTies() {
    #expect(isClose(spearman([1, 2, 3, 4, 5], [2, 1, 5, 4, 3].map { $0 * $0 }), 1 - 6 * 10 / 120.0))
  }

  /// Ranks 1½ 1½ 3 and 1 2 3: Σab = 3 / 2, Σaa = 3 / 2, Σbb = 2.
  @Test func spearmanWithTies() {
    #expect(isClose(spearman([5, 5, 6], [1, 2, 3]), 1.5 / (1.5 * 2).squareRoot()))
  }

  @Test func spearmanIsThatOfAnyIncreasingFunction() {
    let a = [0.3, 1.1, 7.9, -4, 2.25, 1.2]
    let b = [3.0, 1, 4, 1, 5, 9]
    #expect(spearman(a, b) == spearman(a.map { $0 * $0 * $0 }, b))
    #expect(spearman(a, b) == spearman(b, a))
    #expect(isClose(spearman(a, b), -(spearman(a.map { -$0 }, b) ?? .nan)))
  }

  @Test func infinityIsARankLikeAnyOther() {
    #expect(spearman([1, 2, .infinity], [1, 2, 3]) == spearman([1, 2, 3], [1, 2, 3]))
  }

  @Test func fewerThanTwoPairsAreUndefined() {
    #expect(pearson([], []) == nil)
    #expect(spearman([], []) == nil)
    #expect(pearson([1], [2]) == nil)
    #expect(spearman([1], [2]) == nil)
  }

  /// 0.1 + 0.1 + 0.1 is not 3 · 0.1 in doubles, so equal values differ from their mean.
  @Test func sideThatDoesNotVaryIsUndefined() {
    #expect(pearson([0.1, 0.1, 0.1], [1, 2, 3]) == nil)
    #expect(pearson([1, 2, 3], [0.1, 0.1, 0.1]) == nil)
    #expect(spearman([0.1, 0.1, 0.1], [1, 2, 3]) == nil)
    #expect(spearman([1, 2, 3], [7, 7, 7]) == nil)
  }

  @Test func whatIsNoNumberIsUndefined() {
    #expect(pearson([1, 2, .nan], [1, 2, 3]) == nil)
    #expect(pearson([1, 2, .infinity], [1, 2, 3]) == nil)
    #expect(pearson([1, 2, 1e200], [1, 2, 3]) == nil)
    #expect(spearman([1, 2, .nan], [1, 2, 3]) == nil)
    #expect(spearman([1, 2, 3], [.nan, 2, 3]) == nil)
  }
}

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

extension Correlation: CheckedFunctions {
  static let measures: [Measure] = [
    Measure(.pearson, isSymmetric: true) { pearson($0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted)) },
    Measure(.kendallTauB, isSymmetric: true) {
      kendallTauB($0.flatMap(\.grades.truth), $0.flatMap(\.grades.predicted))
    },
  ]
}
