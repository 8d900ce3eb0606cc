import Coaching
import Datasets

extension ExerciseDefinition.Rule {
  init(_ file: YAMLMapping, signals: [ExerciseSignal], _ parameters: inout ParameterReader) throws {
    switch (file.keys.contains("count"), file.keys.contains("hold")) {
    case (true, false): self = .reps(try RepRule(file.mapping("count"), signals: signals, &parameters))
    case (false, true): self = .hold(try HoldRule(file.mapping("hold"), signals: signals, &parameters))
    case (true, true): throw file.failure("hold", expected: "either count or hold", found: "both")
    case (false, false): throw file.failure("count", expected: "reps under count, or a posture under hold")
    }
  }
}

extension RepRule {
  private static let phases = ["start", "away", "turn", "back"]

  fileprivate init(
    _ yaml: YAMLMapping, signals: [ExerciseSignal], _ parameters: inout ParameterReader
  ) throws {
    try yaml.requireOnly([
      "signal", "start", "turn", "hysteresis", "attempt", "cooldown", "minimum_duration", "finish", "forget", "phases",
      "adaptive",
    ])
    let position = try yaml.signal(signals)
    let signal = signals[position]
    let start = try parameters.number(
      yaml, "start", ParameterPlace("start", on: signal, "Where a rep of \(signal.name) begins and ends."))
    let turn = try parameters.number(
      yaml, "turn", ParameterPlace("turn", on: signal, "What \(signal.name) must pass for a rep to count."))
    guard start.defaultValue != turn.defaultValue else {
      throw yaml.failure("turn", expected: "another value than the start's")
    }
    let attempt =
      yaml.keys.contains("attempt")
      ? try parameters.number(
        yaml, "attempt",
        ParameterPlace("attempt", on: signal, "A movement that passes it is judged, whether or not it counts."))
      : nil
    let way = abs(start.defaultValue - turn.defaultValue)
    let hysteresis = try parameters.number(
      yaml, "hysteresis",
      ParameterPlace(
        "hysteresis", signal.unit, in: 0...max(45, way), "How far past its threshold the signal must go.",
        default: way / 10, "a tenth of the way from start to turn"))
    func seconds(
      _ key: String, _ name: String, _ summary: String, _ fallback: Double, _ source: String
    ) throws -> Parameter {
      try parameters.number(
        yaml, key, ParameterPlace(name, .seconds, in: 0...600, summary, default: fallback, source))
    }
    let cooldown = try seconds(
      "cooldown", "cooldown", "A rep that ends sooner after the last one does not count.", 0,
      "none where a file has none")
    let shortest = try seconds(
      "minimum_duration", "minimumDuration", "A rep that is over sooner does not count.", 0.3,
      "no exercise is done three times a second")
    let finish = try seconds(
      "finish", "finish", "How long after a rep its finish is watched before it is judged.", 0,
      "none where a file has none")
    let forget =
      yaml.keys.contains("forget")
      ? try seconds("forget", "forget", "After so long without the joints a rep that has begun is dropped.", 0, "")
      : nil
    var phases = Self.phases
    if yaml.keys.contains("phases") {
      phases = try yaml.texts("phases")
      guard phases.count == 4, Set(phases).count == 4 else {
        throw yaml.failure(
          "phases", expected: "four names: of the start, the way to the turn, the turn, the way back",
          found: "[\(phases.joined(separator: ", "))]")
      }
    }
    let adaptation =
      try yaml.keys.contains("adaptive")
      ? Adaptation(yaml.mapping("adaptive"), signal: signal, &parameters) : nil
    self.init(
      signal: position, start: start, turn: turn, hysteresis: hysteresis, attempt: attempt, cooldown: cooldown,
      minimumDuration: shortest, finish: finish, forget: forget, phases: phases, adaptation: adaptation)
  }
}

extension RepRule.Adaptation {
  fileprivate init(_ yaml: YAMLMapping, signal: ExerciseSignal, _ parameters: inout ParameterReader) throws {
    try yaml.requireOnly(["enabled", "memory", "minimum_range", "margin"])
    self.init(
      isOn: try parameters.toggle(
        yaml, "enabled",
        ParameterPlace(
          "adaptive", .toggle, in: 0...1, "Counts by thresholds that follow the signal's range, not by start and turn.",
          default: 0, "off where a file does not say it")),
      memory: try parameters.number(
        yaml, "memory",
        ParameterPlace(
          "memory", .seconds, in: 0.1...600, "Time constant with which the range shrinks towards the signal.",
          default: 10, "a few reps of any exercise")),
      minimumRange: try parameters.number(
        yaml, "minimum_range",
        ParameterPlace("minimumRange", on: signal, "A narrower range of \(signal.name) is no movement.")),
      margin: try parameters.number(
        yaml, "margin",
        ParameterPlace(
          "margin", .ratio, in: 0.01...0.39, "How far from the ends of the range a rep starts and turns.",
          default: 0.25, "the quarters of the range: furthest from its ends and from each other")))
  }
}

extension HoldRule {
  fileprivate init(
    _ yaml: YAMLMapping, signals: [ExerciseSignal], _ parameters: inout ParameterReader
  ) throws {
    try yaml.requireOnly(["while", "label", "rest", "minimum_duration"])
    let conditions = try yaml.mappingsIfPresent("while").enumerated().map { index, mapping in
      try ExerciseCondition(
        mapping, signals: signals, phases: nil, name: "hold\(index == 0 ? "" : String(index + 1))",
        summary: "Where the hold is.", &parameters)
    }
    guard !conditions.isEmpty else { throw yaml.failure("while", expected: "at least one condition") }
    let label = try yaml.textIfPresent("label") ?? "correct"
    let rest = try yaml.textIfPresent("rest") ?? "rest"
    guard label != rest else { throw yaml.failure("rest", expected: "another name than the hold's \(label)") }
    self.init(
      conditions: conditions, label: label, rest: rest,
      minimumDuration: try parameters.number(
        yaml, "minimum_duration",
        ParameterPlace(
          "minimumDuration", .seconds, in: 0...60, "What lasts shorter is not said.", default: 0.5,
          "half a second: longer than an estimator's slip")))
  }
}
