import PoseModel

/// Grades a rep by how far it is from sound reps towards faulty ones.
///
/// Nothing is graded while the latest reps look like another movement (`ExerciseGate`).
///
/// A rep is a fall and rise of the knee angle by at least `minimumRange`; where there is no depth, of the hips' height
/// over the ankles by at least `minimumDrop`. It is judged once the fall is undone by 70 %. On each measure a rep is at
/// −0.5 where sound reps usually are and at 0.5 where a faulty one is: linear, at least −0.5 and at most 3: one good
/// point cannot hide a bad one. The grade is 100 times the logistic of the mean over the known measures, 50 at an offset
/// that is learned. Below 50 the rep has the faults of the measures beyond this offset. In a picture the same measures
/// have other values, which stand for views from all sides.
///
/// The values and offsets are learned from recordings by `training/form-judges/train.py`, which also measures them on
/// people left out.
public struct FormJudge<Exercise: JudgedExercise>: Detector {
  public static var profile: DetectorProfile {
    let form = Exercise.form
    return DetectorProfile(
      name: "judge-\(form.exercise)", kind: .form, exercise: form.exercise, summary: form.summary, source: form.source,
      joints: form.joints, tasks: [.faults(form.faults), .grades("form")], trainedOn: form.trainedOn)
  }

  public static var parameters: [Parameter] {
    let form = Exercise.form
    return [form.minimumRange, form.minimumDrop, form.leastOdds, form.leastOddsInPicture]
      + form.measures.flatMap { [$0.sound, $0.faulty] }
      + form.visibilityThresholds.all
  }

  /// Judges where there is depth; `nil` if it is not used.
  private var space: RepJudgement?
  private var picture: RepJudgement
  private var recent: RecentPoses

  public let guides: [Guide]
  public let countingRule: CountingRule?
  public var signals: [any Signal] { (space?.signals ?? []) + picture.signals }
  /// Known only where there is depth.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    let form = Exercise.form
    let visibility = form.visibilityThresholds.visibility(values)
    var space: RepJudgement?
    if visibility.usesDepth { space = try RepJudgement(form, values, visibility, firstColumn: 0) }
    let picture = try RepJudgement(
      form, values, Visibility(minimumConfidence: visibility.minimumConfidence, usesDepth: false),
      firstColumn: space?.signals.count ?? 0)
    if let space {
      guides = space.guides
      countingRule = CountingRule(falls: JudgedSignal.knee.exerciseSignal.title, by: form.minimumRange, values)
    } else {
      guides = picture.guides
      countingRule = nil
    }
    self.picture = picture
    self.space = space
    // As where the gate was learned.
    let confidence = Float(RepsAny.visibilityThresholds.minimumConfidence.defaultValue)
    recent = RecentPoses(Visibility(minimumConfidence: confidence, usesDepth: visibility.usesDepth))
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      recent.add(poses, frame)
      if space != nil, poses[.leftHip, .z, frame].isFinite || poses[.rightHip, .z, frame].isFinite {
        space?.update(signals, frame, at: time, recent, &events)
        countedValue = space?.countedValue ?? .nan
      } else {
        picture.update(signals, frame, at: time, recent, &events)
        countedValue = .nan
      }
    }
  }
}

/// Finds the reps of an exercise in space or in a picture, and grades them.
private struct RepJudgement: Sendable {
  /// The share of the fall that must be undone.
  private static let recovery: Float = 0.7
  /// How steeply the grade falls, for a grade that is the probability of a sound rep in percent: logistic regressions on
  /// people left out give 5.8 to 7.4 for the two exercises in space and in pictures.
  private static let steepness: Double = 6.5
  /// A rep with a lower grade has faults.
  private static let faultGrade: Double = 50
  private static let span = Microseconds(150_000)
  /// After a longer time without its joints a new rep is awaited.
  private static let longestGap = Microseconds(2_000_000)
  /// Arms that lean more at any time of a rep are not raised, and not judged.
  private static let hanging: Float = 110
  /// The reps that the gate looks at: a set opens it, whatever was done before.
  private static let memory = 3

