import PoseModel

/// A live trainer's session of one exercise: judges each frame, counts reps and sets, speaks and taps.
///
/// The document's LiveSessionManager and AITrainerEngine. Every frame gets an answer `{isCorrect, feedback, confidence}`;
/// a change of it is a phase: `correct`, the fault's name, or `unseen`. A rep's grade, and that of each stretch of a
/// hold, is its accuracy: the share of correct frames among those in which the person was seen, in percent.
public struct LiveTrainer<Analyser: LiveAnalyser>: Detector {
  public static var profile: DetectorProfile { Analyser.profile }
  public static var parameters: [Parameter] { Analyser.parameters + LiveTrainerParameters.all }
  public static var presets: [Preset] { Analyser.presets }

  /// What the last frame got.
  public private(set) var analysis = LiveAnalysis.lowConfidence(0)
  /// What the workout amounts to so far.
  public private(set) var session: WorkoutSession
  private let analyser: Analyser
  private let settings: LiveTrainerParameters
  private var voice: VoiceQueue
  private var cycle: RepCycle?
  /// Of the frame at hand, one of each signal.
  private var values: [Float]
  /// Of the deepest frame of the rep at hand.
  private var turn: [Float]
  private var stretch = JudgedStretch()
  /// Since when the fault at hand has lasted, and the last correction that was asked for.
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

  /// Corrects a fault that lasts, and again after a while.
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
      // What only the turn shows, no frame could be blamed for: it takes half of the grade.
      let grade = whole == nil ? accuracy : accuracy / 2
      events.append(Event(time, .grade(criterion: Self.profile.criterion ?? "form", value: grade, rep: rep)))
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
