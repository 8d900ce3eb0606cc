import PoseModel

/// An exercise as data: its signals, the rule for reps or holds, and their faults.
///
/// It comes from a file or from code. Every number in it is a `Parameter`, which can be set and swept. `definition`
/// makes the detector.
public struct ExerciseDefinition: Hashable, Sendable {
  /// The rule that recognises an exercise.
  public enum Rule: Hashable, Sendable {
    /// Reps are counted.
    case reps(RepRule)
    /// A posture is held.
    case hold(HoldRule)
  }

  /// The name in datasets: `push-up`. Letters, digits and hyphens.
  public var name: String
  /// One sentence.
  public var summary: String
  /// The source of the rules and thresholds.
  public var source: String
  /// The required joints. For a joint with sides, one side is enough.
  public var joints: [Joint]
  /// The signals measured on every frame. Rules refer to them by index.
  public var signals: [ExerciseSignal]
  /// The rule that counts reps or recognises holds.
  public var rule: Rule
  /// The faults in the order of the file: of two equally severe faults, the earlier one is spoken.
  public var faults: [ExerciseFault]
  /// The praise after a rep without faults; `nil` for none.
  public var praise: String?
  /// The confidence thresholds of the joints.
  public var visibilityThresholds: VisibilityThresholds
  /// The minimum time between two cues, in seconds.
  public var speechCooldown: Parameter

  public init(
    name: String, summary: String, source: String, joints: [Joint], signals: [ExerciseSignal], rule: Rule,
    faults: [ExerciseFault], praise: String?, visibilityThresholds: VisibilityThresholds, speechCooldown: Parameter
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.joints = joints
    self.signals = signals
    self.rule = rule
    self.faults = faults
    self.praise = praise
    self.visibilityThresholds = visibilityThresholds
    self.speechCooldown = speechCooldown
  }

  /// All parameters of the exercise.
  public var parameters: [Parameter] {
    let own =
      switch rule {
      case .reps(let rule): rule.parameters
      case .hold(let rule): rule.parameters
      }
    return own + faults.flatMap(\.parameters) + (faults.isEmpty ? [] : [speechCooldown]) + visibilityThresholds.all
  }
}

extension ExerciseDefinition {
  /// The name of the detector: `exercise-push-up`.
  public var detectorName: String { Self.detectorName(of: name) }

  /// The name of the detector of an exercise.
  public static func detectorName(of exercise: String) -> String { "exercise-\(exercise)" }

  /// The definition of the detector.
  public var definition: DetectorDefinition {
    DetectorDefinition(profile: profile, parameters: parameters) { (values) throws(ParameterError) in
      switch rule {
      case .reps(let rule): try RepExerciseDetector(self, rule, values)
      case .hold(let rule): HoldExerciseDetector(self, rule, values)
      }
    }
  }

  private var profile: DetectorProfile {
    let names = faults.map(\.name)
    let kind: DetectorProfile.Kind
    var tasks: [DetectorTask]
    switch rule {
    case .reps: (kind, tasks) = (.reps, [.counts, .countConfidence])
    case .hold(let rule): (kind, tasks) = (.posture, [.postures([rule.label] + names)])
    }
    if !faults.isEmpty { tasks += [.faults(names), .grades("form"), .cues(every: speechCooldown)] }
    return DetectorProfile(
      name: detectorName, kind: kind, exercise: name, summary: summary, source: source, joints: joints, tasks: tasks)
  }
}

/// A signal of an exercise, with its name in the rules.
public struct ExerciseSignal: Hashable, Sendable {
  /// The quantity, with the measured parts of the body.
  public enum Measure: Hashable, Sendable {
    /// The angle at the second joint in degrees.
    case angle(BodyPart, BodyPart, BodyPart)
    /// The angle from the vertical in degrees.
    case lean(lower: BodyPart, upper: BodyPart)
    /// The height of a part above another, in reference lengths; positive is up.
    case height(BodyPart, above: BodyPart, per: ReferenceLength)
    /// The height of a part above the line through two others, in reference lengths; positive is up.
    case heightOverLine(BodyPart, from: BodyPart, to: BodyPart, per: ReferenceLength)
    /// The distance between two parts, in reference lengths, 0 or more.
    case distance(BodyPart, BodyPart, along: BodyDistance.Axis, per: ReferenceLength)
    /// The speed of a joint relative to another, in trunk lengths per second.
    case speed(BodyPart, from: BodyPart)
  }

  /// The reference length that divides a height or distance in the picture.
  public enum Reference: String, CaseIterable, Hashable, Sendable {
    /// The length on the same frame.
    case current
    /// The longest recent length: a trunk that leans towards the camera looks shorter, but is not.
    case longest
  }

  /// The name in the exercise's rules.
  public var name: String
  /// The measured quantity.
  public var measure: Measure
  /// The combination of both sides' values.
  public var side: SideRule
  /// The reference length of a height or distance; ignored for other quantities.
  public var reference: Reference

