import PoseModel

/// Counts and grades the reps of an exercise that is defined by data.
///
/// A rep counts if its signal leaves the start, passes the turn and returns, not earlier than the cooldown after the
/// last rep. It is graded after `finish`, or when the next rep begins: the grade on `form` is 100 minus the deductions
/// of its faults, at least 0. A movement past `attempt` is graded, but counts only if it passes the turn.
///
/// With `countsShallow` and thresholds that follow the signal, a rep also counts if it goes half of `minimumRange` away
/// from its end of the range and takes long enough for a rep.
struct RepExerciseDetector: PoseObserver {
  /// The least duration of a shallow rep, as a share of the usual one. Measured past a fifth of the range, a rep of a
  /// third of the way takes 0.6 of the time of a full one in the same rhythm; a bounce takes less.
  private static let shortestShallow = 0.4

  /// A rep that ended and is not graded yet.
  private struct Pending: Sendable {
    var rep: Rep
    var until: Microseconds
  }

  private let rule: RepRule
  private let praise: Cue?
  private var measurement: ExerciseMeasurement
  private var cycle: RepCycle
  private var faults: [FaultWatch]
  private var speech: CueCooldown
  private let attempt: Float?
  private let falls: Bool
  private let cooldown: Microseconds
  private let minimumDuration: Microseconds
  private let finish: Microseconds
  private let forget: Microseconds?
  private var adaptation: RepAdaptation?
  private var average: TrailingMean?
  private var lastRep: Microseconds?
  private var lastSeen: Microseconds?
  private var pending: Pending?
  private var watch = DoubtWatch()
  /// How far the reps go from the start, in the signal's unit; `nil` before the first.
  private var usualDepth: Float?
  /// The usual duration of reps that pass the usual turn, in seconds; `nil` before the first.
  private var usualDuration: Double?
  /// Whether the current or last movement has passed the turn that its range asks for.
  private var isFull = false

  /// - Throws: `ParameterError.contradiction` if start and turn are closer than the hysteresis, or in the wrong order
  ///   for the exercise.
  init(
    _ exercise: ExerciseDefinition, _ rule: RepRule, _ values: ParameterValues, countsShallow: Bool = false
  ) throws(ParameterError) {
    let (start, turn, hysteresis) = (values[rule.start], values[rule.turn], values[rule.hysteresis])
    falls = rule.turn.defaultValue < rule.start.defaultValue
    let (upper, lower) = falls ? (rule.start, rule.turn) : (rule.turn, rule.start)
    guard values[lower] + hysteresis < values[upper] - hysteresis else {
      throw .contradiction(
        "\(lower.name) + \(rule.hysteresis.name) (\(values[lower] + hysteresis)) must be less than \(upper.name) - "
          + "\(rule.hysteresis.name) (\(values[upper] - hysteresis)) \(upper.unit.rawValue)")
    }
    func time(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    self.rule = rule
    praise = exercise.praise.map { Cue($0, .low) }
    measurement = ExerciseMeasurement(exercise.signals, exercise.visibilityThresholds.visibility(values))
    cycle = RepCycle(start: Float(start), turn: Float(turn), hysteresis: Float(hysteresis))
    faults = exercise.faults.map { FaultWatch($0, values) }
    speech = CueCooldown(time(exercise.speechCooldown))
    attempt = rule.attempt.map { Float(values[$0]) }
    cooldown = time(rule.cooldown)
    minimumDuration = time(rule.minimumDuration)
    finish = time(rule.finish)
    forget = rule.forget.map(time)
    if let adaptation = rule.adaptation, values.isOn(adaptation.isOn) {
      self.adaptation = RepAdaptation(adaptation, falls: falls, countsShallow: countsShallow, values)
    }
    average = rule.average.map { TrailingMean(over: time($0)) }
    guides = Self.guides(exercise, rule, measurement, values)
    countingRule = Self.countingRule(exercise.signals[rule.signal], rule, cycle, values)
  }

  let guides: [Guide]
  let countingRule: CountingRule?
  var signals: [any Signal] { measurement.signals }
  private(set) var countedValue = Float.nan
  private(set) var countedLevels = CountedLevels()
  var countDoubts: CountDoubts? { watch.doubts }

  mutating func update(_ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]) {
    let isPlain = average == nil && adaptation == nil && measurement.isOfSingleFrames(rule.signal)
    let counted = signals.column(measurement.column(of: rule.signal))
    var next = 0
    while true {
      let frame = isPlain && isQuiet ? cycle.skip(counted, at: poses, from: next) : next
      if frame > next { watch.see(counted, next..<frame, at: poses) }
      guard frame < signals.count else { break }
      next = frame + 1
      update(poses, signals, frame, &events)
    }
    if isPlain { countedValue = counted.last ?? countedValue }
  }

