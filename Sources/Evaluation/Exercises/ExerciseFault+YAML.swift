import Coaching
import Datasets
import Foundation

extension ExerciseFault {
  private enum Severity: String, CaseIterable {
    case low, normal, high

    var priority: Cue.Priority {
      switch self {
      case .low: .low
      case .normal: .normal
      case .high: .high
      }
    }

    /// Points that a fault of this severity costs, where the file does not say.
    var deduction: Double {
      switch self {
      case .low: 10
      case .normal: 20
      case .high: 40
      }
    }
  }

  /// The faults of an exercise's file.
  static func all(
    _ file: YAMLMapping, signals: [ExerciseSignal], rule: ExerciseDefinition.Rule, _ parameters: inout ParameterReader
  ) throws -> [ExerciseFault] {
    let phases: [String]? = if case .reps(let rule) = rule { rule.phases } else { nil }
    var names: Set<String> = []
    if case .hold(let rule) = rule { names = [rule.label, rule.rest] }
    return try file.mappingsIfPresent("faults").map { yaml in
      let fault = try ExerciseFault(yaml, signals: signals, phases: phases, &parameters)
      guard names.insert(fault.name).inserted else {
        throw yaml.failure("fault", expected: "a name that nothing else has")
      }
      return fault
    }
  }

  private init(
    _ yaml: YAMLMapping, signals: [ExerciseSignal], phases: [String]?, _ parameters: inout ParameterReader
  ) throws {
    try yaml.requireOnly(["fault", "message", "severity", "deduction", "when"])
    let name = try yaml.text("fault")
    guard name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else {
      throw yaml.failure("fault", expected: "small letters, digits and underscores")
    }
    let words = name.split(separator: "_")
    let parameter = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    let conditions = try yaml.mappingsIfPresent("when").enumerated().map { index, mapping in
      try ExerciseCondition(
        mapping, signals: signals, phases: phases, name: parameter + (index == 0 ? "" : String(index + 1)),
        summary: "Beyond it a rep has the fault \(name).", &parameters)
    }
    guard !conditions.isEmpty else { throw yaml.failure("when", expected: "at least one condition") }
    let severity: Severity = try yaml.choice("severity")
    self.init(
      name: name, message: try yaml.text("message"), severity: severity.priority,
      deduction: try parameters.number(
        yaml, "deduction",
        ParameterPlace(
          parameter + "Deduction", .points, in: 0...100, "What \(name) costs of a rep's 100 points.",
          default: severity.deduction, "by severity: low 10, normal 20, high 40")),
      conditions: conditions)
  }
}

extension ExerciseCondition {
  /// - Parameter phases: the names of a rep's phases; `nil` in a hold, whose conditions look at each frame.
  init(
    _ yaml: YAMLMapping, signals: [ExerciseSignal], phases: [String]?, name: String, summary: String,
    _ parameters: inout ParameterReader
  ) throws {
    try yaml.requireOnly(["signal", "above", "below"] + (phases == nil ? [] : ["statistic", "phase"]))
    let signal = try yaml.signal(signals)
    let bounds = Bound.allCases.filter { yaml.keys.contains($0.rawValue) }
    guard bounds.count == 1 else {
      throw yaml.failure("above", expected: "either above or below", found: bounds.isEmpty ? "neither" : "both")
    }
    self.init(
      signal: signal, statistic: phases == nil ? .mean : try yaml.choice("statistic"),
      phase: try phases.flatMap { phases in
        yaml.keys.contains("phase") ? phases.firstIndex(of: try yaml.name("phase", of: phases)) : nil
      },
      bound: bounds[0],
      threshold: try parameters.number(
        yaml, bounds[0].rawValue, ParameterPlace(name, on: signals[signal], summary)))
  }
}

extension YAMLMapping {
  /// The position of the signal that a rule names.
  func signal(_ signals: [ExerciseSignal]) throws -> Int {
    let name = try name("signal", of: signals.map(\.name))
    return signals.firstIndex { $0.name == name } ?? 0
  }
}
