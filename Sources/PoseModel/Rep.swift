/// One repetition: from leaving the start position to being back in it.
public struct Rep: Hashable, Codable, Sendable {
  public var start: Microseconds
  public var end: Microseconds
  /// The turning point (the bottom of a squat) where it is known.
  public var turn: Microseconds?

  public init(start: Microseconds, end: Microseconds, turn: Microseconds? = nil) {
    self.start = start
    self.end = end
    self.turn = turn
  }

  public var duration: Microseconds { end - start }
}
