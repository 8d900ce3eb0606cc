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

/// What metrics were in the runs up to one, on the same data: for a line beside each number of a report.
public struct MetricTrail: Sendable {
  /// No more runs than this.
  public static let limit = 12

  private let values: [String: [Double?]]
  /// How many runs before this one there are.
  public let runs: Int

  public init() { (values, runs) = ([:], 0) }

  /// - Parameters:
  ///   - results: the newest of the runs.
  ///   - id: its own, behind which the runs before it stand; `nil` where it is not kept yet.
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
        (Self.key($0.detector, $0.metric), [Double?](repeating: nil, count: runs.count) + [$0.value])
      },
      uniquingKeysWith: { first, _ in first })
    for (index, run) in runs.enumerated() {
      for kept in try store.metrics(ofRun: run.id) { values[Self.key(kept.detector, kept.metric)]?[index] = kept.value }
    }
    self.values = values
    self.runs = runs.count
  }

  /// Oldest first, this run's own last; empty where there is no run before it.
  public func values(_ detector: String, _ metric: String) -> [Double?] {
    runs > 0 ? values[Self.key(detector, metric)] ?? [] : []
  }

  private static func key(_ detector: String, _ metric: String) -> String { "\(detector) \(metric)" }
}