  /// Processes a frame.
  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, _ frame: Int, _ events: inout [Event]
  ) {
    let time = poses.time(frame)
    measurement.read(signals, frame, at: time)
    let value = measurement.values[rule.signal]
    countedValue = average?.add(value, at: time) ?? value
    take(countedValue, at: time, &events)
  }

  /// Whether frames without a change of phase can be skipped.
  private var isQuiet: Bool {
    guard !faults.isEmpty else { return cycle.phase == .start || forget == nil }
    return cycle.phase == .start && pending == nil && measurement.isOfSingleFrames
  }

  func reportsAlike(with value: Double, of parameter: String) -> Bool {
    // Thresholds that follow the signal replace these.
    if adaptation != nil { return [rule.start, rule.turn, rule.hysteresis].contains { $0.name == parameter } }
    return parameter == rule.turn.name && !faults.contains(where: \.readsPhases)
      && cycle.excursionsAreAlike(with: Float(value))
  }

  private mutating func take(_ value: Float, at time: Microseconds, _ events: inout [Event]) {
    watch.see(value.isFinite, at: time)
    let before = cycle.phase
    if let pending, time > pending.until { judge(pending.rep, at: time, &events) }
    if value.isFinite {
      if let forget, let lastSeen, time - lastSeen > forget { cycle.abandon() }
      lastSeen = time
    }
    let wasAtStart = cycle.phase == .start
    let excursion = adaptation == nil ? cycle.update(value, at: time) : adapted(value, at: time)
    if wasAtStart && cycle.phase != .start {
      if let pending { judge(pending.rep, at: time, &events) }
      for index in faults.indices { faults[index].reset() }
    }
    let isCounted = excursion.map { counts($0, at: time) } ?? false
    if let excursion {
      let depth = abs(excursion.extreme - cycle.start)
      watch.move(by: usualDepth.map { depth / $0 } ?? 1, counts: isCounted)
      // As in `RepeatedMovement.adapt`.
      if isCounted { usualDepth = usualDepth.map { $0 + 0.2 * (depth - $0) } ?? depth }
      if isCounted, isFull {
        let seconds = excursion.rep.duration.seconds
        usualDuration = usualDuration.map { $0 + 0.2 * (seconds - $0) } ?? seconds
      }
    }
    if let excursion, isCounted {
      lastRep = time
      watch.count(excursion.rep.turn ?? excursion.rep.end)
      events.append(Event(time, .rep(excursion.rep)))
    }
    if cycle.phase != before { events.append(Event(time, .phase(rule.phases[cycle.phase.rawValue]))) }
    guard !faults.isEmpty else { return }
    if cycle.phase != .start || excursion != nil || pending != nil {
      let turns = cycle.phase != .start && cycle.turned == time
      for index in faults.indices { faults[index].add(measurement.values, phase: cycle.phase, turns: turns) }
    }
    guard let excursion, isCounted || isAttempt(excursion) else { return }
    if finish == .zero {
      judge(excursion.rep, at: time, &events)
    } else {
      pending = Pending(rep: excursion.rep, until: time + finish)
    }
  }

  private func counts(_ excursion: RepCycle.Excursion, at time: Microseconds) -> Bool {
    excursion.reachedTurn && excursion.rep.duration >= minimumDuration
      && (lastRep.map { time - $0 >= cooldown } ?? true) && (adaptation == nil || isFull || isLong(excursion.rep))
  }

  private func isLong(_ rep: Rep) -> Bool {
    usualDuration.map { rep.duration.seconds >= Self.shortestShallow * $0 } ?? false
  }

  private func isAttempt(_ excursion: RepCycle.Excursion) -> Bool {
    guard let attempt else { return false }
    return falls ? excursion.extreme < attempt : excursion.extreme > attempt
  }

  /// Updates the thresholds with the signal's next value and processes it, if the signal moves enough.
  private mutating func adapted(_ value: Float, at time: Microseconds) -> RepCycle.Excursion? {
    countedLevels = CountedLevels()
    guard value.isFinite, let thresholds = adaptation?.thresholds(value, at: time, isUnderWay: lastRep != nil) else {
      return nil
    }
    (countedLevels.turn, countedLevels.end) = (thresholds.turn, thresholds.start)
    countedLevels.begin = thresholds.start + (falls ? -thresholds.hysteresis : thresholds.hysteresis)
    cycle.move(start: thresholds.start, turn: thresholds.turn, hysteresis: thresholds.hysteresis)
    let wasAtStart = cycle.phase == .start
    let excursion = cycle.update(value, at: time)
    if cycle.phase != .start {
      let isPast = falls ? value < thresholds.fullTurn : value > thresholds.fullTurn
      isFull = isPast || !wasAtStart && isFull
    }
    return excursion
  }

  private mutating func judge(_ rep: Rep, at time: Microseconds, _ events: inout [Event]) {
    pending = nil
    var grade = 100.0
    for watch in faults where watch.isPresent { grade -= watch.deduction }
    events.append(
      Event(time: rep.end, reported: time, kind: .grade(criterion: "form", value: max(0, grade), rep: rep)))
    for watch in faults where watch.isPresent {
      events.append(Event(time: rep.end, reported: time, kind: .fault(watch.name, rep: rep)))
    }
    if let cue = faults.worst(\.isPresent)?.cue ?? praise, speech.allows(time) {
      events.append(Event(time, .cue(cue)))
    }
  }

  private static func countingRule(
    _ signal: ExerciseSignal, _ rule: RepRule, _ cycle: RepCycle, _ values: ParameterValues
  ) -> CountingRule {
    func limit(_ parameter: Parameter) -> CountingRule.Limit<Microseconds> {
      CountingRule.Limit(Microseconds(seconds: values[parameter]) ?? .zero, by: parameter.name)
    }
    var counting = CountingRule(
      cycle, signal: signal.title, unit: signal.unit.rawValue, start: rule.start.name, turn: rule.turn.name,
      hysteresis: rule.hysteresis.name,
      shortest: limit(rule.minimumDuration), cooldown: limit(rule.cooldown))
    if let adaptation = rule.adaptation, values.isOn(adaptation.isOn) {
      let falls = cycle.turn < cycle.start
      counting.steps = [
        CountingRule.Step(.begin, isAbove: !falls, nil, by: adaptation.margin.name),
        CountingRule.Step(.turn, isAbove: !falls, nil, by: adaptation.turnMargin.name),
        CountingRule.Step(.end, isAbove: falls, nil, by: adaptation.margin.name),
      ]
      counting.range = CountingRule.Limit(values[adaptation.minimumRange], by: adaptation.minimumRange.name)
    }
    return counting
  }

  private static func guides(
    _ exercise: ExerciseDefinition, _ rule: RepRule, _ measurement: ExerciseMeasurement, _ values: ParameterValues
  ) -> [Guide] {
    let adapts = rule.adaptation.map { values.isOn($0.isOn) } ?? false
    let counted =
      adapts
      ? []
      : measurement.guide(rule.signal, values[rule.start], rule.start.name)
        + measurement.guide(rule.signal, values[rule.turn], rule.turn.name)
    return counted
      + exercise.faults.flatMap { fault in
        fault.conditions.flatMap { condition in
          condition.statistic == .range || condition.statistic == .rise
            ? [] : measurement.guide(condition.signal, values[condition.threshold], fault.name)
        }
      }
  }
}

