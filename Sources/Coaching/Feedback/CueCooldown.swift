import PoseModel

/// Keeps a coach from talking all the time: after one cue, none for a while.
struct CueCooldown: Sendable {
  private let interval: Microseconds
  private var last: Microseconds?

  /// - Parameter interval: the shortest time between two cues.
  init(_ interval: Microseconds) { self.interval = interval }

  /// Whether something may be said now; if so, it counts as said.
  mutating func allows(_ time: Microseconds) -> Bool {
    if let last, time - last < interval { return false }
    last = time
    return true
  }
}
