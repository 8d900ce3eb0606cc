/// What was made of a repetition, or of a set of them: the overall score, the parts', what is wrong and what is good.
public struct FormEvaluation: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public var part: FormPart
    /// As set, whether or not all parts are known.
    public var weight: Double
    /// 0...100; `nil` where the camera does not show it.
    public var score: Double?

    public init(_ part: FormPart, weight: Double, score: Double?) {
      self.part = part
      self.weight = weight
      self.score = score
    }
  }

  public var exercise: CoachedExercise
  public var parts: [Part]
  /// The most critical first: the one that costs the most of the overall score.
  public var issues: [FormFault]
  /// The best first.
  public var strengths: [FormPart]

  public init(exercise: CoachedExercise, parts: [Part], issues: [FormFault], strengths: [FormPart]) {
    self.exercise = exercise
    self.parts = parts
    self.issues = issues
    self.strengths = strengths
  }

  /// 0...100, the weighted mean of the parts that are known; `nil` where none is, or none weighs anything.
  ///
  /// The AI coach guide hands `calculateFormScore` scores that are weighted already, with weights that sum to 1, and does
  /// not show what it does with them: their sum is the score. Averaging them, as its name allows, would divide by five
  /// once more and give a perfect squat 20.
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

  /// The guide's form analysis: score, issues and strengths, a line each.
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
