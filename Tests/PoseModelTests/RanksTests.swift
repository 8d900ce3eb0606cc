import PoseModel
import TestSupport
import Testing

@Suite struct RanksTests {
  /// Against a whole sort, with values that occur several times.
  @Test func everyRankIsThatOfTheSortedValues() {
    var random = TestGenerator(seed: 7)
    for count in 1...40 {
      let values = (0..<count).map { _ in Float(random.next() % 12) - 5 }
      let sorted = values.sorted()
      for rank in 0..<count { #expect(value(ofRank: rank, in: values) == sorted[rank], "\(values), rank \(rank)") }
    }
  }

  @Test func alreadySortedValuesAreNoWorstCase() {
    let rising = (0..<100_000).map(Float.init)
    #expect(value(ofRank: 50_000, in: rising) == 50_000)
    #expect(value(ofRank: 10, in: rising.reversed()) == 10)
  }

  /// Of 1, 2, 4 and 9 the upper median is 4; what is not finite does not count.
  @Test func theMedianLeavesOutWhatIsNotFinite() {
    let values: [Float] = [9, .nan, 1, .infinity, 4, 2]
    #expect(median(of: 6) { values[$0] } == 4)
    #expect(median(of: 6, fewest: 4) { values[$0] } == 4)
    #expect(median(of: 6, fewest: 5) { values[$0] } == nil)
    #expect(median(of: 0) { values[$0] } == nil)
  }
}
