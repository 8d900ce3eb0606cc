import Statistics
import Testing

/// Woodruff's interval on a quantile of clustered samples.
@Suite struct ClusteredQuantileTests {
  /// 1 to 100, a cluster each: 50 lie up to the median of 50.5, each residual is 0.005, so that their squares sum to
  /// 0.0025 and the variance is 0.0025 · 100/99. With t(99; 0.975) = 1.98422 the share is 0.5 ± 0.099712, and between
  /// ordered samples that are 1 apart that is 1 + 99 · 0.400288 to 1 + 99 · 0.599712.
  @Test func clustersOfOneAreIndependentSamples() throws {
    let interval = try #require(Interval.quantile(0.5, ofClusters: (1...100).map { [Double($0)] }))
    #expect(abs(interval.low - 40.6285) < 0.001 && abs(interval.high - 60.3715) < 0.001)
    #expect(interval.level == 0.95)
  }

  /// The same hundred in ten clusters of ten neighbours: five lie below the median as a whole and five above, residuals of
  /// 5/100 each, variance 10 · 0.0025 · 10/9 = 1/36. t(9; 0.975) = 2.26216 makes 0.5 ± 0.377027.
  @Test func alikeSamplesSayLess() throws {
    let clusters = (0..<10).map { cluster in (1...10).map { Double(10 * cluster + $0) } }
    let interval = try #require(Interval.quantile(0.5, ofClusters: clusters))
    #expect(abs(interval.low - (1 + 99 * 0.122973)) < 0.001 && abs(interval.high - (1 + 99 * 0.877027)) < 0.001)
  }

  /// Dealt out so that each cluster has half of its ten on either side, the clusters agree exactly: what is left is the
  /// chance of independent samples, √(0.25 / 100) = 0.05, times t(9; 0.975).
  @Test func clustersThatAgreeByChanceDoNotMakeItSure() throws {
    let clusters: [[Double]] = (1...10).map { first in (0..<10).map { Double(10 * $0 + first) } }
    let interval = try #require(Interval.quantile(0.5, ofClusters: clusters))
    let low: Double = 1 + 99 * (0.5 - 0.113108)
    #expect(abs(interval.low - low) < 0.001)
  }

  @Test func undefined() {
    let two = [[1.0, 2], [3, 4]]
    #expect(Interval.quantile(0.5, ofClusters: [[1, 2, 3]]) == nil)
    #expect(Interval.quantile(0.5, ofClusters: [[1, 2, 3], []]) == nil)
    #expect(Interval.quantile(0.5, ofClusters: [[1, .nan], [2]]) == nil)
    // t(1; 0.975) is 12.7: no sample is far enough out.
    #expect(Interval.quantile(0.5, ofClusters: two) == nil)
    for p in [0, 1, .nan] { #expect(Interval.quantile(p, ofClusters: two) == nil) }
    // Of 100 people with a sample each the 99th percentile may lie beyond all of them.
    #expect(Interval.quantile(0.99, ofClusters: (1...100).map { [Double($0)] }) == nil)
  }
}
