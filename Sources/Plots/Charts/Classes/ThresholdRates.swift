/// How often a classifier is right at one threshold, with the intervals where they are known. All from 0 to 1; NaN
/// where undefined.
public struct ThresholdRates: Hashable, Sendable {
  public var threshold: Double
  /// The share of what is there that is found: the true positive rate.
  public var recall: Estimate
  /// The share of what is reported that is there.
  public var precision: Estimate
  /// The share of what is not there that is reported.
  public var falsePositiveRate: Estimate

  public init(
    threshold: Double, recall: Estimate, precision: Estimate = Estimate(.nan),
    falsePositiveRate: Estimate = Estimate(.nan)
  ) {
    self.threshold = threshold
    self.recall = recall
    self.precision = precision
    self.falsePositiveRate = falsePositiveRate
  }
}
