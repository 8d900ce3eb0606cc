import PoseModel

/// A live trainer's session of one exercise: judges each frame, counts reps and sets, and gives spoken and haptic cues.
///
/// Implements LiveSessionManager and AITrainerEngine of the document. Every frame has a result `{isCorrect, feedback,
/// confidence}`; each change of it is a phase: `correct`, the fault's name, or `unseen`. The grade of a rep, and of
/// each interval of a hold, is its accuracy: the share of correct frames among those with a visible person, in percent.
public struct LiveTrainer<Analyser: LiveAnalyser>: Detector {
  public static var profile: DetectorProfile { Analyser.profile }
  public static var parameters: [Parameter] { Analyser.parameters + LiveTrainerParameters.all }
  public static var presets: [Preset] { Analyser.presets }

  /// The result of the last frame.
  public private(set) var analysis = LiveAnalysis.lowConfidence(0)
  /// The workout so far.
  public private(set) var session: WorkoutSession
  private let analyser: Analyser
  private let settings: LiveTrainerParameters
  private var voice: VoiceQueue
  private var cycle: RepCycle?
  /// The current frame's values, one per signal.
  private var values: [Float]
  /// The values at the deepest frame of the current rep.
  private var turn: [Float]
  private var stretch = JudgedStretch()
  /// The current fault with its start, and the last requested correction.
  private var fault: (fault: LiveFault, since: Microseconds)?
  private var corrected: (fault: LiveFault, at: Microseconds)?
  private var phase: String?

  public init(_ values: ParameterValues) throws(ParameterError) {
    analyser = Analyser(values)
    settings = LiveTrainerParameters(values)
    session = settings.session
    voice = settings.voice
    if let rep = analyser.rep {
      guard rep.down < rep.up - settings.hysteresis else {
        throw .contradiction(
          "downAngle (\(rep.down)°) must be less than upAngle - hysteresis (\(rep.up - settings.hysteresis)°)")
      }
      cycle = RepCycle(start: rep.up, turn: rep.down, hysteresis: settings.hysteresis)
    }
    self.values = [Float](repeating: .nan, count: analyser.signals(settings.visibility).count)
    turn = self.values
  }

  public var signals: [any Signal] {
    analyser.signals(settings.visibility)
      + [LowestConfidence(Analyser.parts, needsBothSides: settings.needsBothSides)]
  }

  public var guides: [Guide] {
    analyser.guides + [Guide(signal: values.count, value: Double(settings.minimumConfidence), label: "sure enough")]
  }

  public var countingRule: CountingRule? {
    guard let rep = analyser.rep, let cycle else { return nil }
    return CountingRule(
      cycle, signal: signals[rep.signal].name, unit: signals[rep.signal].unit, start: "upAngle", turn: "downAngle",
      hysteresis: LiveTrainerParameters.hysteresis.name,
      shortest: CountingRule.Limit(settings.minimumRepTime, by: LiveTrainerParameters.minimumRepTime.name))
  }

  public var countedValue: Float { analyser.rep.map { values[$0.signal] } ?? .nan }

