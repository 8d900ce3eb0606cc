import PoseModel

/// Finds the holds of an exercise that is defined by data, and their faults.
///
/// Each frame is a hold without faults, a hold with its most severe fault, or rest. A state that lasts
/// `minimumDuration` is reported as a phase from its beginning, a fault together with its cue. A finished hold has a
/// grade on `form`: 100 minus the deduction of each fault times its share of the hold, at least 0.
struct HoldExerciseDetector: PoseObserver {
  private let rule: HoldRule
  private let holding: FaultWatch
  private var measurement: ExerciseMeasurement
  private let faults: [FaultWatch]
  private var speech: CueCooldown
  private let minimumDuration: Microseconds
  let guides: [Guide]

  /// Index of a posture: a fault's in `faults`, or one of these.
  private static let rest = -2
  private static let sound = -1
  /// The reported posture.
  private var posture = rest
  /// The observed posture, and its start.
  private var candidate = rest
  private var candidateStart = Microseconds.zero
  /// The start of the reported posture.
  private var postureStart = Microseconds.zero
  private var holdStart: Microseconds?
  /// The reported duration of each fault in this hold.
  private var spent: [Microseconds]

  init(_ exercise: ExerciseDefinition, _ rule: HoldRule, _ values: ParameterValues) {
    self.rule = rule
    measurement = ExerciseMeasurement(exercise.signals, exercise.visibilityThresholds.visibility(values))
    let hold = ExerciseFault(
      name: rule.label, message: "", severity: .low, deduction: rule.minimumDuration, conditions: rule.conditions)
    holding = FaultWatch(hold, values)
    faults = exercise.faults.map { FaultWatch($0, values) }
    speech = CueCooldown(Microseconds(seconds: values[exercise.speechCooldown]) ?? .zero)
    minimumDuration = Microseconds(seconds: values[rule.minimumDuration]) ?? .zero
    spent = [Microseconds](repeating: .zero, count: exercise.faults.count)
    let drawn =
      rule.conditions.map { ($0, "\(rule.label) \($0.bound.rawValue)") }
      + exercise.faults.flatMap { fault in fault.conditions.map { ($0, fault.name) } }
    guides = drawn.flatMap { [measurement] condition, name in
      measurement.guide(condition.signal, values[condition.threshold], name)
    }
  }

  var signals: [any Signal] { measurement.signals }

  mutating func update(_ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      measurement.read(signals, frame, at: time)
      let seen = postureSeen
      if seen != candidate {
        candidate = seen
        candidateStart = time
      }
      if candidate != posture, time - candidateStart >= minimumDuration { enter(at: time, &events) }
    }
  }

  private var postureSeen: Int {
    guard holding.isPresent(in: measurement.values) else { return Self.rest }
    var worst = Self.sound
    for index in faults.indices where faults[index].isPresent(in: measurement.values) {
      if worst == Self.sound || faults[index].cue.priority > faults[worst].cue.priority { worst = index }
    }
    return worst
  }

  /// Reports a posture that has lasted long enough.
  private mutating func enter(at time: Microseconds, _ events: inout [Event]) {
    if posture >= 0 { spent[posture] = spent[posture] + (candidateStart - postureStart) }
    if candidate == Self.rest {
      endHold(at: time, &events)
    } else if posture == Self.rest {
      holdStart = candidateStart
      for index in spent.indices { spent[index] = .zero }
    }
    posture = candidate
    postureStart = candidateStart
    events.append(Event(time: postureStart, reported: time, kind: .phase(name)))
    guard posture >= 0, let holdStart else { return }
    events.append(
      Event(time: postureStart, reported: time, kind: .fault(name, rep: Rep(start: holdStart, end: postureStart))))
    if speech.allows(time) { events.append(Event(time, .cue(faults[posture].cue))) }
  }

  private var name: String {
    switch posture {
    case Self.rest: rule.rest
    case Self.sound: rule.label
    default: faults[posture].name
    }
  }

  private mutating func endHold(at time: Microseconds, _ events: inout [Event]) {
    guard let start = holdStart else { return }
    holdStart = nil
    let hold = Rep(start: start, end: candidateStart)
    let duration = max(hold.duration.seconds, .leastNonzeroMagnitude)
    let lost = faults.indices.reduce(0) { $0 + faults[$1].deduction * (spent[$1].seconds / duration) }
    events.append(
      Event(
        time: hold.end, reported: time, kind: .grade(criterion: "form", value: max(0, 100 - lost), rep: hold)))
  }
}
