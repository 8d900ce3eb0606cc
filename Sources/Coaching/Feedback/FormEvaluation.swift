/// The evaluation of a repetition, or of a set: the overall score, the parts' scores, what is wrong and what is good.
public struct FormEvaluation: Hashable, Sendable {
  /// The score of one part of the form and its weight.
  public struct Part: Hashable, Sendable {
    /// The part of the body.
    public var part: FormPart
    /// The weight as set, whether or not all parts are known.
    public var weight: Double
    /// 0...100; `nil` if the camera does not show it.
    public var score: Double?

    public init(_ part: FormPart, weight: Double, score: Double?) {
      self.part = part
      self.weight = weight
      self.score = score
    }
  }

  /// The exercise that was judged.
  public var exercise: CoachedExercise
  /// Every part of the exercise, scored or not.
  public var parts: [Part]
  /// The issues, the most critical first: the one that costs the most of the overall score.
  public var issues: [FormFault]
  /// The strengths, the best first.
  public var strengths: [FormPart]

  public init(exercise: CoachedExercise, parts: [Part], issues: [FormFault], strengths: [FormPart]) {
    self.exercise = exercise
    self.parts = parts
    self.issues = issues
    self.strengths = strengths
  }

  /// 0...100, the weighted mean of the parts that are known; `nil` if none is known, or none has a weight.
  ///
  /// The AI coach guide passes weighted scores, with weights that sum to 1, to `calculateFormScore` and does not show
  /// the function. Here the score is their sum. An average, as the function's name suggests, would divide by five once
  /// more and give a perfect squat 20.
  public var overallScore: Double? {
    var sum = 0.0
    var weights = 0.0
    for part in parts {
      guard let score = part.score else { continue }
      sum += part.weight * score
      weights += part.weight
    }
    return weights > 0 ? sum / weights : nil
  }

  /// The guide's form analysis: score, issues and strengths, one line each.
  ///
  /// - Source: AI coach guide, Form Feedback Template.
  public var summary: String {
    func list(_ items: [String]) -> String { items.isEmpty ? "none" : items.joined(separator: ", ") }
    return [
      "Form Analysis for \(exercise.title):",
      "- Overall Score: \(overallScore.map { "\(Int($0.rounded()))/100" } ?? "n/a")",
      "- Key Issues: \(list(issues.map { Feedback.wording(of: $0, in: exercise, for: .advanced).issue }))",
      "- Strengths: \(list(strengths.map(\.name)))",
    ].joined(separator: "\n")
  }
}

/// A part of a form evaluation, with a score of 0 to 100 and a weight in the total.
public enum FormPart: String, CaseIterable, Hashable, Sendable {
  /// The parts of a squat, which the AI coach guide weights.
  case kneeTracking, back, depth, tempo, balance
  /// The parts of a deadlift.
  case barPath, hipHinge, spine, shoulders, feet
  /// The parts of a bench press; bar path and depth are shared.
  case lockout, evenness, elbows

  /// The part's name in tables and sentences.
  public var name: String {
    switch self {
    case .kneeTracking: "knee tracking"
    case .back: "back alignment"
    case .depth: "depth"
    case .tempo: "tempo"
    case .balance: "balance"
    case .barPath: "bar path"
    case .hipHinge: "hip hinge"
    case .spine: "neutral spine"
    case .shoulders: "shoulders over the bar"
    case .feet: "foot placement"
    case .lockout: "lockout"
    case .evenness: "evenness"
    case .elbows: "elbow position"
    }
  }
}

/// The faults that the AI coach can find in a repetition, by their names in labels.
public enum FormFault: String, CaseIterable, Hashable, Sendable {
  /// Turns before the far end of the movement.
  case shallow
  /// Ends before the joints are straight.
  case noLockout = "no_lockout"
  /// Squat: the trunk leans too far forward, or tips further on the way up.
  case forwardLean = "forward_lean"
  /// Squat: the knees travel far in front of the ankles.
  case kneeForward = "knee_forward"
  /// Squat: the knees cave in.
  case kneeValgus = "knee_valgus"
  /// Too fast in one of its halves.
  case rushed
  /// The centre of mass moves over the feet.
  case offBalance = "off_balance"
  /// Deadlift: the back bends.
  case roundedBack = "rounded_back"
  /// The bar leaves its line.
  case barDrift = "bar_drift"
  /// Deadlift: the hips rise before the shoulders.
  case hipsFirst = "hips_first"
  /// Deadlift: the arms do not hang straight down to the bar.
  case shouldersOffBar = "shoulders_off_bar"
  /// Deadlift: the feet stand too far apart.
  case feetWide = "feet_wide"
  /// Bench press: one arm is bent more than the other.
  case uneven
  /// Bench press: the upper arms stand out from the trunk.
  case elbowFlare = "elbow_flare"
}
