import PoseModel

/// The phases of a signal in a rep: start → away → turn → back → start.
///
/// If `turn` is below `start` the signal falls on the way to the turn, as a squat's knee angle does, otherwise it
/// rises. Each phase is entered at its threshold and left only past the hysteresis, which keeps jitter around a
/// threshold from toggling it. For a falling signal: the start is left below `start - hysteresis` and reached above
/// `start`; the turn is reached below `turn` and left above `turn + hysteresis`.
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
  /// The value furthest from the start since it was left.
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

  /// Moves the thresholds; they keep their order.
  mutating func move(start: Float, turn: Float, hysteresis: Float) {
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
  }

  /// Goes back to the start without a rep.
  mutating func abandon() { phase = .start }

  /// Processes the next value; an unknown one (NaN) changes nothing.
  ///
  /// - Returns: The excursion that ends with this frame.
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

/// Finds the excursions of a signal that is high at rest: a squat's hip height, a press's elbow angle.
///
/// Rest is left below `leaves` and reached again above `returns`; an excursion that went below `attempt` counts. After
/// its return it is held back for `settling`, or until rest is left again, to measure the top: a lockout comes after
/// the return. An excursion shorter than `shortest` is the estimator's noise and does not count; nor does one without
/// an observed beginning if `needsRest` is set.
struct ExcursionCycle: Sendable {
  struct Excursion: Hashable, Sendable {
    /// `end` is the return to rest, `turn` the frame of the smallest value.
    var rep: Rep
    /// The smallest value.
    var bottom: Float
    /// The greatest value between the return and the report.
    var top: Float
  }

  enum Step: Hashable, Sendable {
    case resting, moving
    /// An excursion has ended and is reported with this frame.
    case finished(Excursion)
  }

  private enum Phase {
    case resting, moving, settling
  }

  let leaves: Float
  let attempt: Float
  let returns: Float
  let settling: Microseconds
  let shortest: Microseconds
  let needsRest: Bool

  private var phase = Phase.resting
  /// Whether the current excursion began at rest.
  private var isWhole = false
  private var hasRested = false
  private var excursion = Excursion(rep: Rep(start: .zero, end: .zero), bottom: .infinity, top: -.infinity)
  /// Whether the newest frame left rest.
  private(set) var hasBegun = false
  /// Whether the newest frame is lower than all others of its excursion.
  private(set) var isTurning = false

  init(
    leaves: Float, attempt: Float, returns: Float, settling: Microseconds = .zero, shortest: Microseconds,
    needsRest: Bool = false
  ) {
    self.leaves = leaves
    self.attempt = attempt
    self.returns = returns
    self.settling = settling
    self.shortest = shortest
    self.needsRest = needsRest
  }

  /// Whether rest was left and not reached again.
  var isMoving: Bool { phase == .moving }

  /// Processes the next value; an unknown one (NaN) changes nothing.
  mutating func update(_ value: Float, at time: Microseconds) -> Step {
    hasBegun = false
    isTurning = false
    guard value.isFinite else { return phase == .moving ? .moving : .resting }
    switch phase {
    case .resting:
      guard value < leaves else {
        hasRested = true
        return .resting
      }
      begin(value, at: time)
      return .moving
    case .moving:
      if value < excursion.bottom {
        excursion.bottom = value
        excursion.rep.turn = time
        isTurning = true
      }
      guard value > returns else { return .moving }
      hasRested = true
      let isLong = time - excursion.rep.start >= shortest
      guard excursion.bottom < attempt, isLong, isWhole || !needsRest else {
        phase = .resting
        return .resting
      }
      excursion.rep.end = time
      excursion.top = value
      phase = settling > .zero ? .settling : .resting
      return phase == .resting ? .finished(excursion) : .resting
    case .settling:
      excursion.top = max(excursion.top, value)
      let isLeft = value < leaves
      guard isLeft || time - excursion.rep.end >= settling else { return .resting }
      let finished = excursion
      phase = .resting
      if isLeft { begin(value, at: time) }
      return .finished(finished)
    }
  }

  private mutating func begin(_ value: Float, at time: Microseconds) {
    excursion = Excursion(rep: Rep(start: time, end: time, turn: time), bottom: value, top: -.infinity)
    phase = .moving
    isWhole = hasRested
    hasBegun = true
    isTurning = true
  }
}
