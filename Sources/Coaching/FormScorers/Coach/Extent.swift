/// The least and the greatest of some values.
struct Extent: Sendable {
  private var least = Float.infinity
  private var greatest = -Float.infinity

  mutating func add(_ value: Float) {
    guard value.isFinite else { return }
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// How far they are apart; NaN where no value was known.
  var width: Float { least <= greatest ? greatest - least : .nan }
  /// NaN where no value was known.
  var maximum: Float { least <= greatest ? greatest : .nan }
}
