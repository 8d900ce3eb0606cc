import PoseModel

/// Grades a rep by how far it is from sound reps towards faulty ones.
///
/// A rep is a fall and rise of one angle by at least `minimumRange`; it is judged once the angle is back up by 70 % of
/// its fall. On each measure a rep is at −0.5 where sound reps usually are and at 0.5 where a faulty one is: linear, at
/// least −0.5 and at most 3: one good point cannot hide a bad one. An unknown measure is 0. The grade is 100
/// times the logistic of the mean, 50 half way. Below 50 the rep has the fault of every measure that is closer to
/// faulty. A judge in 3D ignores frames without depth.
///
/// The reference values are learned from recordings by `training/form-judges/train.py`, which also measures them on
/// people left out.
public struct FormJudge<Exercise: JudgedExercise>: Detector {
  public static var profile: DetectorProfile {
    let form = Exercise.form
    return DetectorProfile(
      name: "judge-\(form.exercise)", kind: .form, exercise: form.exercise, summary: form.summary, source: form.source,
      joints: form.joints, faults: form.faults, criterion: "form", trainedOn: form.trainedOn)
  }

  public static var parameters: [Parameter] {
    let form = Exercise.form
    return [form.minimumRange] + form.measures.flatMap { [$0.sound, $0.faulty] } + form.visibilityThresholds.all
  }

  /// The share of its fall that the angle must rise again.
  private static var recovery: Float { 0.7 }
  /// How steeply the grade falls, for a grade that is the probability of a sound rep in percent: for each judge, a
  /// logistic regression on the people left out of the others gives 7, 9 or 15. Of these, 8 is best for lunges, the only
  /// reps that are confused.
  private static var steepness: Double { 8 }
  private static var span: Microseconds { Microseconds(150_000) }
  /// After a longer time without its joints a new rep is awaited.
  private static var longestGap: Microseconds { Microseconds(2_000_000) }

  private var measurement: ExerciseMeasurement
  private var averages: [TrailingMean]
  private var measures: [JudgedMeasure.Watch]
  private var swing: AngleSwing
  private let needsDepth: Bool
  private var lastSeen: Microseconds?

  public let guides: [Guide]
  public let countingRule: CountingRule?
  public var signals: [any Signal] { measurement.signals }
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    let form = Exercise.form
    let visibility = form.visibilityThresholds.visibility(values)
    let measurement = ExerciseMeasurement(form.signals, visibility, trustsDepth: true)
    var measures: [JudgedMeasure.Watch] = []
    for measure in form.measures { measures.append(try JudgedMeasure.Watch(measure, values)) }
    self.measurement = measurement
    self.measures = measures
    needsDepth = visibility.usesDepth
    averages = form.signals.map { _ in TrailingMean(over: Self.span) }
    swing = AngleSwing(minimumRange: Float(values[form.minimumRange]), recovery: Self.recovery)
    countingRule = CountingRule(falls: form.signals[0].title, by: form.minimumRange, values)
    guides = form.measures.filter { $0.statistic != .range }.flatMap { measure in
      measurement.guide(measure.signal, values[measure.sound], "sound")
        + measurement.guide(measure.signal, values[measure.faulty], measure.fault)
    }
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      if needsDepth, !poses[.leftHip, .z, frame].isFinite, !poses[.rightHip, .z, frame].isFinite { continue }
      let time = poses.time(frame)
      measurement.read(signals, frame, at: time)
      countedValue = averages[0].add(measurement.values[0], at: time)
      if countedValue.isFinite {
        if let lastSeen, time - lastSeen > Self.longestGap { swing.forget() }
        lastSeen = time
      }
      let rep = swing.update(countedValue, at: time)
      if swing.isAtTop {
        for index in measures.indices { measures[index].reset() }
      }
      for index in 1..<averages.count {
        let value = averages[index].add(measurement.values[index], at: time)
        for place in measures.indices where measures[place].signal == index {
          measures[place].add(value, turns: swing.isTurning)
        }
      }
      if let rep { judge(rep, at: time, &events) }
    }
  }

  private func judge(_ rep: Rep, at time: Microseconds, _ events: inout [Event]) {
    var sum: Double = 0
    for measure in measures { sum += Double(measure.distance) }
    let grade = 100 / (1 + Double.exp(Self.steepness * sum / Double(measures.count)))
    events.append(Event(time, .grade(criterion: "form", value: grade, rep: rep)))
    guard grade < 50 else { return }
    for measure in measures where measure.distance > 0 { events.append(Event(time, .fault(measure.fault, rep: rep))) }
  }
}