  public func reportsAlike(with value: Double, of parameter: String) -> Bool {
    parameter == "downAngle" && cycle?.excursionsAreAlike(with: Float(value)) ?? false
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      for index in values.indices { values[index] = signals[index, frame] }
      analysis = analyse(confidence: signals[values.count, frame])
      session.see(analysis.isJudged ? analysis.isCorrect : nil, at: time)
      tell(phaseAt: time, &events)
      follow(analysis.fault, at: time, &events)
      stretch.see(analysis, at: time)
      if cycle == nil { judgeHold(at: time, &events) } else { judgeRep(at: time, &events) }
      if let cue = voice.next(at: time) { events.append(Event(time, .cue(cue))) }
    }
  }

  private func analyse(confidence: Float) -> LiveAnalysis {
    guard confidence > settings.minimumConfidence else { return .lowConfidence(confidence) }
    return analyser.fault(inFrame: values).map { .incorrect($0, confidence) } ?? .correct(confidence)
  }

  private mutating func tell(phaseAt time: Microseconds, _ events: inout [Event]) {
    let now = analysis.isCorrect ? "correct" : analysis.fault?.name ?? "unseen"
    guard now != phase else { return }
    phase = now
    events.append(Event(time, .phase(now)))
  }

  /// Corrects a lasting fault, and repeats the correction after `repeatTime`.
  private mutating func follow(_ now: LiveFault?, at time: Microseconds, _ events: inout [Event]) {
    guard let now else {
      fault = nil
      return
    }
    if fault?.fault != now { fault = (now, time) }
    guard let fault, time - fault.since >= settings.faultTime else { return }
    if let corrected, corrected.fault == now, time - corrected.at < settings.repeatTime { return }
    correct(now, at: time, &events)
  }

  private mutating func correct(_ fault: LiveFault, at time: Microseconds, _ events: inout [Event]) {
    corrected = (fault, time)
    session.add(fault.message, fault.severity, at: time)
    voice.add(Cue(fault.message, .high, fault: fault.name), at: time)
    events.append(Event(time, .haptic(.formCorrection)))
  }

  private mutating func judgeRep(at time: Microseconds, _ events: inout [Event]) {
    guard let rep = analyser.rep else { return }
    let angle = values[rep.signal]
    let wasUp = cycle?.phase == .start
    let excursion = cycle?.update(angle, at: time)
    if wasUp, cycle?.phase != .start { stretch.restart(with: analysis, at: time) }
    if angle == cycle?.extreme { for index in values.indices { turn[index] = values[index] } }
    guard let excursion, excursion.reachedTurn, excursion.rep.duration >= settings.minimumRepTime else { return }
    let whole = analyser.fault(atTurn: turn)
    judge(excursion.rep, also: whole, at: time, &events)
    if let whole { correct(whole, at: time, &events) }
    let completesSet = session.addRep()
    events.append(Event(time, .rep(excursion.rep)))
    events.append(Event(time, .haptic(.repCompleted)))
    voice.add(Cue("\(session.reps)", .low), at: time)
    if completesSet {
      voice.add(Cue(session.isComplete ? "Workout complete!" : "Set complete!", .normal), at: time)
      events.append(Event(time, .haptic(session.isComplete ? .workoutCompleted : .setCompleted)))
    }
  }

  private mutating func judgeHold(at time: Microseconds, _ events: inout [Event]) {
    guard let start = stretch.start, time - start >= settings.judgingTime else { return }
    judge(Rep(start: start, end: time), also: nil, at: time, &events)
    stretch.restart(with: nil, at: time)
  }

  private mutating func judge(_ rep: Rep, also whole: LiveFault?, at time: Microseconds, _ events: inout [Event]) {
    var isClean = whole == nil
    if let accuracy = stretch.accuracy {
      // A fault that only the turn shows does not count against single frames: it halves the grade.
      let grade = whole == nil ? accuracy : accuracy / 2
      events.append(Event(time, .grade(criterion: Self.profile.tasks.criterion ?? "form", value: grade, rep: rep)))
      for (fault, duration) in stretch.faults where duration >= settings.faultTime {
        isClean = false
        events.append(Event(time, .fault(fault.name, rep: rep)))
      }
      if isClean {
        session.add("Great form!", .success, at: time)
        voice.add(Cue("Great form!", .low), at: time)
        events.append(Event(time, .haptic(.goodForm)))
      }
    }
    if let whole { events.append(Event(time, .fault(whole.name, rep: rep))) }
  }
}

