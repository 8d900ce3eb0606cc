import PoseModel

/// The range that a signal has lately moved in: widened at once by a value outside, and shrinking towards the signal
/// with a time constant.
struct RunningRange: Sendable {
  private(set) var low = Float.nan
  private(set) var high = Float.nan
  private let memory: Float
  private var last = Microseconds.zero

  /// - Parameter memory: the time constant in seconds, above 0.
  init(memory: Float) { self.memory = memory }

  /// NaN before the first value.
  var width: Float { high - low }

  /// The value at a share of the range: 0 is its low end, 1 its high end.
  func value(at share: Float) -> Float { low + share * width }

  /// Takes the next value; an unknown one (NaN) changes nothing.
  mutating func add(_ value: Float, at time: Microseconds) {
    guard value.isFinite else { return }
    guard low.isFinite else {
      (low, high, last) = (value, value, time)
      return
    }
    let share = min(1, Float((time - last).seconds) / memory)
    low = min(value, low + (value - low) * share)
    high = max(value, high + (value - high) * share)
    last = time
  }
}
