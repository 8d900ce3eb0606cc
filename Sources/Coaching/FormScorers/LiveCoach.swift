import PoseModel

/// Scores every frame of a repetition and calls out a correction as soon as it is needed, once per repetition.
///
/// The AI coach guide's `RealTimeFormTracker`: the live score of each frame; a correction that is not active yet
/// becomes active, triggers a haptic signal (`HapticPattern.formCorrection`) and is announced; the end of a repetition
/// counts it and clears the corrections. As in the guide, one bad frame suffices; the preset `steady` waits until a
/// fault has lasted. The grade of a repetition is the mean of its frames' scores. Faults of the whole repetition, such
/// as its depth, do not count against single frames.
public struct LiveCoach<Analysis: FormAnalysis>: Detector {
  public static var profile: DetectorProfile {
    let judged = Analysis.faults.filter { Analysis.instantFaults.map(\.rawValue).contains($0) }
    return DetectorProfile(
      name: "coach-live-\(Analysis.exercise.rawValue)", kind: .form, exercise: Analysis.exercise.rawValue,
      summary: "Scores the form of a \(Analysis.exercise.title) live and calls corrections out while it lasts.",
      source: "AI coach guide: RealTimeFormTracker", joints: Analysis.joints,
      tasks: [.counts, .faults(judged), .grades("form"), .cues(cooldown: nil)])
  }

  static var holdTime: Parameter {
    Parameter(
      "holdTime", 0, in: 0...5, .seconds, "How long a fault must last before it is corrected.",
      source: "0: AI coach guide, processLivePose, corrects on any frame")
  }

  public static var parameters: [Parameter] { Analysis.parameters + [holdTime, FormCoach<Analysis>.advanced] }

  public static var presets: [Preset] {
    [
      Preset(
        "steady", "Corrects only faults that have lasted a quarter of a second, to ignore single bad frames.",
        [holdTime.name: 0.25])
    ]
  }

  /// Repetitions so far.
  public private(set) var repCount = 0
  /// The score of the newest frame, 0...100; `nil` outside a repetition and if nothing is known.
  public private(set) var currentFormScore: Double?
  private var analysis: Analysis
  private let standard: FormStandard
  private let holdTime: Microseconds
  private let level: CoachingLevel
  /// Whether each measure's correction is active.
  private var isActive: [Bool]
  private var since: [Microseconds?]
  /// Whether any measure is known.
  private var isWatching = false
  private var scores: (sum: Double, count: Int) = (0, 0)

  public init(_ values: ParameterValues) throws(ParameterError) {
    analysis = try Analysis(values)
    standard = try FormStandard(Analysis.exercise, Analysis.measures, weights: Analysis.weights, values)
    holdTime = Microseconds(seconds: values[Self.holdTime]) ?? .zero
    level = values.isOn(FormCoach<Analysis>.advanced) ? .advanced : .beginner
    isActive = [Bool](repeating: false, count: standard.scales.count)
    since = [Microseconds?](repeating: nil, count: standard.scales.count)
  }

  public var signals: [any Signal] { analysis.signals }
  public var guides: [Guide] { analysis.guides }
  public var countingRule: CountingRule? { analysis.countingRule }
  public var countedValue: Float { analysis.countedValue }

  /// The corrections since the last repetition, without repeats, in the order of the measures.
  public var activeCorrections: [FormFault] {
    var active: [FormFault] = []
    for index in isActive.indices where isActive[index] {
      let fault = standard.scales[index].fault
      if !active.contains(fault) { active.append(fault) }
    }
    return active
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      let finished = analysis.update(signals, frame, at: time)
      if let finished { complete(finished.rep, at: time, &events) }
      let instant = analysis.instant
      guard instant.isKnown else {
        forget()
        continue
      }
      let score = standard.score(instant)
      currentFormScore = score.isFinite ? Double(score) : nil
      if let currentFormScore {
        scores.sum += currentFormScore
        scores.count += 1
      }
      correct(instant, at: time, &events)
    }
  }

  /// Marks the newest frame as unknown.
  private mutating func forget() {
    currentFormScore = nil
    guard isWatching else { return }
    isWatching = false
    for index in since.indices { since[index] = nil }
  }

  private mutating func correct(_ instant: FormValues, at time: Microseconds, _ events: inout [Event]) {
    for index in standard.scales.indices {
      guard standard.isIssue(index, instant) else {
        since[index] = nil
        continue
      }
      isWatching = true
      let first = since[index] ?? time
      since[index] = first
      guard !isActive[index], time - first >= holdTime else { continue }
      let fault = standard.scales[index].fault
      let isKnown = standard.scales.indices.contains { isActive[$0] && standard.scales[$0].fault == fault }
      isActive[index] = true
      guard !isKnown else { continue }
      let wording = Feedback.wording(of: fault, in: Analysis.exercise, for: level)
      events.append(Event(time, .haptic(.formCorrection)))
      events.append(Event(time, .cue(Cue(wording.cue, .high, fault: fault.rawValue))))
    }
  }

  private mutating func complete(_ rep: Rep, at time: Microseconds, _ events: inout [Event]) {
    repCount += 1
    func say(_ kind: Event.Kind) { events.append(Event(time: rep.end, reported: time, kind: kind)) }
    say(.rep(rep))
    if scores.count > 0 { say(.grade(criterion: "form", value: scores.sum / Double(scores.count), rep: rep)) }
    for fault in activeCorrections { say(.fault(fault.rawValue, rep: rep)) }
    events.append(Event(time, .haptic(.repCompleted)))
    scores = (0, 0)
    for index in isActive.indices {
      isActive[index] = false
      since[index] = nil
    }
  }
}