/// The parameters of all exercises of the live trainer.
struct LiveTrainerParameters: Sendable {
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.5, in: 0...1, .ratio, "A frame with a joint at or below this confidence is not judged.",
    source: "live trainer architecture: leftHip.confidence > 0.5")
  static let needsBothSides = Parameter.toggle(
    "needsBothSides", true, "Judges a frame only when the joints of both sides are seen, not just those of one.",
    source: "live trainer architecture: every joint is guarded; from the side the far one often is not seen")
  static let usesDepth = Parameter.toggle(
    "usesDepth", false, "Measures angles in 3D instead of in the image if the recording has depth.",
    source: "off: the live trainer sees 2D poses")
  static let faultTime = Parameter(
    "faultTime", 0.3, in: 0...5, .seconds, "A fault must last this long before it is spoken or counts against a rep.",
    source: "left open in the live trainer architecture; about the time in which a person can react to a cue")
  static let repeatTime = Parameter(
    "repeatTime", 4, in: 0...60, .seconds, "The shortest time before the same correction is repeated.",
    source: "left open in the live trainer architecture; the squat form analyser's minimumSpeechInterval")
  static let hysteresis = Parameter(
    "hysteresis", 5, in: 0...45, .degrees, "How far below its upper threshold an angle must go for a rep to begin.",
    source: "left open in the live trainer architecture; over twice the jitter of a 2D joint angle")
  static let minimumRepTime = Parameter(
    "minimumRepTime", 0.5, in: 0...10, .seconds, "A movement shorter than this is the estimator's noise, not a rep.",
    source: "left open in the live trainer architecture; nobody does two reps in half a second")
  static let repsPerSet = Parameter(
    "repsPerSet", 10, in: 1...100, .reps, "Reps that make a set.",
    source: "left open in the live trainer architecture; ACSM, Progression Models in Resistance Training, 2009: 8 to 12"
  )
  static let setCount = Parameter(
    "setCount", 3, in: 1...20, .sets, "Sets that make the workout.",
    source: "left open in the live trainer architecture; ACSM, Progression Models, 2009: 1 to 3 for beginners")
  static let wordsPerMinute = Parameter(
    "wordsPerMinute", 160, in: 60...400, .wordsPerMinute, "How fast the voice speaks.",
    source: "the document's rate 0.52 has no unit; radio monologues have 150 to 170 (Tauroza and Allison 1990)")
  static let patience = Parameter(
    "patience", 2, in: 0...30, .seconds, "A cue that has waited longer than this is dropped.",
    source: "left open in the live trainer architecture; within a rep, which takes two seconds and more")
  static let judgingTime = Parameter(
    "judgingTime", 10, in: 1...120, .seconds, "A hold is graded in intervals of this length.",
    source: "left open in the live trainer architecture")

  static let all = [
    minimumConfidence, needsBothSides, usesDepth, faultTime, repeatTime, hysteresis, minimumRepTime,
    repsPerSet, setCount, wordsPerMinute, patience,
    judgingTime,
  ]

  let minimumConfidence: Float
  let needsBothSides: Bool
  let visibility: Visibility
  let faultTime: Microseconds
  let repeatTime: Microseconds
  let hysteresis: Float
  let minimumRepTime: Microseconds
  let judgingTime: Microseconds
  let session: WorkoutSession
  let voice: VoiceQueue

  init(_ values: ParameterValues) {
    func time(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    minimumConfidence = Float(values[Self.minimumConfidence])
    needsBothSides = values.isOn(Self.needsBothSides)
    visibility = Visibility(minimumConfidence: minimumConfidence, usesDepth: values.isOn(Self.usesDepth))
    faultTime = time(Self.faultTime)
    repeatTime = time(Self.repeatTime)
    hysteresis = Float(values[Self.hysteresis])
    minimumRepTime = time(Self.minimumRepTime)
    judgingTime = time(Self.judgingTime)
    session = WorkoutSession(
      repsPerSet: Int(values[Self.repsPerSet].rounded()), setCount: Int(values[Self.setCount].rounded()))
    voice = VoiceQueue(wordsPerMinute: values[Self.wordsPerMinute], patience: time(Self.patience))
  }
}

/// One exercise of the live trainer: its signals and its rules for a frame.
public protocol LiveAnalyser: Sendable {
  /// The profile of the whole detector.
  static var profile: DetectorProfile { get }

  /// The exercise's own parameters; `LiveTrainer` adds those of all exercises.
  static var parameters: [Parameter] { get }

  /// Named sets of values that differ from the defaults; none by default.
  static var presets: [Preset] { get }