  private var measurement: ExerciseMeasurement
  private var averages: [TrailingMean]
  /// The averages on the last frame.
  private var averaged: [Float]
  /// The index of the signal that falls in a rep.
  private let counted: Int
  /// The index of the arms' lean.
  private let arms: Int
  private var greatestArms = SignalStatistic(.maximum)
  private var measures: [JudgedMeasure.Watch]
  private var swing: AngleSwing
  /// `nil` for an exercise without one.
  private var gate: ExerciseGate?
  /// The mean distance of a grade of 50.
  private let offset: Double
  private var lastSeen: Microseconds?

  let guides: [Guide]

  var signals: [any Signal] { measurement.signals }
  var countedValue: Float { averaged[counted] }

  /// - Parameter firstColumn: The column of the first signal among those of the detector.
  init(
    _ form: JudgedForm, _ values: ParameterValues, _ visibility: Visibility, firstColumn: Int
  ) throws(ParameterError) {
    let inSpace = visibility.usesDepth
    let signals = form.signals
    let measurement = ExerciseMeasurement(
      signals.map(\.exerciseSignal), visibility, trustsDepth: true, firstColumn: firstColumn)
    var measures: [JudgedMeasure.Watch] = []
    var guides: [Guide] = []
    for measure in form.measures {
      let watch = try JudgedMeasure.Watch(measure, among: signals, values, inSpace: inSpace)
      measures.append(watch)
      guard measure.statistic != .range, measure.other == nil else { continue }
      guides += measurement.guide(watch.signal, watch.sound, "sound")
      guides += measurement.guide(watch.signal, watch.faulty, measure.fault)
    }
    self.measurement = measurement
    self.measures = measures
    self.guides = guides
    averages = signals.map { _ in TrailingMean(over: Self.span) }
    averaged = signals.map { _ in Float.nan }
    counted = signals.firstIndex(of: inSpace ? .knee : .hipsHeight) ?? 0
    arms = signals.firstIndex(of: .arms) ?? 0
    swing = AngleSwing(
      minimumRange: Float(values[inSpace ? form.minimumRange : form.minimumDrop]), recovery: Self.recovery)
    gate = ExerciseGate(
      form.exercise, limit: values[inSpace ? form.leastOdds : form.leastOddsInPicture], memory: Self.memory)
    offset = inSpace ? form.offset : form.offsetInPicture
  }

  mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds, _ recent: borrowing RecentPoses,
    _ events: inout [Event]
  ) {
    measurement.read(signals, frame, at: time)
    for index in averages.indices { averaged[index] = averages[index].add(measurement.values[index], at: time) }
    if countedValue.isFinite {
      if let lastSeen, time - lastSeen > Self.longestGap { swing.forget() }
      lastSeen = time
    }
    let rep = swing.update(countedValue, at: time)
    if swing.isAtTop {
      for index in measures.indices { measures[index].reset() }
      greatestArms.reset()
    }
    for index in measures.indices { measures[index].add(averaged, turns: swing.isTurning) }
    greatestArms.add(averaged[arms], turns: swing.isTurning)
    if let rep {
      gate?.add(recent.samples(of: rep), seconds: rep.duration.seconds)
      if gate?.isOpen != false { judge(rep, at: time, &events) }
    }
  }

  private func judge(_ rep: Rep, at time: Microseconds, _ events: inout [Event]) {
    let isHanging = greatestArms.value > Self.hanging
    var sum: Double = 0
    var known: [(fault: String, distance: Double)] = []
    var evidence: (distance: Float, measure: JudgedMeasure.Watch)?
    for measure in measures where !(isHanging && measure.isOfRaisedArms) {
      guard let distance = measure.distance else { continue }
      if distance > evidence?.distance ?? -.infinity { evidence = (distance, measure) }
      known.append((measure.fault, Double(distance)))
      sum += Double(distance)
    }
    guard !known.isEmpty else { return }
    let grade = 100 / (1 + Double.exp(Self.steepness * (sum / Double(known.count) - offset)))
    events.append(
      Event(
        time, .grade(criterion: "form", value: grade, rep: rep),
        evidence: evidence?.measure.evidence(limit: Self.faultGrade)))
    guard grade < Self.faultGrade else { return }
    var named: [String] = []
    for (fault, distance) in known where distance > offset && !named.contains(fault) {
      named.append(fault)
      events.append(Event(time, .fault(fault, rep: rep)))
    }
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
  /// The rule for the falls of the knee angle that are reps, and for those of the hips in a picture.
  let minimumRange: Parameter
  let minimumDrop: Parameter
  /// The limits of the gate.
  let leastOdds: Parameter
  let leastOddsInPicture: Parameter
  /// The mean distance of a rep that is as likely sound as faulty.
  let offset: Double
  let offsetInPicture: Double
  let measures: [JudgedMeasure]
  let visibilityThresholds: VisibilityThresholds

  fileprivate init(
    _ exercise: String, summary: String, source: String, trainedOn: String, joints: [Joint],
    leastOdds: (inSpace: Double, inPicture: Double), offset: Double, offsetInPicture: Double, measures: [JudgedMeasure]
  ) {
    self.exercise = exercise
    self.summary = summary
    self.source = source
    self.trainedOn = trainedOn
    self.joints = joints
    self.offset = offset
    self.offsetInPicture = offsetInPicture
    self.measures = measures
    minimumRange = Parameter(
      "minimumRange", 15, in: 5...120, .degrees, "With depth, a knee angle that falls and rises by less is no rep.",
      source: "reasoned: well above an estimator's noise, well below a shallow rep")
    minimumDrop = Parameter(
      "minimumDrop", 0.2, in: 0.02...2, .trunkLengths, "Without depth, hips that fall and rise by less are no rep.",
      source: "reasoned: well above an estimator's noise, well below a shallow rep")
    func limit(_ name: String, _ value: Double, _ place: String) -> Parameter {
      Parameter(
        name, value, in: -7...6, .ratio,
        "\(place), nothing is graded while the latest reps' log odds of this exercise are lower; -7 grades all.",
        source: "chosen on UI-PRMD and its pictures, RepCount and Countix: hardly any rep of the exercise is left out")
    }
    self.leastOdds = limit("leastOdds", leastOdds.inSpace, "With depth")
    leastOddsInPicture = limit("leastOddsInPicture", leastOdds.inPicture, "Without depth")
    visibilityThresholds = VisibilityThresholds(
      minimumConfidence: Parameter(
        "minimumConfidence", 0, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
        source: "0: a joint that an estimator guesses is closer to the truth than none"),
      usesDepth: .toggle(
        "usesDepth", true, "Measures in 3D where there is depth, and in the image elsewhere; otherwise in the image.",
        source: "on: lunges are judged better in motion capture than in its pictures"))
  }

  var faults: [String] {
    measures.reduce(into: []) { faults, measure in
      if !faults.contains(measure.fault) { faults.append(measure.fault) }
    }
  }

  /// The signals that find the reps, and those of the measures.
  fileprivate var signals: [JudgedSignal] {
    let used = measures.flatMap { [$0.signal, $0.other].compactMap(\.self) }
    return JudgedSignal.allCases.filter { [.knee, .hipsHeight, .arms].contains($0) || used.contains($0) }
  }
}

/// What is measured on each frame of a rep.
enum JudgedSignal: CaseIterable, Sendable {
  case knee
  /// Heights over the ankles in trunk lengths.
  case hipsHeight, shouldersHeight
  /// Leans in degrees, of both sides' mean or of one; of the shanks the greater one.
  case thigh, leftThigh, rightThigh, shank, trunk, spine, arms, leftArm, rightArm, shoulders
  /// The knees' distance by that of the ankles and of the hips.
  case kneesByAnkles, kneesByHips

