import Datasets
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

  /// The points whose runs can be compared, each group in its order, the group with the newest run first.
  ///
  /// The runs of a group have the same data, matching and camera: all differences within it come from the detector.
  public var groups: [[Point]] {
    var groups: [HistoryRun.Conditions: [Point]] = [:]
    // Groups are in the order of their conditions' last run.
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

/// The metrics of earlier runs on the same data, for a trend beside each number of a report.
public struct MetricTrail: Sendable {
  /// The maximum number of runs shown.
  public static let limit = 12

  private let values: [MetricID: [Double?]]
  /// The number of earlier runs.
  public let runs: Int

  public init() { (values, runs) = ([:], 0) }

  /// - Parameters:
  ///   - results: The newest of the runs.
  ///   - id: Its own id, which earlier runs precede; `nil` if it is not stored yet.
  public init(of results: RunResults, keptAs id: String?, in store: Store) throws {
    var head = results
    (head.metrics, head.clips, head.measured, head.slices, head.robustness) = ([], [], [:], nil, nil)
    let now = HistoryRun(id: "", created: "", head: head, origin: nil, releases: [])
    let all = try store.runHeads(ofSuite: results.suite)
    let own = all.firstIndex { $0.id == id }
    let before = try all.dropFirst(own.map { $0 + 1 } ?? 0).prefix(10 * Self.limit)
      .map { try HistoryRun($0, in: store, tags: [:]) }.filter { $0.conditions == now.conditions }
    let runs = before.prefix(Self.limit - 1).reversed()
    var values = Dictionary(
      results.metrics.map {
        ($0.metricID, [Double?](repeating: nil, count: runs.count) + [$0.value])
      },
      uniquingKeysWith: { first, _ in first })
    for (index, run) in runs.enumerated() {
      for kept in try store.metrics(ofRun: run.id) { values[MetricID(kept.detector, kept.metric)]?[index] = kept.value }
    }
    self.values = values
    self.runs = runs.count
  }

  /// Oldest first, this run last; empty if there is no earlier run.
  public func values(_ detector: String, _ metric: String) -> [Double?] {
    runs > 0 ? values[MetricID(detector, metric)] ?? [] : []
  }
}
