/// The mean of the values that are known.
struct RunningMean: Sendable {
  private var sum: Float = 0
  private var count: Float = 0

  mutating func add(_ value: Float) {
    guard value.isFinite else { return }
    sum += value
    count += 1
  }

  /// NaN where no value was known.
  var value: Float { count > 0 ? sum / count : .nan }
}
