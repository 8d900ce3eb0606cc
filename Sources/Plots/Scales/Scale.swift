/// Where values lie along an axis: 0 at its start, 1 at its end.
public protocol Scale: Sendable {
  /// How far along the axis a value lies; beyond 0...1 for a value outside the domain, `nil` for one that is missing:
  /// not finite, or without a place on this scale.
  func fraction(of value: Double) -> Double?

  /// Round values inside the domain in rising order, no more than `limit` of them but for the least that a scale needs.
  func ticks(atMost limit: Int) -> [Tick]
}
