import PoseModel

/// The phases of a signal in a rep: start → away → turn → back → start.
///
/// If `turn` is below `start`, the signal falls on the way to the turn, like the knee angle of a squat, otherwise it
/// rises. Each phase begins at its threshold and ends only past the hysteresis, which suppresses jitter. For a falling
/// signal: the start is left below `start - hysteresis` and reached above `start`; the turn is reached below `turn` and
/// left above `turn + hysteresis`.
struct RepCycle: Sendable {
  enum Phase: Int, Sendable {
    case start, away, turn, back
  }

  /// A movement from leaving the start to the return.
  struct Excursion {
    /// `turn` is the frame of the extreme value.
    var rep: Rep
    /// The value farthest from the start.
    var extreme: Float
    var reachedTurn: Bool
  }

  private(set) var start: Float
  private(set) var turn: Float
  private(set) var hysteresis: Float

  private(set) var phase = Phase.start
  /// The value farthest from the start since it was left.
  var extreme: Float { sign * depth }
  /// The frame of the extreme value.
  private(set) var turned = Microseconds.zero
  /// 1 for a signal that falls towards the turn, −1 for one that rises; values below are multiplied by it.
  private let sign: Float
  private var depth = Float.infinity
  private var left = Microseconds.zero
  private var reachedTurn = false
  /// The depth of the shallowest excursion that reached the turn, and of the deepest one that did not.
  private var (shallowestTurn, deepestReturn) = (-Float.infinity, Float.infinity)

  init(start: Float, turn: Float, hysteresis: Float) {
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
    sign = turn < start ? 1 : -1
  }

  /// Changes the thresholds without changing their order.
  mutating func move(start: Float, turn: Float, hysteresis: Float) {
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
  }

  /// Whether the same excursions would have reached another turn, on the same side of the start.
  func excursionsAreAlike(with turn: Float) -> Bool {
    shallowestTurn < sign * turn && sign * turn <= deepestReturn
  }

  /// Resets to the start without a rep.
  mutating func abandon() { phase = .start }

  /// Processes the values from `first` like `update`, up to the first value that may change the phase.
  ///
  /// Compares several values at a time, about as fast as reading them.
  ///
  /// - Returns: The index of the value that `update` must process next; the number of values if there is none.
  mutating func skip(
    _ values: UnsafeBufferPointer<Float>, at poses: borrowing PoseColumns, from first: Int
  ) -> Int {
    let (start, turn) = (sign * start, sign * turn)
    // A value outside these bounds may change the phase. `update` ignores infinite values.
    let (low, high) =
      switch phase {
      case .start: (start - hysteresis, Float.infinity)
      case .away, .back: (turn, start)
      case .turn: (-Float.greatestFiniteMagnitude, min(start, turn + hysteresis))
      }
    let bytes = UnsafeRawBufferPointer(values)
    var deepest = SIMD8<Float>(repeating: depth)
    var places = SIMD8<Int32>(repeating: -1)
    var index = first
    while index + 8 <= values.count {
      let next = sign * bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
      if any((next .< low) .| (next .> high)) { break }
      let isDeeper = next .< deepest
      deepest.replace(with: next, where: isDeeper)
      places.replace(with: Int32(truncatingIfNeeded: index), where: isDeeper)
      index += 8
    }
    if phase != .start { deepen(deepest, places, at: poses) }
    while index < values.count {
      let value = sign * values[index]
      if value < low || value > high { break }
      if phase != .start, value < depth { (depth, turned) = (value, poses.time(index)) }
      index += 1
    }
    return index
  }

  /// Updates the minimum with some values; of equal values the first one counts.
  ///
  /// - Parameter places: For each lane, the index of the first of its eight values; −1 without a new minimum.
  private mutating func deepen(
    _ values: SIMD8<Float>, _ places: SIMD8<Int32>, at poses: borrowing PoseColumns
  ) {
    var frame: Int?
    for lane in 0..<8 where places[lane] >= 0 {
      let place = Int(places[lane]) + lane
      guard values[lane] < depth || (values[lane] == depth && frame.map { place < $0 } ?? false) else { continue }
      (depth, frame) = (values[lane], place)
    }
    if let frame { turned = poses.time(frame) }
  }

  /// Processes the next value; ignores an unknown one (NaN).
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
      if reachedTurn { shallowestTurn = max(shallowestTurn, depth) } else { deepestReturn = min(deepestReturn, depth) }
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
/// Rest ends below `leaves` and begins again above `returns`; an excursion below `attempt` counts. It is reported after
/// `settling`, or when rest ends again, to include the top of a lockout after the return. An excursion shorter than
/// `shortest` is noise and does not count; neither does one without an observed beginning if `needsRest` is set.
struct ExcursionCycle: Sendable {
  struct Excursion: Hashable, Sendable {
    /// `end` is the return to rest, `turn` the frame of the smallest value.
    var rep: Rep
    /// The smallest value.
    var bottom: Float
    /// The largest value between the return and the report.
    var top: Float
  }

  enum Step: Hashable, Sendable {
    case resting, moving
    /// An excursion that ended, reported with this frame.
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
  /// Whether rest ended with the newest frame.
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

  /// Whether an excursion is in progress.
  var isMoving: Bool { phase == .moving }

  /// Processes the next value; ignores an unknown one (NaN).
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
