/// Metrics that are computed from one tally.
///
/// A tally is made a clip at a time and pools by adding; values come after pooling, so a subject's value is that of all
/// its clips together, not a mean of the clips' values.
public protocol MetricFamily: Sendable {
  associatedtype Tally: Sendable

  /// In the order of `values`.
  var metrics: [Metric] { get }

  /// What one clip contributes.
  func tally(_ clip: ScoredClip) -> Tally

  /// Both tallies as one.
  func pool(_ a: Tally, _ b: Tally) -> Tally

  /// A value for each of `metrics`, `nil` where it is undefined.
  func values(_ tally: Tally) -> [Double?]
}