/// Thresholds of a rep that follow the recent range of its signal.
struct RepAdaptation: Sendable {
  private var range: RunningRange
  private let minimumRange: Float
  private let margin: Float
  private let turnMargin: Float
  private let falls: Bool
  private let countsShallow: Bool

  init(_ rule: RepRule.Adaptation, falls: Bool, countsShallow: Bool, _ values: ParameterValues) {
    range = RunningRange(memory: Float(values[rule.memory]))
    minimumRange = Float(values[rule.minimumRange])
    margin = Float(values[rule.margin])
    turnMargin = Float(values[rule.turnMargin])
    self.falls = falls
    self.countsShallow = countsShallow
  }

  /// The thresholds after the next value; `nil` while the signal does not move.
  ///
  /// The hysteresis is a tenth of the range, more than the usual noise. `fullTurn` is the turn by the range; `turn` is
  /// nearer to the start if shallow reps count.
  ///
  /// - Parameter isUnderWay: Whether a rep has been counted: the next one may be smaller if shallow reps count.
  mutating func thresholds(
    _ value: Float, at time: Microseconds, isUnderWay: Bool
  ) -> (start: Float, turn: Float, fullTurn: Float, hysteresis: Float)? {
    range.add(value, at: time)
    guard range.width >= (countsShallow && isUnderWay ? 0.7 : 1) * minimumRange else { return nil }
    let start = range.value(at: falls ? 1 - margin : margin)
    let full = range.value(at: falls ? turnMargin : 1 - turnMargin)
    guard countsShallow else { return (start, full, full, 0.1 * range.width) }
    let (shallow, hysteresis) = (0.5 * minimumRange, 0.1 * minimumRange)
    // In a wide range a movement that leaves the start has gone that far.
    let turn =
      falls
      ? max(full, min(range.high - shallow, start - hysteresis))
      : min(full, max(range.low + shallow, start + hysteresis))
    return (start, turn, full, hysteresis)
  }
}

/// The recent range of a signal. It grows at once with a value outside and shrinks towards the signal with a time
/// constant.
struct RunningRange: Sendable {
  private(set) var low = Float.nan
  private(set) var high = Float.nan
  private let memory: Float
  private var last = Microseconds.zero

  /// - Parameter memory: The time constant in seconds, above 0.
  init(memory: Float) { self.memory = memory }

  /// The ends of the range; NaN before the first value.
  var width: Float { high - low }

  /// The value at a share of the range: 0 is its low end, 1 its high end.
  func value(at share: Float) -> Float { low + share * width }

  /// Adds the next value; ignores an unknown one (NaN).
  mutating func add(_ value: Float, at time: Microseconds) {
    guard value.isFinite else { return }
    guard low.isFinite else {
      (low, high, last) = (value, value, time)
      return
    }
    let share = min(1, Float((time - last).seconds) / memory)
    low = min(value, low + (value - low) * share)
    high = max(value, high + (value - high) * share)
    last = time
  }
}
