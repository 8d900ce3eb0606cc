/// A filter of one number a frame that knows only the past, so that an app can run it live.
///
/// A missing value (NaN) stays missing: a filter takes noise away, it does not make up what was not seen.
public protocol SignalFilter: Sendable {
  /// Takes the next value.
  ///
  /// - Parameters:
  ///   - value: NaN where there is none.
  ///   - time: later than every time before it.
  /// - Returns: the filtered value, NaN where there is none.
  mutating func update(_ value: Float, at time: Microseconds) -> Float

  /// Forgets everything that was seen.
  mutating func reset()
}