/// An exercise whose reps can be judged.
public protocol JudgedExercise: Sendable {
  /// The measures on its reps, with their distribution in correct and faulty reps.
  static var form: JudgedForm { get }
}

/// The measures on the reps of an exercise, with their distribution in correct and faulty reps.
public struct JudgedForm: Sendable {
  let exercise: String
  let summary: String
  let source: String
  /// The recordings from which the values were learned.
  let trainedOn: String
  let joints: [Joint]
  /// The rule for the falls of an angle that are reps.
  let minimumRange: Parameter
  /// The angle that falls and rises in a rep, and the signals of the measures.
  let signals: [ExerciseSignal]
  let measures: [JudgedMeasure]
  let visibilityThresholds: VisibilityThresholds

  fileprivate init(
    _ exercise: String, summary: String, source: String, trainedOn: String, joints: [Joint], minimumRange: Double,
    signals: [ExerciseSignal], measures: [JudgedMeasure]
  ) {
    self.exercise = exercise
    self.summary = summary
    self.source = source
    self.trainedOn = trainedOn
    self.joints = joints
    self.minimumRange = Parameter(
      "minimumRange", minimumRange, in: 5...120, .degrees, "An angle that falls and rises by less is no rep.",
      source: "reasoned: well above an estimator's noise, well below a shallow rep")
    self.signals = signals
    self.measures = measures
    visibilityThresholds = VisibilityThresholds(
      minimumConfidence: Parameter(
        "minimumConfidence", 0, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
        source: "0: a joint that an estimator guesses is closer to the truth than none"),
      usesDepth: .toggle(
        "usesDepth", true, "Measures in 3D, and nothing where there is no depth; otherwise in the image.",
        source: "on: learned from motion capture"))
  }

  var faults: [String] { measures.map(\.fault) }
}

/// A property of a rep, and its usual values in sound and in faulty reps.
struct JudgedMeasure: Sendable {
  let sound: Parameter
  let faulty: Parameter
  /// The fault of a rep that is closer to `faulty`.
  let fault: String
  /// Index in the form's signals, after the first.
  let signal: Int
  let statistic: ExerciseStatistic
  /// A greater value is not judged.
  let limit: Float

  fileprivate init(
    _ name: String, _ fault: String, _ signal: Int, _ statistic: ExerciseStatistic, sound: Double, faulty: Double,
    upTo limit: Float = .infinity, _ summary: String
  ) {
    let source = "learned from recordings by training/form-judges/train.py"
    self.sound = Parameter("\(name)Sound", sound, in: 0...180, .degrees, "In a sound rep: \(summary).", source: source)
    self.faulty = Parameter(
      "\(name)Faulty", faulty, in: 0...180, .degrees, "In a faulty rep: \(summary).", source: source)
    self.fault = fault
    self.signal = signal
    self.statistic = statistic
    self.limit = limit
  }

  /// Measures a rep.
  struct Watch: Sendable {
    let signal: Int
    private let measure: JudgedMeasure
    private let middle: Float
    private let scale: Float
    private var statistic: SignalStatistic

    init(_ measure: JudgedMeasure, _ values: ParameterValues) throws(ParameterError) {
      let (sound, faulty) = (values[measure.sound], values[measure.faulty])
      guard sound != faulty else {
        throw .contradiction("\(measure.sound.name) and \(measure.faulty.name) (\(sound)) must differ")
      }
      self.measure = measure
      signal = measure.signal
      middle = Float((sound + faulty) / 2)
      scale = Float(faulty - sound)
      statistic = SignalStatistic(measure.statistic)
    }

    mutating func reset() { statistic.reset() }
    mutating func add(_ value: Float, turns: Bool) { statistic.add(value, turns: turns) }

    /// −0.5 is sound, 0.5 to 3 faulty, 0 half way or unknown.
    var distance: Float {
      let value = statistic.value
      guard value.isFinite, value <= measure.limit else { return 0 }
      return min(max((value - middle) / scale, -0.5), 3)
    }

    var fault: String { measure.fault }
  }
}

