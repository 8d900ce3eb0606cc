import PoseModel

/// Thresholds of a rep that follow the range in which its signal has lately moved.
struct RepAdaptation: Sendable {
  private var range: RunningRange
  private let minimumRange: Float
  private let margin: Float
  private let falls: Bool

  init(_ rule: RepRule.Adaptation, falls: Bool, _ values: ParameterValues) {
    range = RunningRange(memory: Float(values[rule.memory]))
    minimumRange = Float(values[rule.minimumRange])
    margin = Float(values[rule.margin])
    self.falls = falls
  }

  /// The thresholds after the next value; `nil` as long as the signal does not move.
  ///
  /// The hysteresis is a tenth of the range, so that noise which is small beside the movement toggles nothing.
  mutating func thresholds(
    _ value: Float, at time: Microseconds
  ) -> (start: Float, turn: Float, hysteresis: Float)? {
    range.add(value, at: time)
    guard range.width >= minimumRange else { return nil }
    return (
      range.value(at: falls ? 1 - margin : margin), range.value(at: falls ? margin : 1 - margin), 0.1 * range.width
    )
  }
}
