/// What a coach says of a repetition or a set: praise, the most critical issue, one correction, why, and a cue.
///
///     let feedback = Feedback(evaluation, for: .beginner)
///     print(feedback.text)
///
/// Written from templates, one a fault, exercise and level: beginners get plain words, advanced users the joints and
/// angles. Order and purpose are the AI coach guide's Form Feedback Template, and so are the sentences of its one example, a
/// beginner's squat with a straight back and knees that cave in; the other sentences are this project's.
public struct Feedback: Hashable, Sendable {
  public var exercise: CoachedExercise
  public var level: CoachingLevel
  /// Never empty: where nothing stands out, it is for the work.
  public var praise: String
  /// `nil` where nothing is wrong.
  public var fault: FormFault?
  /// Of the fault.
  public var wording: FaultWording?

  public init(_ evaluation: FormEvaluation, for level: CoachingLevel) {
    exercise = evaluation.exercise
    self.level = level
    fault = evaluation.issues.first
    wording = fault.map { Self.wording(of: $0, in: evaluation.exercise, for: level) }
    praise = Self.praise(for: evaluation.strengths.first, isFlawless: fault == nil, level: level)
  }

  /// All of it, in the template's order.
  public var text: String {
    guard let wording else { return praise }
    let issue = level == .beginner ? "" : "Main issue: \(wording.issue). "
    return "\(praise) \(issue)\(wording.correction) \(wording.reason) \(wording.cue)"
  }

  /// Short enough to be said between two repetitions: the correction after the praise, or the praise alone.
  public var spoken: String { wording.map { "\(praise) \($0.correction)" } ?? praise }

  /// How a fault is spoken of; the words for any lift where the exercise has none of its own.
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
