import PoseModel

/// The way of a signal through a rep: start → away → turn → back → start.
///
/// Where `turn` is below `start` the signal falls on the way to the turn, as a squat's knee angle does, else it rises.
/// Each phase is entered at its threshold and left only past the hysteresis, so that jitter around a threshold does not
/// toggle it. For a falling signal: the start is left below `start - hysteresis` and reached above `start`; the turn is
/// reached below `turn` and left above `turn + hysteresis`.
struct RepCycle: Sendable {
  enum Phase: Int, Sendable {
    case start, away, turn, back
  }

  /// From leaving the start to being back in it.
  struct Excursion {
    /// `turn` is the frame of the extreme value.
    var rep: Rep
    /// The value furthest from the start.
    var extreme: Float
    var reachedTurn: Bool
  }

  private(set) var start: Float
  private(set) var turn: Float
  private(set) var hysteresis: Float

  private(set) var phase = Phase.start
  /// The value furthest from the start since that was left.
  var extreme: Float { sign * depth }
  /// The frame of the extreme value.
  private(set) var turned = Microseconds.zero
  /// 1 for a signal that falls towards the turn, -1 for one that rises; below, it always falls.
  private let sign: Float
  private var depth = Float.infinity
  private var left = Microseconds.zero
  private var reachedTurn = false

  init(start: Float, turn: Float, hysteresis: Float) {
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
    sign = turn < start ? 1 : -1
  }

  /// Moves the thresholds, on the same sides of each other as before.
  mutating func move(start: Float, turn: Float, hysteresis: Float) {
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
  }

  /// Goes back to the start without a rep.
  mutating func abandon() { phase = .start }

  /// Takes the next value; an unknown one (NaN) changes nothing.
  ///
  /// - Returns: the excursion that ends with this frame.
  mutating func update(_ value: Float, at time: Microseconds) -> Excursion? {
    guard value.isFinite else { return nil }
    let value = sign * value
    let (start, turn) = (sign * start, sign * turn)
    if phase == .start {
      guard value < start - hysteresis else { return nil }
      left = time
      depth = .infinity
      reachedTurn = false
      phase = .away
    }
    if value < depth {
      depth = value
      turned = time
    }
    if value > start {
      phase = .start
      return Excursion(
        rep: Rep(start: left, end: time, turn: turned), extreme: extreme, reachedTurn: reachedTurn)
    }
    if value < turn {
      phase = .turn
      reachedTurn = true
    } else if phase == .turn && value > turn + hysteresis {
      phase = .back
    }
    return nil
  }
}
