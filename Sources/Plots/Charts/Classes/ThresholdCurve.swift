/// A classifier at each of its thresholds, and at the one that it runs with.
public struct ThresholdCurve: Hashable, Sendable {
  public var name: String
  public var meaning: Meaning
  /// In any order.
  public var rates: [ThresholdRates]
  /// The threshold in use; `nil` where none is chosen.
  public var operatingPoint: ThresholdRates?

  public init(
    name: String, meaning: Meaning = .prediction, rates: [ThresholdRates], operatingPoint: ThresholdRates? = nil
  ) {
    self.name = name
    self.meaning = meaning
    self.rates = rates
    self.operatingPoint = operatingPoint
  }
}
