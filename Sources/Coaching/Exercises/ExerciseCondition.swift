/// A signal, or a statistic of it over a rep, above or below a threshold.
public struct ExerciseCondition: Hashable, Sendable {
  public enum Bound: String, CaseIterable, Hashable, Sendable {
    case above, below
  }

  /// Position in the exercise's signals.
  public var signal: Int
  /// What of the signal; a hold looks at each frame's value.
  public var statistic: ExerciseStatistic
  /// Position in the rule's phases of the one that is looked at; `nil` for the whole rep. The first is its finish.
  public var phase: Int?
  public var bound: Bound
  public var threshold: Parameter

  public init(signal: Int, statistic: ExerciseStatistic, phase: Int?, bound: Bound, threshold: Parameter) {
    self.signal = signal
    self.statistic = statistic
    self.phase = phase
    self.bound = bound
    self.threshold = threshold
  }
}

/// What of a signal over a rep is compared with a threshold.
public enum ExerciseStatistic: String, CaseIterable, Hashable, Sendable {
  case minimum, maximum, mean
  /// Maximum less minimum.
  case range
  /// Maximum less the value at the first frame on which it is known.
  case rise
  /// At the first frame on which it is known.
  case atStart = "at_start"
  /// At the turn, or last before it where it is not known then.
  case atTurn = "at_turn"
}
