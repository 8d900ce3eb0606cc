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
    var groups: [[Point]] = []
    for point in points {
      if let index = groups.firstIndex(where: { $0.last?.run.conditions == point.run.conditions }) {
        groups.append(groups.remove(at: index) + [point])
      } else {
        groups.append([point])
      }
    }
    return groups.reversed()
  }
}
