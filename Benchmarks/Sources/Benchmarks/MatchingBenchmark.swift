import PoseModel
import Scoring
import Statistics

/// Maximum matching of 10,000 events with 10,000 others, each within the tolerance of many.
struct MatchingBenchmark {
  func measure() -> Row {
    var random = SeededGenerator(seed: 1)
    // Ten a second for a thousand seconds, matched within half a second: about ten others are near each.
    func instants() -> [Microseconds] {
      (0..<10_000).map { _ in Microseconds(Int64(random.index(below: 1_000_000_000))) }
    }
    let (truth, predicted) = (instants(), instants())
    var pairs = 0
    let efforts = (0..<9).map { _ in
      Effort { pairs = matchEvents(truth: truth, predicted: predicted, tolerance: Microseconds(500_000)).count }
    }
    let median = efforts.map(\.wall).sorted()[efforts.count / 2]
    return Row(
      what: "maximum matching of 10,000 events with 10,000, \(pairs) pairs", claimed: "under 50 ms",
      measured: "\((median * 1000).text(1)) ms", holds: median < 0.05)
  }
}