  public init(_ name: String, _ measure: Measure, side: SideRule, reference: Reference = .current) {
    self.name = name
    self.measure = measure
    self.side = side
    self.reference = reference
  }

  /// The unit of thresholds on the signal.
  public var unit: Parameter.Unit {
    switch measure {
    case .angle, .lean: .degrees
    case .height(_, _, let per), .heightOverLine(_, _, _, let per), .distance(_, _, _, let per):
      per == .trunk ? .trunkLengths : .ratio
    case .speed: .trunkLengthsPerSecond
    }
  }

  /// The name in sentences: `knee angle`, `upper arm lean`.
  var title: String {
    let kind =
      switch measure {
      case .angle: "angle"
      case .lean: "lean"
      case .height, .heightOverLine: "height"
      case .distance: "distance"
      case .speed: "speed"
      }
    return "\(name.replacing("_", with: " ")) \(kind)"
  }

  /// The measurements on single frames: one signal; for a speed, two coordinates; with the longest reference length,
  /// the value divided by the current length, and the current length.
  ///
  /// Uses the signals of built-in detectors if they measure the same, which shares the measurement.
  func signals(_ visibility: Visibility) -> [any Signal] {
    switch measure {
    case .angle(let from, let vertex, let to):
      if side == .mean, [from, vertex, to].map(\.name) == ["hip", "knee", "ankle"] {
        return [LimbAngle(.knee, visibility)]
      }
      return [JointAngle(from: from, vertex: vertex, to: to, side: side, visibility)]
    case .lean(let lower, let upper):
      if side == .mean, [lower, upper].map(\.name) == ["hip", "shoulder"] { return [TrunkLean(visibility)] }
      return [SegmentLean(lower: lower, upper: upper, side: side, visibility)]
    case .height(let part, let base, let length):
      return [JointHeight(part, above: base, per: length, side: side, visibility)] + lengths(length, visibility)
    case .heightOverLine(let part, let from, let to, let length):
      return [HeightOverLine(part, from: from, to: to, per: length, side: side, visibility)]
        + lengths(length, visibility)
    case .distance(let from, let to, let axis, let length):
      return [BodyDistance(from: from, to: to, along: axis, per: length, side: side, visibility)]
        + lengths(length, visibility)
    case .speed(let part, let base):
      return [
        BodyOffset(part: part, base: base, axis: .right, side: side, visibility: visibility),
        BodyOffset(part: part, base: base, axis: .up, side: side, visibility: visibility),
      ]
    }
  }

  /// For an angle that may be measured in space: the angle there, and the length of its limbs; empty for others.
  func inSpace(_ visibility: Visibility) -> [any Signal] {
    guard visibility.usesDepth, case .angle(let from, let vertex, let to) = measure else { return [] }
    return signals(visibility) + [LimbsInSpace(from: from, vertex: vertex, to: to, visibility)]
  }

  private func lengths(_ length: ReferenceLength, _ visibility: Visibility) -> [any Signal] {
    reference == .longest ? [LengthInPicture(length, side: side, visibility)] : []
  }

  /// Whether the values are divided by the longest reference length.
  var isByLongest: Bool {
    switch measure {
    case .angle, .lean, .speed: false
    case .height, .heightOverLine, .distance: reference == .longest
    }
  }
}

/// The rule that counts the reps of an exercise: a signal goes from the start past the turn and back.
public struct RepRule: Hashable, Sendable {
  /// Thresholds that follow the signal, for recordings with distorted values.
  public struct Adaptation: Hashable, Sendable {
    /// Whether these thresholds replace the fixed ones.
    public var isOn: Parameter
    /// The time constant with which the range shrinks towards the signal, in seconds.
    public var memory: Parameter
    /// The minimum range of a movement, in the signal's unit.
    public var minimumRange: Parameter
    /// The distance of the start from its end of the range, as a share of the range.
    public var margin: Parameter
    /// The distance of the turn from the other end of the range, as a share of the range.
    public var turnMargin: Parameter

    public init(
      isOn: Parameter, memory: Parameter, minimumRange: Parameter, margin: Parameter, turnMargin: Parameter
    ) {
      self.isOn = isOn
      self.memory = memory
      self.minimumRange = minimumRange
      self.margin = margin
      self.turnMargin = turnMargin
    }

    var parameters: [Parameter] { [isOn, memory, minimumRange, margin, turnMargin] }
  }

