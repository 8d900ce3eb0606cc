import PoseModel

/// When a predicted rep is the same as a true one: the chosen instants of both are at most a tolerance apart.
public struct RepMatching: Hashable, Sendable {
  public enum Instant: String, CaseIterable, Hashable, Sendable {
    case start, turn, end
  }

  /// Which instant of the reps is compared. `turn` is the middle of a rep whose turn is not known.
  public var instant: Instant
  public var tolerance: Microseconds

  public init(instant: Instant, tolerance: Microseconds) {
    self.instant = instant
    self.tolerance = tolerance
  }

  func time(_ rep: Rep) -> Microseconds {
    switch instant {
    case .start: rep.start
    case .turn: rep.turn ?? Microseconds(rep.start.count + rep.duration.count / 2)
    case .end: rep.end
    }
  }

  /// Pairs of positions in the two lists, one to one, as many as possible.
  public func pairs(truth: [Rep], predicted: [Rep]) -> [(truth: Int, predicted: Int)] {
    matchEvents(truth: truth.map(time), predicted: predicted.map(time), tolerance: tolerance)
  }
}