  var exerciseSignal: ExerciseSignal {
    let trunk = ReferenceLength(from: .hip, to: .shoulder, unit: "trunk lengths")
    return switch self {
    case .knee: ExerciseSignal("knee", .angle(.hip, .knee, .ankle), side: .mean)
    case .hipsHeight:
      ExerciseSignal("hips", .height(.hip, above: .ankle, per: trunk), side: .mean, reference: .longest)
    case .shouldersHeight:
      ExerciseSignal("shoulders", .height(.shoulder, above: .ankle, per: trunk), side: .mean, reference: .longest)
    case .thigh: ExerciseSignal("thigh", .lean(lower: .knee, upper: .hip), side: .mean)
    case .leftThigh: ExerciseSignal("left thigh", .lean(lower: .knee, upper: .hip), side: .left)
    case .rightThigh: ExerciseSignal("right thigh", .lean(lower: .knee, upper: .hip), side: .right)
    case .shank: ExerciseSignal("shank", .lean(lower: .ankle, upper: .knee), side: .maximum)
    case .trunk: ExerciseSignal("trunk", .lean(lower: .hip, upper: .shoulder), side: .mean)
    case .spine: ExerciseSignal("spine", .lean(lower: .root, upper: .neck), side: .mean)
    case .arms: ExerciseSignal("arms", .lean(lower: .shoulder, upper: .wrist), side: .mean)
    case .leftArm: ExerciseSignal("left arm", .lean(lower: .shoulder, upper: .wrist), side: .left)
    case .rightArm: ExerciseSignal("right arm", .lean(lower: .shoulder, upper: .wrist), side: .right)
    case .shoulders: ExerciseSignal("shoulders", .lean(lower: .leftShoulder, upper: .rightShoulder), side: .mean)
    case .kneesByAnkles:
      ExerciseSignal(
        "knees", .distance(.leftKnee, .rightKnee, along: .both, per: Self.distance(.leftAnkle, .rightAnkle)),
        side: .mean)
    case .kneesByHips:
      ExerciseSignal(
        "knees", .distance(.leftKnee, .rightKnee, along: .both, per: Self.distance(.leftHip, .rightHip)), side: .mean)
    }
  }

  private static func distance(_ left: BodyPart, _ right: BodyPart) -> ReferenceLength {
    ReferenceLength(from: left, to: right, unit: "distances")
  }

  /// The unit of its values and the greatest one.
  fileprivate var unit: (Parameter.Unit, Double) {
    switch self {
    case .hipsHeight, .shouldersHeight: (.trunkLengths, 5)
    case .kneesByAnkles, .kneesByHips: (.ratio, 20)
    default: (.degrees, 180)
    }
  }
}

/// A property of a rep, and its usual values in sound and in faulty reps.
struct JudgedMeasure: Sendable {
  /// The values in space.
  let sound: Parameter
  let faulty: Parameter
  /// The values in a picture.
  let soundInPicture: Double
  let faultyInPicture: Double
  /// The fault of a rep that is closer to `faulty`.
  let fault: String
  let signal: JudgedSignal
  /// Its distance from the first signal is measured; `nil` for the first signal itself.
  let other: JudgedSignal?
  let statistic: ExerciseStatistic
  /// `the greatest lean of the trunk`
  let summary: String

  fileprivate init(
    _ name: String, _ fault: String, _ signal: JudgedSignal, from other: JudgedSignal? = nil,
    _ statistic: ExerciseStatistic, sound: Double, faulty: Double, inPicture picture: (sound: Double, faulty: Double),
    _ summary: String
  ) {
    let source = "learned from recordings by training/form-judges/train.py"
    let (unit, most) = signal.unit
    self.sound = Parameter(
      "\(name)Sound", sound, in: 0...most, unit, "In a sound rep, with depth: \(summary).", source: source)
    self.faulty = Parameter(
      "\(name)Faulty", faulty, in: 0...most, unit, "In a faulty rep, with depth: \(summary).", source: source)
    soundInPicture = picture.sound
    faultyInPicture = picture.faulty
    self.fault = fault
    self.signal = signal
    self.other = other
    self.statistic = statistic
    self.summary = summary
  }