  /// The index in the exercise's signals.
  public var signal: Int
  /// The time over which the signal is averaged before counting, in seconds; `nil` for no average.
  public var average: Parameter?
  /// The threshold at which a rep begins and ends.
  public var start: Parameter
  /// The value that a rep must reach to count. Below `start` if the signal falls on the way to the turn.
  public var turn: Parameter
  /// The distance past `start` and `turn` at which the phase changes, in the signal's unit.
  public var hysteresis: Parameter
  /// The value past which a movement is graded, even if it does not reach the turn and does not count.
  public var attempt: Parameter?
  /// The minimum time between the ends of two counted reps, in seconds.
  public var cooldown: Parameter
  /// The minimum duration of a counted rep, in seconds.
  public var minimumDuration: Parameter
  /// The time after the end of a rep that is part of its judgement, in seconds.
  public var finish: Parameter
  /// The time without joints after which a rep in progress is dropped, in seconds; `nil` for never.
  public var forget: Parameter?
  /// The names of the phases: start, way to the turn, turn, way back.
  public var phases: [String]
  /// Thresholds that follow the recent range of the signal; `nil` for fixed ones.
  public var adaptation: Adaptation?

  /// - Precondition: `phases` has four names.
  public init(
    signal: Int, average: Parameter?, start: Parameter, turn: Parameter, hysteresis: Parameter, attempt: Parameter?,
    cooldown: Parameter, minimumDuration: Parameter, finish: Parameter, forget: Parameter?, phases: [String],
    adaptation: Adaptation?
  ) {
    precondition(phases.count == 4)
    self.signal = signal
    self.average = average
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
    self.attempt = attempt
    self.cooldown = cooldown
    self.minimumDuration = minimumDuration
    self.finish = finish
    self.forget = forget
    self.phases = phases
    self.adaptation = adaptation
  }

  var parameters: [Parameter] {
    [start, turn, hysteresis] + [attempt, average].compactMap(\.self) + [cooldown, minimumDuration, finish]
      + [forget].compactMap(\.self) + (adaptation?.parameters ?? [])
  }
}

/// The rule that recognises the holds of an exercise: conditions on each frame.
public struct HoldRule: Hashable, Sendable {
  /// The conditions, all of which must be true.
  public var conditions: [ExerciseCondition]
  /// The label of a hold without faults. A hold with a fault has the fault's name.
  public var label: String
  /// The label of everything else.
  public var rest: String
  /// The minimum duration of a reported hold or fault, in seconds.
  public var minimumDuration: Parameter

  public init(conditions: [ExerciseCondition], label: String, rest: String, minimumDuration: Parameter) {
    self.conditions = conditions
    self.label = label
    self.rest = rest
    self.minimumDuration = minimumDuration
  }

  var parameters: [Parameter] { conditions.map(\.threshold) + [minimumDuration] }
}

/// A possible fault of a rep or a hold.
public struct ExerciseFault: Hashable, Sendable {
  /// The name in labels: `hips_sag`.
  public var name: String
  /// The message to the person.
  public var message: String
  /// The severity. Of several faults the most severe one is spoken.
  public var severity: Cue.Priority
  /// The deduction from the 100 points of a rep or hold.
  public var deduction: Parameter
  /// The conditions, all of which must be true. A condition on an unknown signal is false.
  public var conditions: [ExerciseCondition]

  public init(
    name: String, message: String, severity: Cue.Priority, deduction: Parameter, conditions: [ExerciseCondition]
  ) {
    self.name = name
    self.message = message
    self.severity = severity
    self.deduction = deduction
    self.conditions = conditions
  }

  var parameters: [Parameter] { conditions.map(\.threshold) + [deduction] }
}

/// A signal, or a statistic of it over a rep, above or below a threshold.
public struct ExerciseCondition: Hashable, Sendable {
  /// The side of the threshold on which the condition is true.
  public enum Bound: String, CaseIterable, Hashable, Sendable {
    /// Strictly greater, or strictly less, than the threshold.
    case above, below
  }

  /// The index in the exercise's signals.
  public var signal: Int
  /// The statistic of the signal; a hold uses each frame's value.
  public var statistic: ExerciseStatistic
  /// The index of the tested phase in the rule's phases; `nil` for the whole rep. The first phase is its finish.
  public var phase: Int?
  /// The side of the threshold on which the condition is true.
  public var bound: Bound
  /// The threshold in the signal's unit.
  public var threshold: Parameter

  public init(signal: Int, statistic: ExerciseStatistic, phase: Int?, bound: Bound, threshold: Parameter) {
    self.signal = signal
    self.statistic = statistic
    self.phase = phase
    self.bound = bound
    self.threshold = threshold
  }
}

/// The statistic of a signal over a rep that is compared with a threshold.
public enum ExerciseStatistic: String, CaseIterable, Hashable, Sendable {
  /// The minimum, maximum and mean over the frames with a known signal.
  case minimum, maximum, mean
  /// Maximum minus minimum.
  case range
  /// Maximum minus the first known value.
  case rise
  /// The first known value.
  case atStart = "at_start"
  /// The value at the turn, or the last known one before it.
  case atTurn = "at_turn"
  /// The last known value.
  case atEnd = "at_end"
}