  /// The parts of the body that a judged frame must show.
  static var parts: [BodyPart] { get }

  init(_ values: ParameterValues)

  /// The signals, measured on the visible joints.
  func signals(_ visibility: Visibility) -> [any Signal]

  /// The thresholds to draw over `signals`.
  var guides: [Guide] { get }

  /// The signal that goes down and up in a rep, with its thresholds in degrees; `nil` for a hold.
  var rep: (signal: Int, up: Float, down: Float)? { get }

  /// The most important fault of a frame; `nil` for none. An unknown signal is no fault.
  ///
  /// - Parameter values: One per signal, NaN if unknown.
  func fault(inFrame values: [Float]) -> LiveFault?

  /// The fault at the turn of a rep; `nil` for none.
  func fault(atTurn values: [Float]) -> LiveFault?
}

extension LiveAnalyser {
  public static var presets: [Preset] { [] }
  public var rep: (signal: Int, up: Float, down: Float)? { nil }
  public func fault(atTurn values: [Float]) -> LiveFault? { nil }
}

/// The live trainer's result for one frame.
public struct LiveAnalysis: Hashable, Sendable {
  /// Whether the frame was judged and shows no fault.
  public var isCorrect: Bool
  /// The message to the person.
  public var feedback: String
  /// The lowest confidence of a joint that the analysis uses: 0...1.
  public var confidence: Float
  /// The fault; `nil` for none, or if the person is not visible.
  public var fault: LiveFault?

  /// Whether the person was visible enough to be judged.
  public var isJudged: Bool { isCorrect || fault != nil }

  static func correct(_ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(isCorrect: true, feedback: "Great form!", confidence: confidence, fault: nil)
  }

  static func incorrect(_ fault: LiveFault, _ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(isCorrect: false, feedback: fault.message, confidence: confidence, fault: fault)
  }

  /// The result if a joint's confidence is too low.
  static func lowConfidence(_ confidence: Float) -> LiveAnalysis {
    LiveAnalysis(
      isCorrect: false, feedback: "Move so that your whole body is in view", confidence: confidence, fault: nil)
  }
}

/// A fault that the live trainer can find.
public struct LiveFault: Hashable, Sendable {
  /// The name in labels.
  public var name: String
  /// The message to the person.
  public var message: String
  /// The severity.
  public var severity: WorkoutSession.Severity

  public init(_ name: String, _ message: String, _ severity: WorkoutSession.Severity) {
    self.name = name
    self.message = message
    self.severity = severity
  }
}

/// The frames of a rep, or of a part of a hold: the number of correct frames and the duration of each fault.
struct JudgedStretch: Sendable {
  private(set) var start: Microseconds?
  /// The faults in order of appearance.
  private(set) var faults: [(fault: LiveFault, duration: Microseconds)] = []
  private var correct = 0
  private var judged = 0
  private var last: (fault: LiveFault?, time: Microseconds)?

  /// The share of correct frames in percent; `nil` if none was judged.
  var accuracy: Double? { judged > 0 ? 100 * Double(correct) / Double(judged) : nil }

  mutating func see(_ analysis: LiveAnalysis, at time: Microseconds) {
    if start == nil { start = time }
    // A fault lasts from its frame to the next frame.
    if let last, let fault = last.fault { add(fault, for: time - last.time) }
    last = (analysis.fault, time)
    guard analysis.isJudged else { return }
    judged += 1
    if analysis.isCorrect { correct += 1 }
  }

  private mutating func add(_ fault: LiveFault, for duration: Microseconds) {
    for index in faults.indices where faults[index].fault == fault {
      faults[index].duration = faults[index].duration + duration
      return
    }
    faults.append((fault, duration))
  }

  /// Starts again; the current frame, if any, is the first.
  mutating func restart(with analysis: LiveAnalysis?, at time: Microseconds) {
    start = nil
    last = nil
    correct = 0
    judged = 0
    faults.removeAll(keepingCapacity: true)
    if let analysis { see(analysis, at: time) }
  }
}
