import RealModule
import Statistics
import Testing

struct ClusterBootstrapTests {
  private func sums(_ rows: [[Double]]) -> ClusterSums {
    var sums = ClusterSums(clusters: rows.count, width: rows.first?.count ?? 0)
    for (cluster, row) in rows.enumerated() { sums.add(row, to: cluster) }
    return sums
  }

  private func estimate(_ rows: [[Double]], seed: UInt64 = 1, _ statistic: ([Double]) -> Double?) -> BootstrapEstimate?
  {
    var random = SeededGenerator(seed: seed)
    return ClusterBootstrap(resamples: 4000).estimate(sums(rows), using: &random, statistic: statistic)
  }

  @Test func addsUpByCluster() {
    var sums = ClusterSums(clusters: 2, width: 2)
    sums.add([1, 2], to: 1)
    sums.add([10, 20], to: 0)
    sums.add([3, 4], to: 1)
    #expect(sums.values == [10, 20, 4, 6])
    #expect(sums.total == [14, 26])
  }

  /// Both ways of stating a statistic draw the same clusters from the same seed.
  @Test func countsAndSumsAgree() throws {
    let rows: [[Double]] = [[3, 4], [1, 2], [0, 2], [5, 5], [2, 6], [1, 1]]
    var random = SeededGenerator(seed: 11)
    let bySums = ClusterBootstrap(resamples: 2000).estimate(sums(rows), using: &random) { $0[0] / $0[1] }
    random = SeededGenerator(seed: 11)
    let byCounts = ClusterBootstrap(resamples: 2000).estimate(clusters: 6, using: &random) { counts in
      var (hits, all) = (0.0, 0.0)
      for (count, row) in zip(counts, rows) {
        hits += Double(count) * row[0]
        all += Double(count) * row[1]
      }
      return hits / all
    }
    #expect(try #require(bySums).value == 12 / 20.0)
    #expect(bySums?.interval != nil)
    #expect(bySums == byCounts)
    random = SeededGenerator(seed: 11)
    let both = ClusterBootstrap(resamples: 2000)
      .estimates(sums(rows), using: &random, statistics: [{ _ in nil }, { $0[0] / $0[1] }])
    #expect(both == [nil, bySums])
  }

  /// The mean of 400 normal values: bias and skewness are near 0, so the interval is near the t interval's. Its ends'
  /// own error at 4,000 resamples is near 0.04 standard errors of the mean.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func ofAMeanIsNearTheTInterval(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<400).map { _ in random.normal() }
    let interval = try #require(estimate(values.map { [$0] }, seed: seed) { $0[0] / 400 }?.interval)
    let expected = try #require(Interval.studentT(values))
    let standardError = (expected.high - expected.low) / 3.92
    #expect(abs(interval.low - expected.low) < 0.25 * standardError)
    #expect(abs(interval.high - expected.high) < 0.25 * standardError)
  }

  /// The mean of 40 exponential values is skewed, and so is what is known of it.
  @Test func skewedMeanReachesFartherUp() throws {
    var random = SeededGenerator(seed: 3)
    let rows = (0..<40).map { _ in [-Double.log(1 - random.unit())] }
    let made = try #require(estimate(rows) { $0[0] / 40 })
    let interval = try #require(made.interval)
    #expect(interval.high - made.value > 1.1 * (made.value - interval.low))
  }

  /// Ten identical clips in each of 20 clusters are 20 values and not 200.
  @Test func clipsOfAClusterAreNotIndependent() throws {
    var random = SeededGenerator(seed: 8)
    let values = (0..<20).map { _ in random.normal() }
    let once = try #require(estimate(values.map { [$0, 1] }) { $0[0] / $0[1] }?.interval)
    let tenfold = try #require(estimate(values.map { [10 * $0, 10] }) { $0[0] / $0[1] }?.interval)
    #expect(abs(once.low - tenfold.low) < 1e-12 && abs(once.high - tenfold.high) < 1e-12)
  }

  @Test func refusals() throws {
    #expect(estimate([[1, 0], [2, 0]]) { $0[1] == 0 ? nil : $0[0] / $0[1] } == nil)
    #expect(estimate([]) { _ in 1 }?.refusal == .tooFewClusters)
    #expect(estimate([[1]]) { $0[0] }?.refusal == .tooFewClusters)
    #expect(estimate([[1, 0], [2, 0], [3, 1]]) { $0[1] == 0 ? nil : $0[0] / $0[1] }?.interval == nil)
    let one = (0..<30).map { [1.0, $0 == 4 ? 1 : 0] }
    let resting = try #require(estimate(one) { $0[1] == 0 ? nil : $0[0] / $0[1] })
    // Without the one cluster it is undefined in (29 / 30)³⁰ of the resamples, 36 %.
    #expect(abs(Double(resting.undefined) / 4000 - 0.362) < 0.03)
    guard case .undefined(let share) = resting.refusal else {
      Issue.record("\(resting)")
      return
    }
    #expect(share == Double(resting.undefined) / 4000)
    var lenient = ClusterBootstrap(resamples: 4000, largestUndefinedShare: 0.5)
    var random = SeededGenerator(seed: 1)
    let allowed = lenient.estimate(sums(one), using: &random) { $0[1] == 0 ? nil : $0[0] / $0[1] }
    #expect(allowed?.refusal == .restsOnOneCluster)
    lenient.resamples = 0
    #expect(lenient.estimate(sums(one), using: &random) { $0[0] }?.interval == nil)
  }

  /// The largest value is at the edge of everything that resampling gives: half of those equal to it count as below,
  /// but a statistic that is larger on the sample than on any resample has no bias correction.
  @Test func valueBeyondAllResamplesIsRefused() throws {
    var random = SeededGenerator(seed: 1)
    let made = ClusterBootstrap(resamples: 500).estimate(clusters: 12, using: &random) { counts in
      counts.allSatisfy { $0 == 1 } ? 100 : Double(counts[0])
    }
    #expect(made?.refusal == .biased)
  }

  /// Ten clusters of +1 and ten of -1: a resample's sum is 2 k - 20 with k binomial, so a sum of at most -10 has
  /// probability 21,700 / 2²⁰ = 2.07 %, of at most -8 60,460 / 2²⁰ = 5.77 %. Without bias 2.5 % lie below -8; if none
  /// of the 17.6 % that equal the sample's 0 counted as below it, the interval would be taken to be biased.
  @Test func halfOfTheTiesCountAsBelow() throws {
    var random = SeededGenerator(seed: 1)
    let rows = (0..<20).map { [$0 < 10 ? 1.0 : -1] }
    let made = ClusterBootstrap(resamples: 100_000).estimate(sums(rows), using: &random) { $0[0] / 20 }
    #expect(made?.value == 0)
    #expect(made?.interval == Interval(low: -8 / 20.0, high: 8 / 20.0, level: 0.95))
  }

  @Test func constantStatisticHasAnIntervalWithoutWidth() {
    let made = estimate([[1, 2], [2, 4], [4, 8]]) { $0[0] / $0[1] }
    #expect(made?.interval == Interval(low: 0.5, high: 0.5, level: 0.95))
  }

  @Test func sameSeedSameInterval() {
    let rows = (0..<15).map { [1 / Double($0 + 2), 3] }
    #expect(estimate(rows, seed: 5) { $0[0] / $0[1] } == estimate(rows, seed: 5) { $0[0] / $0[1] })
    #expect(estimate(rows, seed: 5) { $0[0] / $0[1] } != estimate(rows, seed: 6) { $0[0] / $0[1] })
  }
}
