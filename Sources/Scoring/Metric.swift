/// What a metric measures and how to read it.
public struct Metric: Hashable, Sendable {
  public enum Direction: String, Hashable, Codable, Sendable {
    case higherIsBetter = "higher"
    case lowerIsBetter = "lower"
    /// A bias: the nearer to 0 the better.
    case zeroIsBest = "zero"

    /// By how much `value` is worse than `reference`, negative where it is better.
    public func loss(from reference: Double, to value: Double) -> Double {
      switch self {
      case .higherIsBetter: reference - value
      case .lowerIsBetter: value - reference
      case .zeroIsBest: abs(value) - abs(reference)
      }
    }
  }

  /// What the value of several subjects is: it follows from what the metric is, never from the data.
  public enum Aggregation: Hashable, Sendable {
    /// The mean of the subjects' own values, each from all its clips.
    case subjectMean
    /// The same, of a share of clips: where each subject has one clip it is a plain proportion.
    case share
    /// A ratio of counts, the counts of all clips being added before it is taken: of subjects with few cases the mean of
    /// their own ratios is another quantity (of one-case F1 scores, a Jaccard index).
    case ratio
    /// The value of all clips together of what is no ratio of counts: a correlation, an area under a curve.
    case pooled

    /// Whether it is the value of all clips together.
    public var isPooled: Bool { self == .ratio || self == .pooled }
  }

  /// What a value is of the true cases that were found, where it is of no others.
  public enum CaseStatistic: String, Hashable, Codable, Sendable {
    case mean, median

    /// `nil` of no cases.
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
  }

  /// `count.mae`
  public var name: String
  /// One sentence.
  public var summary: String
  public var direction: Direction
  /// `reps`, `ms`, or empty for a plain number.
  public var unit: String
  public var range: ClosedRange<Double>
  /// When there is no value.
  public var undefined: String
  /// Where it is defined.
  public var source: String
  public var aggregation: Aggregation
  /// Whose scores stand beside the value, where they are defined: what is no better is of no use.
  public var trivial: [TrivialAnswer]
  /// The metric of the same detector that says what people reach; `nil` for none.
  public var humanCeiling: String?
  /// Of a metric over the true cases that were found only: a detector that misses the hard ones gets a better value. A
  /// comparison looks at the cases that both sides found. `nil` for any other metric. See `MetricFamily.caseValues`.
  public var caseStatistic: CaseStatistic?

  public init(
    _ name: String, _ summary: String, _ direction: Direction, unit: String = "", range: ClosedRange<Double>,
    undefined: String, source: String, aggregation: Aggregation = .subjectMean, trivial: [TrivialAnswer] = [],
    humanCeiling: String? = nil, ofCasesFound caseStatistic: CaseStatistic? = nil
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
    self.trivial = trivial
    self.humanCeiling = humanCeiling
  }
}
