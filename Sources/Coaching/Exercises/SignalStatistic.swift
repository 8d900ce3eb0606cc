/// A statistic of a signal over a rep, value by value; unknown values (NaN) are left out.
struct SignalStatistic: Sendable {
  let statistic: ExerciseStatistic
  private var count: Float = 0
  private var sum: Float = 0
  private var minimum = Float.infinity
  private var maximum = -Float.infinity
  private var first = Float.nan
  private var last = Float.nan
  private var turn = Float.nan

  init(_ statistic: ExerciseStatistic) { self.statistic = statistic }

  mutating func reset() { self = SignalStatistic(statistic) }

  /// - Parameter turns: whether the rep has gone further on this frame than on any before.
  mutating func add(_ value: Float, turns: Bool) {
    if value.isFinite {
      count += 1
      sum += value
      minimum = min(minimum, value)
      maximum = max(maximum, value)
      if first.isNaN { first = value }
      last = value
    }
    if turns { turn = last }
  }

  /// NaN where no value was known.
  var value: Float {
    guard count > 0 else { return .nan }
    return switch statistic {
    case .minimum: minimum
    case .maximum: maximum
    case .mean: sum / count
    case .range: maximum - minimum
    case .rise: maximum - first
    case .atStart: first
    case .atTurn: turn
    }
  }
}
