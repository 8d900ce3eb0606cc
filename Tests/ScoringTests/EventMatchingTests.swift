import PoseModel
import Scoring
import TestSupport
import Testing

/// Covers `matchEvents` and the sweep that it is made of.
struct EventMatchingTests {
  private func pairs(_ truth: [Int64], _ predicted: [Int64], within tolerance: Int64) -> [Pair] {
    matchEvents(
      truth: truth.map { Microseconds($0) }, predicted: predicted.map { Microseconds($0) },
      tolerance: Microseconds(tolerance)
    ).map { Pair(truth: $0.truth, predicted: $0.predicted) }
  }

  @Test func nothingMatchesNothing() {
    #expect(pairs([], [], within: 3).isEmpty)
    #expect(pairs([1, 2], [], within: 3).isEmpty)
    #expect(pairs([], [1, 2], within: 3).isEmpty)
  }

  @Test func exactlyTheToleranceMatchesAndOneMoreDoesNot() {
    #expect(pairs([100], [107], within: 7) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([107], [100], within: 7) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([100], [108], within: 7).isEmpty)
    #expect(pairs([108], [100], within: 7).isEmpty)
    #expect(pairs([5], [5], within: 0) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([5], [6], within: 0).isEmpty)
  }

  @Test func positionsAreThoseOfTheListsAsGivenInOrderOfTheTrueTime() {
    #expect(
      pairs([30, 10, 20], [21, 29, 11], within: 2) == [
        Pair(truth: 1, predicted: 2), Pair(truth: 2, predicted: 0), Pair(truth: 0, predicted: 1),
      ])
  }

  /// The nearest pair 10-12 would leave 0 and 20 alone.
  @Test func twoPairsAreBetterThanTheNearestOne() {
    #expect(
      pairs([0, 12], [10, 22], within: 10) == [Pair(truth: 0, predicted: 0), Pair(truth: 1, predicted: 1)])
  }

  /// 10 can only have one of them: 11 at a distance of 1, not 7 at 3.
  @Test func amongAsManyPairsTheNearerIsTaken() {
    #expect(pairs([10], [7, 11], within: 5) == [Pair(truth: 0, predicted: 1)])
    #expect(pairs([10], [9, 13], within: 5) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([7, 11], [10], within: 5) == [Pair(truth: 1, predicted: 0)])
  }

  @Test func duplicatesMatchOneToOne() {
    #expect(Set(pairs([4, 4, 4], [4, 4], within: 0).map(\.predicted)) == [0, 1])
    #expect(Set(pairs([4, 4], [5, 5, 5], within: 1).map(\.truth)) == [0, 1])
  }

  /// A chain: each instant is near the next one, but the ends are far apart.
  @Test func chainMatchesAllTheWay() {
    let chain = pairs([0, 4, 8, 12], [2, 6, 10, 14], within: 2)
    #expect(chain == (0..<4).map { Pair(truth: $0, predicted: $0) })
  }

  /// The longest times that a file can hold, 1e12 s, either side of zero.
  @Test func longestTimesDoNotOverflow() {
    let far: Int64 = 1_000_000_000_000_000_000
    #expect(pairs([-far, far, far], [far, -far, -far], within: far).count == 2)
    #expect(pairs([-far, -far, -far], [far, far, far], within: 2 * far).count == 3)
  }

  @Test(arguments: 0..<40)
  func equalsTheBestOfAllMatchings(seed: UInt64) {
    var random = TestGenerator(seed: seed)
    for _ in 0..<100 {
      let span = random.integer(0...40)
      let truth = instants(upTo: 6, span, &random)
      let predicted = instants(upTo: 6, span, &random)
      let tolerance = Int64(random.integer(0...12))
      let best = AllMatchings(truth, predicted, tolerance)
      let found = pairs(truth, predicted, within: tolerance)
      let swapped = pairs(predicted, truth, within: tolerance)
      let shown: Comment = "seed \(seed): \(truth) against \(predicted) within \(tolerance) gave \(found)"
      #expect(found.count == best.pairs, shown)
      #expect(distance(found, truth, predicted) == best.distance, shown)
      #expect(found.allSatisfy { abs(truth[$0.truth] - predicted[$0.predicted]) <= tolerance }, shown)
      #expect(Set(found.map(\.truth)).count == found.count, shown)
      #expect(Set(found.map(\.predicted)).count == found.count, shown)
      #expect(found.map { truth[$0.truth] } == found.map { truth[$0.truth] }.sorted(), shown)
      #expect(swapped.count == best.pairs, shown)
      #expect(distance(swapped, predicted, truth) == best.distance, shown)
      if best.isOnly {
        #expect(Set(swapped.map { Pair(truth: $0.predicted, predicted: $0.truth) }) == Set(found), shown)
      }
    }
  }

  /// Longer lists than all matchings could be tried of, by the textbook's table.
  @Test(arguments: 0..<40)
  func equalsTheTable(seed: UInt64) {
    var random = TestGenerator(seed: seed)
    for _ in 0..<10 {
      let span = random.integer(1...600)
      let truth = instants(upTo: 60, span, &random)
      let predicted = instants(upTo: 60, span, &random)
      let tolerance = Int64(random.integer(0...40))
      let found = pairs(truth, predicted, within: tolerance)
      let best = AlignmentTable(truth, predicted, tolerance)
      let shown: Comment = "seed \(seed): \(truth) against \(predicted) within \(tolerance)"
      #expect(found.count == best.pairs, shown)
      #expect(distance(found, truth, predicted) == best.distance, shown)
      #expect(found.allSatisfy { abs(truth[$0.truth] - predicted[$0.predicted]) <= tolerance }, shown)
    }
  }

  /// So many that a table of all pairs would not fit in memory.
  @Test(arguments: [2_000_000, 150_000, 1] as [Int64])
  func tenThousandAgainstTenThousand(apart step: Int64) {
    let truth = (0..<10_000).map { $0 * step }
    let predicted = truth.map { $0 + min(step / 3, 100_000) }
    let isDiagonal =
      pairs(truth, predicted, within: 200_000) == (0..<10_000).map { Pair(truth: $0, predicted: $0) }
    #expect(isDiagonal)
  }

  private func instants(upTo limit: Int, _ span: Int, _ random: inout TestGenerator) -> [Int64] {
    (0..<random.integer(0...limit)).map { _ in Int64(random.integer(0...span)) }
  }

  private func distance(_ pairs: [Pair], _ truth: [Int64], _ predicted: [Int64]) -> Int64 {
    pairs.reduce(0) { $0 + abs(truth[$1.truth] - predicted[$1.predicted]) }
  }
}
