import PoseModel
import Scoring
import TestSupport
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

/// Covers the matching of turning points with the reps that they lie in.
struct TurnInsideMatchingTests {
  private func pairs(_ truth: [Rep], _ predicted: [Rep]) -> [Pair] {
    RepMatching.turnInside.pairs(truth: truth, predicted: predicted).map {
      Pair(truth: $0.truth, predicted: $0.predicted)
    }
  }

  /// The label ends in the pause, 2 s after the prediction.
  @Test func endsDoNotMatter() {
    #expect(
      pairs([Rep(0, 4000), Rep(4000, 8000)], [Rep(500, 2000), Rep(4500, 6000)]) == [
        Pair(truth: 0, predicted: 0), Pair(truth: 1, predicted: 1),
      ])
  }

  /// A counter that reports reps from one end to the next, without a turn: the middle of 0 to 5 s lies in the pause after
  /// the label, but the label's middle lies in the prediction.
  @Test func aPredictionWithoutATurnMayContainTheRep() {
    #expect(pairs([Rep(0, 2000)], [Rep(0, 5000)]) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([Rep(0, 2000)], [Rep(0, 5000, turn: 2500)]) == [])
    #expect(pairs([Rep(0, 2000), Rep(5000, 7000)], [Rep(0, 9000)]).count == 1)
  }

  @Test func aTurnOutsideDoesNotMatch() {
    #expect(pairs([Rep(1000, 2000)], [Rep(0, 3000, turn: 999)]) == [])
    #expect(pairs([Rep(1000, 2000)], [Rep(0, 3000, turn: 2001)]) == [])
    #expect(pairs([Rep(1000, 2000)], [Rep(2100, 3000)]) == [])
    #expect(pairs([Rep(1000, 2000)], [Rep(0, 9000, turn: 1000)]) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([Rep(1000, 2000)], [Rep(0, 9000, turn: 2000)]) == [Pair(truth: 0, predicted: 0)])
  }

  /// Of two predictions in one rep the one nearer to its turn matches.
  @Test func oneRepTakesOnePrediction() {
    #expect(
      pairs([Rep(0, 4000, turn: 3000)], [Rep(0, 2000), Rep(2000, 4100)]) == [Pair(truth: 0, predicted: 1)])
  }

  /// The only turn of the second rep lies on its start, where the first rep ends: both match with the first rep's own.
  @Test func aTurnOnABoundaryIsLeftToTheRepThatNeedsIt() {
    #expect(
      pairs([Rep(0, 2000), Rep(2000, 4000)], [Rep(1000, 3000), Rep(500, 1000)]) == [
        Pair(truth: 0, predicted: 1), Pair(truth: 1, predicted: 0),
      ])
  }
}

/// Covers `matchSpans`, by which reps match that overlap.
struct OverlapMatchingTests {
  private func pairs(_ truth: [Rep], _ predicted: [Rep], _ overlap: Double) -> [Pair] {
    RepMatching(overlap: overlap).pairs(truth: truth, predicted: predicted).map {
      Pair(truth: $0.truth, predicted: $0.predicted)
    }
  }

  /// 500 ms of 1000 are a half; 499 are not.
  @Test func exactlyTheOverlapMatches() {
    #expect(pairs([Rep(0, 1000)], [Rep(0, 500)], 0.5) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([Rep(0, 1000)], [Rep(0, 499)], 0.5) == [])
    #expect(pairs([Rep(0, 1000)], [Rep(0, 1000)], 1) == [Pair(truth: 0, predicted: 0)])
    #expect(pairs([Rep(0, 1000)], [Rep(0, 1001)], 1) == [])
  }

  /// Ends 0.7 s late, which a tolerance of 0.5 s refuses: 2.0 s of 2.7 s overlap.
  @Test func repsThatEndByAnotherConventionMatch() {
    let (truth, predicted) = ([Rep(1000, 3000), Rep(4000, 6000)], [Rep(1000, 3700), Rep(4000, 6700)])
    #expect(RepMatching(instant: .end, tolerance: .milliseconds(500)).pairs(truth: truth, predicted: predicted).isEmpty)
    #expect(pairs(truth, predicted, 0.5) == [Pair(truth: 0, predicted: 0), Pair(truth: 1, predicted: 1)])
  }