/// Squats in 3D, with the arms overhead or in any other way.
public enum SquatForm: JudgedExercise {
  public static let form = JudgedForm(
    "squat", summary: "Grades squats by depth, lean of the trunk and arms that fall forward.",
    source: "learned from correct and incorrect squats of UI-PRMD (Vakanski et al. 2018)",
    trainedOn: "ui-prmd",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder], minimumRange: 20,
    signals: [
      ExerciseSignal("knee", .angle(.hip, .knee, .ankle), side: .mean),
      ExerciseSignal("thigh", .lean(lower: .knee, upper: .hip), side: .mean),
      ExerciseSignal("trunk", .lean(lower: .hip, upper: .shoulder), side: .mean),
      ExerciseSignal("arms", .lean(lower: .shoulder, upper: .wrist), side: .mean),
    ],
    measures: [
      JudgedMeasure("depth", "shallow", 1, .maximum, sound: 101, faulty: 88, "the thighs' greatest lean, 90 level"),
      JudgedMeasure("lean", "forward_lean", 2, .maximum, sound: 28.5, faulty: 36, "the greatest lean of the trunk"),
      JudgedMeasure(
        "arms", "arms_forward", 3, .atTurn, sound: 53.5, faulty: 62.5, upTo: 110,
        "the lean of raised arms at the turn; arms that hang are not judged"),
    ])
}

/// Lunges in 3D.
public enum LungeForm: JudgedExercise {
  public static let form = JudgedForm(
    "lunge", summary: "Grades lunges by how still trunk, shoulders and raised arms stay.",
    source: "learned from correct and incorrect lunges of UI-PRMD (Vakanski et al. 2018)",
    trainedOn: "ui-prmd",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder, .rightShoulder], minimumRange: 20,
    signals: [
      ExerciseSignal("knee", .angle(.hip, .knee, .ankle), side: .mean),
      ExerciseSignal("shoulders", .lean(lower: .leftShoulder, upper: .rightShoulder), side: .mean),
      ExerciseSignal("trunk", .lean(lower: .hip, upper: .shoulder), side: .mean),
      ExerciseSignal("arms", .lean(lower: .shoulder, upper: .wrist), side: .mean),
    ],
    measures: [
      JudgedMeasure(
        "shoulders", "shoulders_tilt", 1, .range, sound: 2.4, faulty: 5.6, "how far the shoulders' line tilts"),
      JudgedMeasure("sway", "trunk_sways", 2, .range, sound: 3.2, faulty: 7, "how far the trunk's lean changes"),
      JudgedMeasure(
        "arms", "arms_forward", 3, .atTurn, sound: 55.5, faulty: 63.5, upTo: 110,
        "the lean of raised arms at the turn; arms that hang are not judged"),
    ])
}

extension CountingRule {
  /// The rule of an `AngleSwing`.
  init(falls angle: String, by minimumRange: Parameter, _ values: ParameterValues) {
    self.init(
      signal: angle, unit: Parameter.Unit.degrees.rawValue, steps: [],
      range: Limit(values[minimumRange], by: minimumRange.name))
  }
}

/// Finds the falls and rises of an angle.
struct AngleSwing: Sendable {
  private let minimumRange: Float
  private let recovery: Float
  private var high = Float.nan
  private var low = Float.nan
  private var isFalling = true
  private var top = Microseconds.zero
  private var turn = Microseconds.zero
  /// Whether the newest frame is the highest since the last rep.
  private(set) var isAtTop = false
  /// Whether the newest frame is the lowest since the top.
  private(set) var isTurning = false

  init(minimumRange: Float, recovery: Float) {
    self.minimumRange = minimumRange
    self.recovery = recovery
  }

  mutating func forget() { self = AngleSwing(minimumRange: minimumRange, recovery: recovery) }

  /// Processes the next value; an unknown one (NaN) changes nothing.
  ///
  /// A recording may begin in the middle of a rep: then a fall of half the range is enough.
  ///
  /// - Returns: The rep that is over, from the highest angle to this frame.
  mutating func update(_ value: Float, at time: Microseconds) -> Rep? {
    isAtTop = false
    isTurning = false
    guard value.isFinite else { return nil }
    guard high.isFinite else {
      begin(value, at: time)
      return nil
    }
    guard isFalling else {
      if value > high {
        begin(value, at: time)
        isFalling = false
      } else if high - value >= minimumRange / 2 {
        isFalling = true
        reach(value, at: time)
      }
      return nil
    }
    if value >= high, high - low < minimumRange / 2 {
      begin(value, at: time)
      return nil
    }
    if value < low { reach(value, at: time) }
    guard value - low >= max(minimumRange, recovery * (high - low)) else { return nil }
    let rep = Rep(start: top, end: time, turn: turn)
    (high, top, isFalling) = (value, time, false)
    return rep
  }

  private mutating func begin(_ value: Float, at time: Microseconds) {
    (high, low, top, turn, isAtTop, isTurning) = (value, value, time, time, true, true)
  }

  private mutating func reach(_ value: Float, at time: Microseconds) {
    (low, turn, isTurning) = (value, time, true)
  }
}
