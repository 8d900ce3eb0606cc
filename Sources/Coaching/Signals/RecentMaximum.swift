import PoseModel

/// The largest value of the last while, in constant time and space.
///
/// Time is cut into spans as long as the memory; the maximum is that of this span and the last, so a value counts for one
/// to two times the memory. Unknown values (NaN) are passed over.
struct RecentMaximum: Sendable {
  let memory: Microseconds
  private var start: Microseconds?
  private var current = -Float.infinity
  private var previous = -Float.infinity

  init(memory: Microseconds) { self.memory = memory }

  /// - Returns: NaN where nothing was known for as long.
  mutating func add(_ value: Float, at time: Microseconds) -> Float {
    guard memory > .zero else { return value }
    let begun = start ?? time
    if time - begun >= memory {
      previous = time - begun < memory + memory ? current : -.infinity
      current = -.infinity
      start = time
    } else {
      start = begun
    }
    if value.isFinite { current = max(current, value) }
    let maximum = max(current, previous)
    return maximum.isFinite ? maximum : .nan
  }
}
