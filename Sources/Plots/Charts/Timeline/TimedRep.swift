/// A true or predicted rep on a timeline.
public struct TimedRep: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var start: Double
  public var end: Double
  /// The turning point, where it is known.
  public var turn: Double?
  /// Whether it has a partner among the reps of the other side.
  public var isMatched: Bool

  public init(start: Double, end: Double, turn: Double? = nil, isMatched: Bool) {
    self.start = start
    self.end = end
    self.turn = turn
    self.isMatched = isMatched
  }

  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}