  /// The first prediction overlaps the first rep most (700 of 1500), but the second has no other.
  @Test func asManyMatchAsPossible() {
    #expect(
      pairs([Rep(0, 1000), Rep(1000, 2000)], [Rep(300, 1500), Rep(0, 900)], 0.25)
        == [Pair(truth: 0, predicted: 1), Pair(truth: 1, predicted: 0)])
  }

  /// Of two that match, 800 of 1000 and 900 of 1000, the nearer.
  @Test func amongAsManyTheLargerOverlap() {
    #expect(pairs([Rep(0, 1000)], [Rep(0, 800), Rep(0, 900)], 0.5) == [Pair(truth: 0, predicted: 1)])
    #expect(pairs([Rep(0, 800), Rep(0, 900)], [Rep(0, 1000)], 0.5) == [Pair(truth: 1, predicted: 0)])
  }

  /// A counter that reports an end only has no span to overlap by.
  @Test func aRepWithoutLengthMatchesNothing() {
    #expect(pairs([Rep(0, 1000)], [Rep(1000, 1000)], 0.1) == [])
    #expect(pairs([Rep(500, 500)], [Rep(500, 500)], 0.1) == [])
    #expect(pairs([], [Rep(0, 1000)], 0.1) == [])
  }

  /// Against every matching there is, of stretches that overlap others of their own kind.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func equalsTheBestOfAllMatchings(seed: UInt64) {
    var random = TestGenerator(seed: seed)
    func spans() -> [Segment] {
      (0..<random.integer(0...5)).map { _ in
        let start = random.integer(0...20)
        return Segment(start, start + random.integer(0...12), "")
      }
    }
    for _ in 0..<20 {
      let (truth, predicted) = (spans(), spans())
      let overlap = Double(random.integer(1...8)) / 10
      let found = matchSpans(truth: truth, predicted: predicted, overlap: overlap)
      var best = (pairs: 0, sum: 0.0)
      func extend(_ next: Int, _ free: Set<Int>, _ pairs: Int, _ sum: Double) {
        guard next < truth.count else {
          if pairs > best.pairs || pairs == best.pairs && sum > best.sum { best = (pairs, sum) }
          return
        }
        extend(next + 1, free, pairs, sum)
        for other in free {
          let shared = truth[next].intersectionOverUnion(predicted[other])
          if shared > 0, shared >= overlap { extend(next + 1, free.subtracting([other]), pairs + 1, sum + shared) }
        }
      }
      extend(0, Set(predicted.indices), 0, 0)
      let sum = found.reduce(0) { $0 + truth[$1.truth].intersectionOverUnion(predicted[$1.predicted]) }
      let shown: Comment = "seed \(seed): \(truth) against \(predicted) by \(overlap)"
      #expect(found.count == best.pairs && abs(sum - best.sum) < 1e-9, shown)
      #expect(Set(found.map(\.truth)).count == found.count && Set(found.map(\.predicted)).count == found.count, shown)
      #expect(found.map(\.truth) == found.map(\.truth).sorted(), shown)
    }
  }

  @Test func tenThousandAgainstTenThousand() {
    let truth = (0..<10_000).map { Rep($0 * 1000, $0 * 1000 + 900) }
    let isDiagonal =
      pairs(truth, truth.map { Rep(start: $0.start, end: $0.end + .milliseconds(50)) }, 0.5)
      == truth.indices.map { Pair(truth: $0, predicted: $0) }
    #expect(isDiagonal)
  }

  @Test func itSaysWhatAMatchIs() throws {
    #expect(RepMatching(overlap: 0.5).words("its") == "with an overlap of at least 0.5")
    #expect(RepMatching(instant: .turn, tolerance: .milliseconds(250)).words("their") == "within 0.25 s of their turn")
    let metrics = RepEventMetrics(matching: RepMatching(overlap: 0.5))
    // The ends of reps that overlap may be any time apart; here 700 ms.
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(reps: [Rep(1000, 3000)]), Prediction(reps: [.init(1000, 3700)]))])
    #expect(try values["reps.f1"] == 1)
    #expect(try values["reps.timing-bias"] == 700)
    #expect(metrics.metrics.first { $0.name == "reps.timing-error" }?.range == 0...(.infinity))
    // Strokes are instants: nothing to overlap.
    #expect(
      !MetricFamilies.families(for: .everything(matching: RepMatching(overlap: 0.5))).contains { $0 is StrokeMetrics })
  }
}
