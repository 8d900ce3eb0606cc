import PoseModel

/// Counts an exercise's repetitions, scores each part of their form, and says one correction after each.
///
/// The AI coach guide's `FormEvaluationEngine`: parts with weights, each 0 to 100, issues and strengths. It names the
/// parts' methods only; what they measure is said at each `FormAnalysis`. The grades of a repetition are `form` and one
/// for each part that is known, by the part's name.
public struct FormCoach<Analysis: FormAnalysis>: Detector {
  public static var profile: DetectorProfile {
    DetectorProfile(
      name: "coach-\(Analysis.exercise.rawValue)", kind: .form, exercise: Analysis.exercise.rawValue,
      summary: "Counts and grades each \(Analysis.exercise.title) by \(Analysis.subject), and says one correction.",
      source: Analysis.source, joints: Analysis.joints, counts: true, speaks: true, cooldown: cueCooldown,
      faults: Analysis.faults,
      criterion: "form")
  }

  static var cueCooldown: Parameter {
    Parameter(
      "cueCooldown", 4, in: 0...60, .seconds, "The shortest time between two cues.",
      source: "left open by the AI coach guide; the squat form analyser's minimumSpeechInterval")
  }

  static var advanced: Parameter {
    .toggle(
      "advanced", false, "Speaks to an advanced user, not to a beginner.",
      source: "AI coach guide: beginners get simple cues, advanced users get technical details")
  }

  public static var parameters: [Parameter] { Analysis.parameters + [cueCooldown, advanced] }

  /// Of the last repetition; `nil` before the first.
  public private(set) var evaluation: FormEvaluation?
  private var analysis: Analysis
  private let standard: FormStandard
  private let cueCooldown: Microseconds
  private let level: CoachingLevel
  private var lastCue: Microseconds?

  public init(_ values: ParameterValues) throws(ParameterError) {
    analysis = try Analysis(values)
    standard = try FormStandard(Analysis.exercise, Analysis.measures, weights: Analysis.weights, values)
    cueCooldown = Microseconds(seconds: values[Self.cueCooldown]) ?? .zero
    level = values.isOn(Self.advanced) ? .advanced : .beginner
  }

  public var signals: [any Signal] { analysis.signals }
  public var guides: [Guide] { analysis.guides }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      guard let analysed = analysis.update(signals, frame, at: time) else { continue }
      judge(analysed.rep, standard.evaluate(analysed.values), at: time, &events)
    }
  }

  private mutating func judge(
    _ rep: Rep, _ evaluation: FormEvaluation, at time: Microseconds, _ events: inout [Event]
  ) {
    self.evaluation = evaluation
    func say(_ kind: Event.Kind) { events.append(Event(time: rep.end, reported: time, kind: kind)) }
    say(.rep(rep))
    if let score = evaluation.overallScore { say(.grade(criterion: "form", value: score, rep: rep)) }
    for part in evaluation.parts {
      if let score = part.score { say(.grade(criterion: part.part.name, value: score, rep: rep)) }
    }
    for fault in evaluation.issues { say(.fault(fault.rawValue, rep: rep)) }
    if let lastCue, time - lastCue < cueCooldown { return }
    lastCue = time
    let feedback = Feedback(evaluation, for: level)
    events.append(
      Event(
        time,
        .cue(Cue(feedback.spoken, feedback.fault == nil ? .low : .normal, fault: feedback.fault?.rawValue))))
  }
}

/// The AI coach guide's `evaluateSquatForm`.
public typealias CoachSquat = FormCoach<SquatAnalysis>
/// The AI coach guide's `evaluateDeadliftForm`.
public typealias CoachDeadlift = FormCoach<DeadliftAnalysis>
/// The bench press of the AI coach guide's first phase.
public typealias CoachBenchPress = FormCoach<BenchPressAnalysis>
