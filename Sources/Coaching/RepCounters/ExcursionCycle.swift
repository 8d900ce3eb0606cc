import PoseModel

/// Finds the excursions of a signal that is high at rest: a squat's hip height, a press's elbow angle.
///
/// Rest is left below `leaves` and reached again above `returns`; an excursion counts that went below `attempt`. After its
/// return it is held back for `settling`, or until rest is left again, to learn how far the top was reached: a lockout
/// comes after the return. One shorter than `shortest` is the estimator's noise and does not
/// count, nor, where `needsRest` is set, one whose beginning was not seen.
struct ExcursionCycle: Sendable {
  struct Excursion: Hashable, Sendable {
    /// `end` is the return to rest, `turn` the frame of the smallest value.
    var rep: Rep
    /// The smallest value.
    var bottom: Float
    /// The greatest value from the return until it was reported.
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
  /// Whether the excursion that is going on began at rest.
  private var isWhole = false
  private var hasRested = false
  private var excursion = Excursion(rep: Rep(start: .zero, end: .zero), bottom: .infinity, top: -.infinity)
  /// Whether rest was left with the newest frame.
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

  /// Whether rest was left, and the way back is not over.
  var isMoving: Bool { phase == .moving }

  /// Takes the next value; an unknown one (NaN) changes nothing.
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
