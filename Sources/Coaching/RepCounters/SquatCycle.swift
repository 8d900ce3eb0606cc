import PoseModel

/// The way of a knee through a squat: standing → descending → bottom → ascending → standing.
///
/// Each phase is entered at its threshold and left only past the hysteresis, so that jitter around a threshold does not
/// toggle it: standing is left below `standingAngle - hysteresis` and reached above `standingAngle`; the bottom is
/// reached below `bottomAngle` and left above `bottomAngle + hysteresis`.
struct SquatCycle: Sendable {
  enum Phase: String, Sendable {
    case standing, descending, bottom, ascending
  }

  /// From leaving standing to being back in it.
  struct Excursion {
    /// `turn` is the frame of the smallest angle.
    var rep: Rep
    /// The smallest knee angle, degrees.
    var depth: Float
    var reachedBottom: Bool
  }

  let standingAngle: Float
  let bottomAngle: Float
  let hysteresis: Float

  private(set) var phase = Phase.standing
  /// Smallest angle since standing was left.
  private(set) var depth = Float.infinity
  private var start = Microseconds.zero
  private var turn = Microseconds.zero
  private var reachedBottom = false

  init(standingAngle: Float, bottomAngle: Float, hysteresis: Float) {
    self.standingAngle = standingAngle
    self.bottomAngle = bottomAngle
    self.hysteresis = hysteresis
  }

  /// Takes the next angle in degrees; an unknown one (NaN) changes nothing.
  ///
  /// - Returns: the excursion that ends with this frame.
  mutating func update(_ angle: Float, at time: Microseconds) -> Excursion? {
    guard angle.isFinite else { return nil }
    if phase == .standing {
      guard angle < standingAngle - hysteresis else { return nil }
      start = time
      depth = .infinity
      reachedBottom = false
      phase = .descending
    }
    if angle < depth {
      depth = angle
      turn = time
    }
    if angle > standingAngle {
      phase = .standing
      return Excursion(rep: Rep(start: start, end: time, turn: turn), depth: depth, reachedBottom: reachedBottom)
    }
    if angle < bottomAngle {
      phase = .bottom
      reachedBottom = true
    } else if phase == .bottom && angle > bottomAngle + hysteresis {
      phase = .ascending
    }
    return nil
  }
}
