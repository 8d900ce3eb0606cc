import Scoring

/// What is left of a suite's scores as one thing after another goes wrong, more and more.
public struct Robustness: Codable, Hashable, Sendable {
  /// A metric under one perturbation.
  public struct Ladder: Codable, Hashable, Sendable {
    public var perturbation: String
    /// What grows, with its unit.
    public var axis: String
    public var detector: String
    public var metric: String
    public var unit: String
    public var direction: Metric.Direction
    /// The loss that the suite accepts; `nil` where it says none.
    public var margin: Double?
    /// Without a perturbation.
    public var undisturbed: Score
    public var steps: [Step]

    /// Of the score without a perturbation, how much is left at the strongest step that has a value: 1 is all of it. `nil`
    /// where less is better, or where there was nothing above 0 to lose.
    public var survives: Double? {
      guard direction == .higherIsBetter, let before = undisturbed.value, before > 0,
        let last = steps.last(where: { $0.score.value != nil })?.score.value
      else { return nil }
      return last / before
    }
  }

  public struct Step: Codable, Hashable, Sendable {
    /// As `--perturb` takes it: `noise=2%`.
    public var text: String
    public var strength: Double
    public var score: Score
  }

  public struct Score: Codable, Hashable, Sendable {
    public var value: Double?
    public var low: Double?
    public var high: Double?

    init(_ metric: RunResults.MetricResult) {
      value = metric.value
      low = metric.interval?.low
      high = metric.interval?.high
    }
  }

  public var seed: UInt64
  public var ladders: [Ladder]
  /// What was done otherwise than a perturbation says, and why; `nil` in runs of before it was said.
  public var notes: [String]?
}
