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

  /// What the value of several subjects is.
  public enum Aggregation: Hashable, Sendable {
    /// The mean of the subjects' own values.
    case subjectMean
    /// The same, of a share of clips: where each subject has one clip it is a plain proportion.
    case share
    /// The mean of the subjects' own values where at least half of them have one, otherwise the value of all clips
    /// together: a correlation, of which a subject with one clip has none.
    case subjectMeanOrPooled
    /// The value of all clips together: a mean of subjects' values would not be what is meant.
    case pooled
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

  public init(
    _ name: String, _ summary: String, _ direction: Direction, unit: String = "", range: ClosedRange<Double>,
    undefined: String, source: String, aggregation: Aggregation = .subjectMean
  ) {
    self.name = name
    self.summary = summary
    self.direction = direction
    self.unit = unit
    self.range = range
    self.undefined = undefined
    self.source = source
    self.aggregation = aggregation
  }
}
