import Scoring
import Statistics

/// How far two estimators, or people, agree by one metric.
public struct AgreementResult: Sendable {
  public var metric: Metric
  /// `nil` where it is undefined.
  public var value: Double?
  public var interval: Interval?
  /// `t on subject means`, or the name of the metric's own interval.
  public var method: String?
  /// What has no value: clips of two estimators, raters of a human ceiling.
  public var undefined: Int

  init(_ metric: Metric, _ value: Double?, interval: Interval? = nil, method: String? = nil, undefined: Int = 0) {
    self.metric = metric
    self.value = value
    self.interval = interval.map { $0.clamped(to: metric.range) }
    self.method = interval == nil ? nil : method
    self.undefined = undefined
  }
}
