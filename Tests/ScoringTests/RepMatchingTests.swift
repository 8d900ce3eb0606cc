import PoseModel
import Scoring
import Testing

struct RepMatchingTests {
  private func matches(_ instant: RepMatching.Instant, _ truth: Rep, _ predicted: Rep) -> Bool {
    let matching = RepMatching(instant: instant, tolerance: .milliseconds(100))
    return matching.pairs(truth: [truth], predicted: [predicted]).count == 1
  }

  @Test func onlyTheChosenInstantCounts() {
    let truth = Rep(1000, 3000, turn: 1500)
    #expect(matches(.start, truth, Rep(1100, 9000, turn: 8000)))
    #expect(!matches(.start, truth, Rep(1101, 3000, turn: 1500)))
    #expect(matches(.turn, truth, Rep(0, 9000, turn: 1400)))
    #expect(!matches(.turn, truth, Rep(1000, 3000, turn: 1399)))
    #expect(matches(.end, truth, Rep(0, 2900, turn: 1)))
    #expect(!matches(.end, truth, Rep(1000, 2899, turn: 1500)))
  }

  @Test func turnThatIsNotKnownIsTheMiddle() {
    #expect(matches(.turn, Rep(1000, 3000), Rep(1000, 9000, turn: 2100)))
    #expect(!matches(.turn, Rep(1000, 3000), Rep(1000, 9000, turn: 2101)))
    #expect(matches(.turn, Rep(1000, 9000, turn: 1900), Rep(1000, 3000)))
  }

  @Test func positionsAreThoseOfTheLists() {
    let matching = RepMatching(instant: .end, tolerance: .milliseconds(100))
    let pairs = matching.pairs(
      truth: [Rep(0, 1000), Rep(2000, 3000), Rep(4000, 5000)], predicted: [Rep(0, 3050), Rep(0, 4950)])
    #expect(pairs.map(\.truth) == [1, 2])
    #expect(pairs.map(\.predicted) == [0, 1])
  }
}
