import Evaluation

extension NumberText {
  /// A p value to three decimals: `0.031`, `<0.001`.
  public static func probability(_ p: Double?) -> String {
    guard let p, p.isFinite else { return "n/a" }
    return p < 0.001 ? "<0.001" : fixed(p, decimals: 3)
  }

  /// The interval on the mean gain.
  public static func interval(_ metric: PairedMetric) -> String {
    guard let interval = metric.interval else { return "n/a" }
    let unit = metric.change.unit
    return "\(value(interval.low, unit: unit)) to \(value(interval.high, unit: unit))"
  }
}