  /// Measures a rep.
  fileprivate struct Watch: Sendable {
    /// Indices among the form's signals.
    let signal: Int
    private let other: Int?
    let sound: Double
    let faulty: Double
    let fault: String
    let isOfRaisedArms: Bool
    private let summary: String
    private let unit: String
    /// The names of the parameters that set `sound` and `faulty`.
    private let parameters: [String]
    private var statistic: SignalStatistic

    init(
      _ measure: JudgedMeasure, among signals: [JudgedSignal], _ values: ParameterValues, inSpace: Bool
    ) throws(ParameterError) {
      sound = inSpace ? values[measure.sound] : measure.soundInPicture
      faulty = inSpace ? values[measure.faulty] : measure.faultyInPicture
      guard sound != faulty else {
        throw .contradiction("\(measure.sound.name) and \(measure.faulty.name) (\(sound)) must differ")
      }
      signal = signals.firstIndex(of: measure.signal) ?? 0
      other = measure.other.flatMap { signals.firstIndex(of: $0) }
      fault = measure.fault
      isOfRaisedArms = [.arms, .leftArm].contains(measure.signal)
      summary = measure.summary
      unit = measure.signal.unit.0.rawValue
      parameters = inSpace ? [measure.sound.name, measure.faulty.name] : []
      statistic = SignalStatistic(measure.statistic)
    }

    /// The measure of the rep beside its usual values.
    func evidence(limit: Double) -> JudgedEvidence {
      JudgedEvidence(
        summary, unit: unit, value: Double(statistic.value), sound: sound, faulty: faulty, parameters: parameters,
        limit: limit)
    }

    mutating func reset() { statistic.reset() }

    mutating func add(_ values: [Float], turns: Bool) {
      let value = if let other { abs(values[signal] - values[other]) } else { values[signal] }
      statistic.add(value, turns: turns)
    }

    /// −0.5 is sound, 0.5 to 3 faulty, 0 half way; `nil` if unknown.
    var distance: Float? {
      let value = statistic.value
      guard value.isFinite else { return nil }
      return min(max((value - Float((sound + faulty) / 2)) / Float(faulty - sound), -0.5), 3)
    }
  }
}

/// Squats, with the arms overhead or in any other way.
public enum SquatForm: JudgedExercise {
  public static let form = JudgedForm(
    "squat", summary: "Grades squats by depth, knees, lean of the trunk, and how still shoulders and arms stay.",
    source: "learned from correct and incorrect squats of UI-PRMD (Vakanski et al. 2018)",
    trainedOn: "ui-prmd",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder], leastOdds: (inSpace: -3, inPicture: -7), offset: 0.51,
    offsetInPicture: 0.55,
    measures: [
      JudgedMeasure(
        "depth", "shallow", .thigh, .maximum, sound: 91.2, faulty: 79.4, inPicture: (79, 60.7),
        "the thighs' greatest lean, 90 level"),
      JudgedMeasure(
        "knee", "shallow", .knee, .range, sound: 116.3, faulty: 103.4, inPicture: (103.4, 81.8),
        "how far the knees bend"),
      JudgedMeasure(
        "drop", "shallow", .hipsHeight, .range, sound: 0.939, faulty: 0.745, inPicture: (0.861, 0.704),
        "how far the hips fall"),
      JudgedMeasure(
        "shoulderDrop", "shallow", .shouldersHeight, .range, sound: 1.083, faulty: 0.936, inPicture: (1.134, 0.994),
        "how far the shoulders fall"),
      JudgedMeasure(
        "kneesByAnkles", "knee_valgus", .kneesByAnkles, .atTurn, sound: 1.26, faulty: 1.05, inPicture: (1.28, 1.05),
        "the knees' distance at the turn by that of the ankles"),
      JudgedMeasure(
        "kneesByHips", "knee_valgus", .kneesByHips, .atTurn, sound: 2.66, faulty: 2.19, inPicture: (2.74, 2.18),
        "the knees' distance at the turn by that of the hips"),
      JudgedMeasure(
        "lean", "forward_lean", .trunk, .maximum, sound: 30.8, faulty: 35.6, inPicture: (21.9, 30.6),
        "the greatest lean of the trunk"),
      JudgedMeasure(
        "arms", "arms_forward", .arms, .atTurn, sound: 50.7, faulty: 58.8, inPicture: (38.8, 47.8),
        "the lean of raised arms at the turn"),
      JudgedMeasure(
        "armSway", "arms_forward", .arms, .range, sound: 10.8, faulty: 16, inPicture: (9.8, 17.4),
        "how far the lean of raised arms changes"),
      JudgedMeasure(
        "armsApart", "arms_uneven", .leftArm, from: .rightArm, .range, sound: 5.4, faulty: 7.3,
        inPicture: (8.2, 12.8), "how far the difference of raised arms' leans changes"),
      JudgedMeasure(
        "shoulders", "shoulders_tilt", .shoulders, .range, sound: 7.2, faulty: 9.3, inPicture: (13.4, 25.9),
        "how far the shoulders' line tilts"),
    ])
}

