/// The definition of a metric and how to read it.
public struct Metric: Hashable, Sendable {
  public enum Direction: String, Hashable, Codable, Sendable {
    case higherIsBetter = "higher"
    case lowerIsBetter = "lower"
    /// A bias: closer to 0 is better.
    case zeroIsBest = "zero"

    /// How much worse `value` is than `reference`, negative if better.
    public func loss(from reference: Double, to value: Double) -> Double {
      switch self {
      case .higherIsBetter: reference - value
      case .lowerIsBetter: value - reference
      case .zeroIsBest: abs(value) - abs(reference)
      }
    }
  }

  /// How several subjects' values become one: defined by the metric, never by the data.
  public enum Aggregation: Hashable, Sendable {
    /// The mean of the subjects' own values, each from all its clips.
    case subjectMean
    /// Like `subjectMean`, for a share of clips: a plain proportion if each subject has one clip.
    case share
    /// A ratio of counts: the counts of all clips are added before dividing. For subjects with few cases, the mean of
    /// their own ratios is another quantity (for one-case F1 scores, a Jaccard index).
    case ratio
    /// A value over all clips together that is not a ratio of counts: a correlation, an area under a curve.
    case pooled

    /// Whether it is the value over all clips together.
    public var isPooled: Bool { self == .ratio || self == .pooled }
  }

  /// The statistic over the true cases that were found, for a metric of these only.
  public enum CaseStatistic: String, Hashable, Codable, Sendable {
    case mean, median

    /// `nil` without cases.
    public func value(of cases: [Double]) -> Double? {
      guard !cases.isEmpty else { return nil }
      switch self {
      case .mean: return cases.reduce(0, +) / Double(cases.count)
      case .median:
        let sorted = cases.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
      }
    }

    /// The median of all lists but each in turn, in n log n for n values; `nil` without a value in the others.
    static func mediansWithoutEach(_ lists: [[Double]]) -> [Double?] {
      let sorted = lists.indices.flatMap { list in lists[list].map { (value: $0, list: list) } }.sorted {
        $0.value < $1.value
      }
      // The places of each list's values among all, in rising order.
      var places = lists.map { _ in [Int]() }
      for (place, item) in sorted.enumerated() { places[item.list].append(place) }
      return places.map { own in
        let count = sorted.count - own.count
        guard count > 0 else { return nil }
        /// The value with a rank among the others.
        func value(_ rank: Int) -> Double { sorted[own.reduce(rank) { $1 <= $0 ? $0 + 1 : $0 }].value }
        let middle = count / 2
        return count % 2 == 1 ? value(middle) : (value(middle - 1) + value(middle)) / 2
      }
    }
  }

  /// `count.mae`
  public var name: String
  /// One sentence.
  public var summary: String
  public var direction: Direction
  /// `reps`, `ms`, or empty for a plain number.
  public var unit: String
  public var range: ClosedRange<Double>
  /// The condition under which the value is undefined.
  public var undefined: String
  /// The source of the definition.
  public var source: String
  public var aggregation: Aggregation
  /// The trivial predictions whose scores are shown beside the value, if defined: a detector must be better.
  public var trivial: [TrivialAnswer]
  /// The metric with the score of people for the same detector; `nil` for none.
  public var humanCeiling: String?
  /// For a metric over found cases only: a detector that misses the hard cases gets a better value. A comparison uses
  /// the cases that both sides found. `nil` for any other metric. See `MetricFamily.caseValues`.
  public var caseStatistic: CaseStatistic?
  /// Of a value over all clips together in 0...1: that of predictions without information, 0.5 for an area under a ROC
  /// curve; `nil` for other metrics.
  public var uninformed: Double?

  public init(
    _ name: String, _ summary: String, _ direction: Direction, unit: String = "", range: ClosedRange<Double>,
    undefined: String, source: String, aggregation: Aggregation = .subjectMean, trivial: [TrivialAnswer] = [],
    humanCeiling: String? = nil, ofCasesFound caseStatistic: CaseStatistic? = nil, uninformed: Double? = nil
  ) {
    self.name = name
    self.summary = summary
    self.direction = direction
    self.unit = unit
    self.range = range
    self.undefined = undefined
    self.source = source
    self.aggregation = aggregation
    self.caseStatistic = caseStatistic
    self.uninformed = uninformed
    self.trivial = trivial
    self.humanCeiling = humanCeiling
  }
}
