/// A statistic's value with its bootstrap interval.
public struct BootstrapEstimate: Hashable, Sendable {
  /// Why there is no interval.
  public enum Refusal: Hashable, Sendable {
    /// There is one cluster, or none.
    case tooFewClusters
    /// The statistic is undefined for a larger share of the resamples than is allowed.
    case undefined(share: Double)
    /// Without one of the clusters the statistic is undefined: it rests on that cluster.
    case restsOnOneCluster
    /// The value lies at the edge of what the resamples give or beyond, so that its bias can't be corrected.
    case biased
  }

  /// For the sample itself.
  public var value: Double
  public var interval: Interval?
  public var refusal: Refusal?
  public var clusters: Int
  public var resamples: Int
  /// Resamples for which the statistic is undefined or not finite; the interval leaves them out.
  public var undefined: Int
}
