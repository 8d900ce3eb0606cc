/// A coach's feedback on a repetition or a set: praise, the most critical issue, one correction, why, and a cue.
///
///     let feedback = Feedback(evaluation, for: .beginner)
///     print(feedback.text)
///
/// Built from templates, one per fault, exercise and level: plain words for beginners, joints and angles for advanced
/// users. Order and purpose follow the AI coach guide's Form Feedback Template, and so do the sentences of its one
/// example, a beginner's squat with a straight back and knees that cave in; the other sentences are this project's.
public struct Feedback: Hashable, Sendable {
  /// The exercise whose words are used.
  public var exercise: CoachedExercise
  /// The level of the reader.
  public var level: CoachingLevel
  /// Never empty: if nothing stands out, it praises the effort.
  public var praise: String
  /// `nil` if nothing is wrong.
  public var fault: FormFault?
  /// The wording of the fault; `nil` if nothing is wrong.
  public var wording: FaultWording?

  public init(_ evaluation: FormEvaluation, for level: CoachingLevel) {
    exercise = evaluation.exercise
    self.level = level
    fault = evaluation.issues.first
    wording = fault.map { Self.wording(of: $0, in: evaluation.exercise, for: level) }
    praise = Self.praise(for: evaluation.strengths.first, isFlawless: fault == nil, level: level)
  }

  /// All parts of the feedback, in the template's order.
  public var text: String {
    guard let wording else { return praise }
    let issue = level == .beginner ? "" : "Main issue: \(wording.issue). "
    return "\(praise) \(issue)\(wording.correction) \(wording.reason) \(wording.cue)"
  }

  /// Short enough to say between two repetitions: the praise and the correction, or the praise alone.
  public var spoken: String { wording.map { "\(praise) \($0.correction)" } ?? praise }

  /// The wording of a fault; the words for any lift if the exercise has none of its own.
  public static func wording(
    of fault: FormFault, in exercise: CoachedExercise, for level: CoachingLevel
  ) -> FaultWording {
    switch exercise {
    case .squat: squat(fault, level) ?? anyLift(fault, level)
    case .deadlift: deadlift(fault, level) ?? anyLift(fault, level)
    case .benchPress: benchPress(fault, level) ?? anyLift(fault, level)
    }
  }

  private static func praise(for part: FormPart?, isFlawless: Bool, level: CoachingLevel) -> String {
    guard let part else { return isFlawless ? "Solid work, keep it up." : "Good effort on that one." }
    guard level == .beginner else {
      return isFlawless
        ? "Clean repetition, with your \(part.name) as the strongest point."
        : "Your \(part.name) is well under control."
    }
    switch part {
    case .kneeTracking: return "Well done, your knees stay in line with your feet!"
    case .back, .spine: return "Great job keeping your back straight!"
    case .depth: return "Well done, you use the whole range of the movement!"
    case .tempo: return "Well done, your pace is smooth and steady!"
    case .balance: return "Well done, you are steady on your feet!"
    case .barPath: return "Well done, the bar moves in a clean line!"
    case .hipHinge: return "Well done, your hips and knees work together!"
    case .shoulders: return "Well done, your shoulders are right above the bar!"
    case .feet: return "Well done, your feet are in a good spot!"
    case .lockout: return "Well done, you finish every push all the way!"
    case .evenness: return "Well done, both arms work equally!"
    case .elbows: return "Well done, your elbows are in a safe place!"
    }
  }
}

/// The level that feedback is written for: beginners get simple cues, advanced users technical details (AI coach
/// guide).
public enum CoachingLevel: String, CaseIterable, Hashable, Sendable {
  /// Plain words, or joints and angles.
  case beginner, advanced
}

/// The exercises that the AI coach guide analyses in its first phase.
public enum CoachedExercise: String, CaseIterable, Hashable, Sendable {
  /// Named as in datasets.
  case squat, deadlift
  /// `bench-press` in datasets.
  case benchPress = "bench-press"

  /// The exercise's name in headings.
  public var title: String {
    switch self {
    case .squat: "squat"
    case .deadlift: "deadlift"
    case .benchPress: "bench press"
    }
  }
}

/// The wording of a fault.
public struct FaultWording: Hashable, Sendable {
  /// The fault as a noun: `knees caving in`.
  public var issue: String
  /// The one thing to change, a sentence.
  public var correction: String
  /// The reason why it matters, one sentence.
  public var reason: String
  /// A thought while moving, in a sentence short enough to be called out.
  public var cue: String

  init(_ issue: String, correction: String, reason: String, cue: String) {
    self.issue = issue
    self.correction = correction
    self.reason = reason
    self.cue = cue
  }
}

extension Feedback {
  /// The wording for any lift.
  static func anyLift(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording {
    switch (fault, level) {
    case (.rushed, .beginner):
      FaultWording(
        "going too fast",
        correction: "Slow down, above all on the way down.",
        reason: "Control keeps you safe and makes the muscles work for longer.",
        cue: "Count to two on the way down.")
    case (.rushed, .advanced):
      FaultWording(
        "uncontrolled or uneven tempo",
        correction: "Take at least a second for the eccentric phase and give every repetition the same time.",
        reason: "A free fall gives away the eccentric stimulus and hides losses of position.",
        cue: "Two down, one up.")
    case (_, .beginner):
      FaultWording(
        fault.rawValue.words, correction: "Use a lighter weight and move slowly through the whole range.",
        reason: "Clean movement comes before heavy weight.", cue: "Slow and clean.")
    case (_, .advanced):
      FaultWording(
        fault.rawValue.words, correction: "Reduce the load until the position holds through the whole range.",
        reason: "Technique that breaks under load is trained as it breaks.", cue: "Own the position.")
    }
  }
}

extension String {
  /// A label in spoken form: `elbow_flare` is elbow flare.
  fileprivate var words: String { split(separator: "_").joined(separator: " ") }
}