/// Lunges.
public enum LungeForm: JudgedExercise {
  public static let form = JudgedForm(
    "lunge", summary: "Grades lunges by depth and by how still trunk, shoulders and raised arms stay.",
    source: "learned from correct and incorrect lunges of UI-PRMD (Vakanski et al. 2018)",
    trainedOn: "ui-prmd",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder, .rightShoulder],
    leastOdds: (inSpace: -2.5, inPicture: -2.5),
    offset: 0.32, offsetInPicture: 0.27,
    measures: [
      JudgedMeasure(
        "shoulders", "shoulders_tilt", .shoulders, .range, sound: 5.9, faulty: 8.6, inPicture: (9.3, 20.9),
        "how far the shoulders' line tilts"),
      JudgedMeasure(
        "spine", "trunk_sways", .spine, .range, sound: 4.8, faulty: 10.4, inPicture: (3.5, 7.1),
        "how far the lean of the line from hips to neck changes"),
      JudgedMeasure(
        "sway", "trunk_sways", .trunk, .range, sound: 3.4, faulty: 8.3, inPicture: (2.1, 5.7),
        "how far the trunk's lean changes"),
      JudgedMeasure(
        "lean", "trunk_leans", .trunk, .maximum, sound: 11.3, faulty: 16.9, inPicture: (5.5, 9.2),
        "the greatest lean of the trunk"),
      JudgedMeasure(
        "arms", "arms_forward", .arms, .atTurn, sound: 52.7, faulty: 60.5, inPicture: (38.9, 50.8),
        "the lean of raised arms at the turn"),
      JudgedMeasure(
        "armSway", "arms_forward", .arms, .range, sound: 6.1, faulty: 8.9, inPicture: (5.8, 11.1),
        "how far the lean of raised arms changes"),
      JudgedMeasure(
        "armsApart", "arms_uneven", .leftArm, from: .rightArm, .range, sound: 9, faulty: 14.4,
        inPicture: (10.8, 20), "how far the difference of raised arms' leans changes"),
      JudgedMeasure(
        "thighsApart", "shallow", .leftThigh, from: .rightThigh, .range, sound: 56.5, faulty: 49.9,
        inPicture: (51.7, 34.2), "how far the difference of the thighs' leans changes"),
      JudgedMeasure(
        "shank", "shallow", .shank, .maximum, sound: 102, faulty: 97.6, inPicture: (115.8, 92.5),
        "the greatest lean of a shank, 90 level"),
      JudgedMeasure(
        "drop", "shallow", .hipsHeight, .range, sound: 0.683, faulty: 0.63, inPicture: (0.68, 0.622),
        "how far the hips fall"),
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
