import PoseModel
import Scoring
import Statistics

/// 10,000 BCa resamples of a suite of 1,000 clips, each of its own subject, with all metrics of a counter whose tallies
/// are sums.
struct BootstrapBenchmark {
  private static let clips = 1_000
  private static let resamples = 10_000

  func measure() -> Row {
    var random = SeededGenerator(seed: 1)
    // Of each clip: error, its size, whether it is 0 and at most 1, over the count and the count + 0.1; reps matched,
    // predicted and true; sums of their distances.
    var sums = ClusterSums(clusters: Self.clips, width: 11)
    for clip in 0..<Self.clips {
      let truth = Double(5 + random.index(below: 10))
      let error = Double(random.index(below: 5)) - 2
      let matched = truth - Double(random.index(below: 3))
      sums.add(
        [
          1, error, abs(error), error == 0 ? 1 : 0, abs(error) <= 1 ? 1 : 0, abs(error) / truth,
          abs(error) / (truth + 0.1), matched, truth + error, truth, matched * 100 * random.unit(),
        ], to: clip)
    }
    func share(_ part: Int, _ whole: Int) -> ([Double]) -> Double? {
      { $0[whole] > 0 ? $0[part] / $0[whole] : nil }
    }
    let statistics: [([Double]) -> Double?] =
      (1...6).map { share($0, 0) } + [share(7, 8), share(7, 9), { 2 * $0[7] / ($0[8] + $0[9]) }, share(10, 7)]
    let bootstrap = ClusterBootstrap(resamples: Self.resamples)
    var intervals = 0
    let effort = Effort {
      let estimates = bootstrap.estimates(sums, using: &random, statistics: statistics)
      intervals = estimates.count { $0?.interval != nil }
    }
    return Row(
      what: "\(Self.resamples) BCa resamples of \(Self.clips) clips, \(intervals) metrics", claimed: "under 1 s",
      measured: "\(effort.wall.text(2)) s (CPU \(effort.cpu.text(2)) s)",
      holds: effort.wall < 1 && intervals == statistics.count)
  }
}
