/// What a clip shows for sure, where it is made to show one thing: the demonstrations of a live trainer.
public enum Scenario: Hashable, Sendable, CustomStringConvertible {
  /// One set without a fault, a half rep or haste.
  case perfectForm
  /// One set in which every rep has the same fault, as bad as this: within `severities`.
  ///
  /// The fault is the one of this name, or where there is no name each of the exercise's usual ones in turn.
  case needsCorrection(of: String? = nil, severity: Double)
  /// Walking up, two sets with a pause between them and a fault here and there, walking off.
  case fullWorkflow

  /// The scenario that a fault and its severity are of.
  public static let correcting = needsCorrection(severity: usualSeverity).name

  /// In the order in which a demonstration shows them.
  public static let names = [perfectForm, needsCorrection(severity: usualSeverity), fullWorkflow].map(\.name)

  /// How bad a fault is that needs correction, unless something else is asked for: what all raters see.
  public static let usualSeverity = 0.8

  /// How bad it may be asked to be: from what a rater may just see to the worst.
  public static let severities = 0.2...1.0

  /// - Parameters:
  ///   - fault: of `needsCorrection`, one of `ScenarioExercise.faultNames`.
  ///   - severity: of that fault.
  /// - Returns: `nil` for a name that is none of `names`.
  public init?(_ name: String, of fault: String? = nil, severity: Double = usualSeverity) {
    switch name {
    case "perfect-form": self = .perfectForm
    case "needs-correction": self = .needsCorrection(of: fault, severity: severity)
    case "full-workflow": self = .fullWorkflow
    default: return nil
    }
  }

  /// As in recipes and in the names of clips.
  public var name: String {
    switch self {
    case .perfectForm: "perfect-form"
    case .needsCorrection: "needs-correction"
    case .fullWorkflow: "full-workflow"
    }
  }

  /// The name and, where there is one, the severity.
  public var description: String {
    guard case .needsCorrection(let fault, let severity) = self else { return name }
    return "\(name)\(fault.map { " of \($0)" } ?? "") at severity \(severity)"
  }

  /// The sets of a scenario: how bad the fault is in each rep of each, 0 where the rep is good.
  func sets(using generator: inout SeededGenerator) -> [[Double]] {
    switch self {
    case .perfectForm: return [Array(repeating: 0, count: generator.integer(5...8))]
    case .needsCorrection(_, let severity): return [Array(repeating: severity, count: generator.integer(5...8))]
    case .fullWorkflow:
      var sets = (0..<2).map { _ in
        (0..<generator.integer(4...6)).map { _ in generator.chance(0.3) ? generator.uniform(0.4, 0.9) : 0 }
      }
      // A clip without any fault would show less than the whole, and the last rep is the likeliest to have one.
      sets[1][sets[1].count - 1] = generator.uniform(0.6, 0.9)
      return sets
    }
  }

  /// The fault of a clip's scenario: the one that it asks for or, if it asks for none that is known, each usual one in turn,
  /// by subject and clip.
  func fault<Fault>(
    of usual: [Fault], onRequest others: [Fault] = [], in clip: ClipNumber, called name: (Fault) -> String
  ) -> Fault {
    if case .needsCorrection(let wanted?, _) = self, let fault = (usual + others).first(where: { name($0) == wanted }) {
      return fault
    }
    return usual[(clip.subject + clip.clip) % usual.count]
  }
}
