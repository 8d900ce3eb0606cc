import Scoring

/// A metric of one detector over the runs of a suite, the oldest first.
public struct MetricTrend: Sendable {
  public struct Point: Sendable {
    public var run: HistoryRun
    public var result: RunResults.MetricResult
  }

  public var detector: String
  public var metric: String
  /// At least one.
  public var points: [Point]

  /// The points whose runs can be held against each other, each group in its order, the group with the newest run first.
  ///
  /// A group is of the same data, matching and camera: whatever differs within it is the detector's doing.
  public var groups: [[Point]] {
    var groups: [HistoryRun.Conditions: [Point]] = [:]
    // The conditions of the oldest run first, of the newest last.
    var order: [HistoryRun.Conditions] = []
    for point in points {
      let conditions = point.run.conditions
      groups[conditions, default: []].append(point)
      if order.last != conditions {
        order.removeAll { $0 == conditions }
        order.append(conditions)
      }
    }
    return order.reversed().compactMap { groups[$0] }
  }
}
