import Scoring
import Statistics

/// By how much a value of all clips together got better, with an interval from drawing whole subjects again.
///
/// A subject that is drawn brings its clips on both sides along, so that what its clips have in common on both cancels:
/// the paired cluster bootstrap, by BCa. No p value comes of it, and no metric gates by it.
///
/// - Source: `ClusterBootstrap`.
public struct PooledDifference: Hashable, Sendable {
  /// How many times subjects are drawn.
  public static let resamples = 10_000
  /// What they are drawn with.
  public static let seed: UInt64 = 1

  public let before: Double?
  public let after: Double?
  /// Above 0 is better; `nil` where a side has no value.
  public let gain: Double?
  /// `nil` where the bootstrap refuses one: too few subjects, or a difference that rests on one or is often undefined.
  public let interval: Interval?

  /// - Parameters:
  ///   - subjects: how many there are, the same on both sides.
  ///   - before: the value where each subject is drawn so often; as `after`.
  init(
    _ direction: Metric.Direction, subjects: Int, before: ([Int]) -> Double?, after: ([Int]) -> Double?
  ) {
    func gain(_ counts: [Int]) -> Double? {
      guard let old = before(counts), let new = after(counts) else { return nil }
      // + 0 leaves no negative zero.
      return -direction.loss(from: old, to: new) + 0
    }
    let everyone = [Int](repeating: 1, count: subjects)
    self.before = before(everyone)
    self.after = after(everyone)
    var generator = SeededGenerator(seed: Self.seed)
    let estimate = ClusterBootstrap(resamples: Self.resamples, level: MetricChange.level)
      .estimate(clusters: subjects, using: &generator) { gain($0) }
    self.gain = estimate?.value
    interval = estimate?.interval
  }

  /// Of a metric that either side gives the value of all clips together; `nil` where neither does, or one lacks it.
  init?(_ metric: RunResults.MetricResult, from before: ReplayedSuite, to after: ReplayedSuite) {
    let results = [before, after].map { $0.results.metric(metric.detector, metric.metric) }
    guard results.contains(where: { $0?.isPooled == true }),
      let earlier = before.pooledValue(of: metric.metric, detector: metric.detector),
      let later = after.pooledValue(of: metric.metric, detector: metric.detector), earlier.subjects == later.subjects
    else { return nil }
    self.init(metric.direction, subjects: earlier.subjects.count, before: earlier.drawn, after: later.drawn)
  }
}
