import Coaching
import Datasets
import Files
import Foundation
import Pipeline
import PoseModel

extension ExerciseDefinition {
  /// Reads an exercise's file.
  ///
  /// - Throws: `DataError` with file, line and key if a key is unknown, missing or of another type, a joint, signal or
  ///   phase is unknown, a number is out of its range, or numbers contradict each other.
  public init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "exercise", "summary", "source", "joints", "minimum_confidence", "depth", "signals", "count", "hold", "faults",
      "praise", "speech_cooldown",
    ])
    let name = try yaml.text("exercise")
    guard PortableName.isValid(name), DefinedName.hyphenated.matches(name) else {
      throw yaml.failure("exercise", expected: DefinedName.hyphenated.rawValue)
    }
    let source = try yaml.text("source")
    var parameters = ParameterReader(source: source)
    let signals = try ExerciseSignal.all(yaml)
    let rule = try ExerciseDefinition.Rule(yaml, signals: signals, &parameters)
    let faults = try ExerciseFault.all(yaml, signals: signals, rule: rule, &parameters)
    let thresholds = VisibilityThresholds(
      minimumConfidence: try parameters.number(
        yaml, "minimum_confidence",
        ParameterPlace(
          "minimumConfidence", .ratio, in: 0...1, "Joints at or below this confidence are ignored.",
          default: 0.3, "squat form analyser: confidenceThreshold")),
      usesDepth: try parameters.toggle(
        yaml, "depth",
        ParameterPlace(
          "usesDepth", .toggle, in: 0...1,
          "Measures lengths in 3D if the recording has depth, and angles if limbs keep their lengths in it.",
          default: 0,
          "off unless a file sets it")))
    let speechCooldown = try parameters.number(
      yaml, "speech_cooldown",
      ParameterPlace(
        "speechCooldown", .seconds, in: 0...60, "The shortest time between two cues.", default: 4,
        "squat form analyser: minimumSpeechInterval"))
    self.init(
      name: name, summary: try yaml.text("summary"), source: source, joints: try yaml.joints("joints"),
      signals: signals, rule: rule, faults: faults, praise: try yaml.textIfPresent("praise"),
      visibilityThresholds: thresholds,
      speechCooldown: speechCooldown)
    do {
      _ = try definition.detector(ParameterValues(definition.parameters))
    } catch {
      throw yaml.failure("count", expected: "numbers that do not contradict each other", found: "\(error)")
    }
  }
}

extension YAMLMapping {
  /// A name from a list.
  func name(_ key: String, of names: [String]) throws -> String {
    let found = try text(key)
    guard names.contains(found) else {
      throw failure(
        key, expected: "one of \(names.joined(separator: ", "))", found: NearNames.question(found, in: names))
    }
    return found
  }

  /// A joint: with its side, without a side, or one that has none.
  func part(_ key: String) throws -> BodyPart { try part(named: text(key), key) }

  /// This many of them, in a list.
  func parts(_ key: String, count: Int) throws -> [BodyPart] {
    let names = try texts(key)
    guard names.count == count else {
      throw failure(key, expected: "\(count) joints", found: "\(names.count)")
    }
    return try names.map { try part(named: $0, key) }
  }

  /// Joints by name; a pair without a side gives the left one.
  fileprivate func joints(_ key: String) throws -> [Joint] {
    let names = try texts(key)
    guard !names.isEmpty else { throw failure(key, expected: "at least one joint", found: "none") }
    return try names.map { try part(named: $0, key).left }
  }

  private func part(named name: String, _ key: String) throws -> BodyPart {
    guard let part = BodyPart(name) else {
      throw failure(
        key, expected: "a joint such as knee, left_knee or nose", found: NearNames.question(name, in: BodyPart.names))
    }
    return part
  }
}

extension ExerciseSignal {
  private static let measures = ["angle", "lean", "height", "distance", "speed"]

  /// The signals of an exercise's file, by name.
  static func all(_ file: YAMLMapping) throws -> [ExerciseSignal] {
    let yaml = try file.mapping("signals")
    guard !yaml.keys.isEmpty else { throw file.failure("signals", expected: "at least one signal", found: "none") }
    return try yaml.keys.map { try ExerciseSignal($0, yaml.mapping($0)) }
  }

  private init(_ name: String, _ yaml: YAMLMapping) throws {
    let found = yaml.keys.filter(Self.measures.contains)
    guard found.count == 1 else {
      try yaml.requireOnly(Self.measures + ["above", "over", "from", "along", "per", "reference", "side"])
      throw DataError(
        file: yaml.file, line: yaml.line,
        expected: "one of \(Self.measures.joined(separator: ", ")) for signals.\(name)",
        found: found.isEmpty ? "none of them" : found.joined(separator: " and "))
    }
    let measure: Measure
    let parts: [BodyPart]
    let own: [String]
    switch found[0] {
    case "angle":
      parts = try yaml.parts("angle", count: 3)
      (measure, own) = (.angle(parts[0], parts[1], parts[2]), [])
    case "lean":
      parts = try yaml.parts("lean", count: 2)
      (measure, own) = (.lean(lower: parts[0], upper: parts[1]), [])
    case "height":
      let part = try yaml.part("height")
      own = ["above", "over", "per", "reference"]
      if yaml.keys.contains("over") {
        let line = try yaml.parts("over", count: 2)
        guard !yaml.keys.contains("above") else {
          throw yaml.failure("above", expected: "either above or over", found: "both")
        }
        parts = [part] + line
        measure = .heightOverLine(part, from: line[0], to: line[1], per: try yaml.reference())
      } else {
        parts = [part, try yaml.part("above")]
        measure = .height(part, above: parts[1], per: try yaml.reference())
      }
    case "distance":
      parts = try yaml.parts("distance", count: 2)
      let axis: BodyDistance.Axis = yaml.keys.contains("along") ? try yaml.choice("along") : .both
      measure = .distance(parts[0], parts[1], along: axis, per: try yaml.reference())
      own = ["along", "per", "reference"]
    default:
      parts = [try yaml.part("speed"), try yaml.part("from")]
      (measure, own) = (.speed(parts[0], from: parts[1]), ["from"])
    }
    try yaml.requireOnly([found[0]] + own + ["side"])
    let hasSides = parts.contains(where: \.hasSides)
    var side = SideRule.mean
    if yaml.keys.contains("side") {
      guard hasSides else {
        throw yaml.failure("side", expected: "no side, as each of its joints is on one or in the middle")
      }
      side = try yaml.choice("side")
    }
    let reference: Reference = yaml.keys.contains("reference") ? try yaml.choice("reference") : .current
    self.init(name, measure, side: hasSides ? side : .left, reference: reference)
  }
}

extension YAMLMapping {
  /// The length that others are divided by: the trunk, unless the file names two joints.
  fileprivate func reference() throws -> ReferenceLength {
    guard keys.contains("per") else { return .trunk }
    let ends = try parts("per", count: 2)
    return ReferenceLength(from: ends[0], to: ends[1], unit: "times \(ends[0].name)–\(ends[1].name)")
  }
}

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
      "signal", "average", "start", "turn", "hysteresis", "attempt", "cooldown", "minimum_duration", "finish", "forget",
      "phases",
      "adaptive",
    ])
    let position = try yaml.signal(signals)
    let signal = signals[position]
    let start = try parameters.number(
      yaml, "start", ParameterPlace("start", on: signal, "Where a rep of \(signal.name) begins and ends."))
    let turn = try parameters.number(
      yaml, "turn", ParameterPlace("turn", on: signal, "Threshold of \(signal.name) for a rep to count."))
    guard start.defaultValue != turn.defaultValue else {
      throw yaml.failure("turn", expected: "another value than the start's")
    }
    let attempt =
      yaml.keys.contains("attempt")
      ? try parameters.number(
        yaml, "attempt",
        ParameterPlace("attempt", on: signal, "A movement past this value is judged, whether or not it counts."))
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
      "cooldown", "cooldown", "A rep that ends sooner than this after the last one does not count.", 0,
      "none unless a file sets it")
    let shortest = try seconds(
      "minimum_duration", "minimumDuration", "A rep shorter than this does not count.", 0.3,
      "no exercise is done three times a second")
    let average =
      yaml.keys.contains("average")
      ? try parameters.number(
        yaml, "average",
        ParameterPlace(
          "average", .seconds, in: 0...0.25, "\(signal.name) is counted as its mean over this time up to each frame."))
      : nil
    let finish = try seconds(
      "finish", "finish", "How long the end of a rep is watched before the rep is judged.", 0,
      "none unless a file sets it")
    let forget =
      yaml.keys.contains("forget")
      ? try seconds("forget", "forget", "A rep in progress is dropped after this long without its joints.", 0, "")
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
      signal: position, average: average, start: start, turn: turn, hysteresis: hysteresis, attempt: attempt,
      cooldown: cooldown,
      minimumDuration: shortest, finish: finish, forget: forget, phases: phases, adaptation: adaptation)
  }
}

extension RepRule.Adaptation {
  fileprivate init(_ yaml: YAMLMapping, signal: ExerciseSignal, _ parameters: inout ParameterReader) throws {
    try yaml.requireOnly(["enabled", "memory", "minimum_range", "margin", "turn_margin"])
    self.init(
      isOn: try parameters.toggle(
        yaml, "enabled",
        ParameterPlace(
          "adaptive", .toggle, in: 0...1, "Counts by thresholds that follow the signal's range, not by start and turn.",
          default: 0, "off unless a file sets it")),
      memory: try parameters.number(
        yaml, "memory",
        ParameterPlace(
          "memory", .seconds, in: 0.1...600, "Time constant with which the range shrinks towards the signal.",
          default: 10, "a few reps of any exercise")),
      minimumRange: try parameters.number(
        yaml, "minimum_range",
        ParameterPlace("minimumRange", on: signal, "A narrower range of \(signal.name) does not count as a movement.")),
      margin: try parameters.number(
        yaml, "margin",
        ParameterPlace(
          "margin", .ratio, in: 0.01...0.39, "How far from its end of the range a rep starts, as a share of the range.",
          default: 0.25, "a quarter of the range: anything closer to rest is rest")),
      turnMargin: try parameters.number(
        yaml, "turn_margin",
        ParameterPlace(
          "turnMargin", .ratio, in: 0.01...0.5,
          "How far from the other end of the range a rep turns, as a share of the range.",
          default: 0.25, "a quarter of the range, as for the start")))
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
        summary: "The condition for holding.", &parameters)
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
          "minimumDuration", .seconds, in: 0...60, "A hold or fault shorter than this is not reported.", default: 0.5,
          "half a second: longer than an estimator's slip")))
  }
}

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

    /// The points that a fault of this severity costs, unless the file sets them.
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
        throw yaml.failure("fault", expected: "a name that is not in use")
      }
      return fault
    }
  }

  private init(
    _ yaml: YAMLMapping, signals: [ExerciseSignal], phases: [String]?, _ parameters: inout ParameterReader
  ) throws {
    try yaml.requireOnly(["fault", "message", "severity", "deduction", "when"])
    let name = try yaml.text("fault")
    guard DefinedName.underscored.matches(name) else {
      throw yaml.failure("fault", expected: DefinedName.underscored.rawValue)
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
          parameter + "Deduction", .points, in: 0...100, "Points that \(name) deducts from a rep's 100.",
          default: severity.deduction, "by severity: low 10, normal 20, high 40")),
      conditions: conditions)
  }
}

extension ExerciseCondition {
  /// - Parameter phases: The names of a rep's phases; `nil` in a hold, where conditions apply to each frame.
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

/// The built-in exercises, compiled in from the files next to this one.
public enum BuiltInExercises {
  /// Sorted by name.
  static let files: [(name: String, bytes: [UInt8])] = [
    ("bench-press", PackageResources.bench_press_yaml), ("biceps-curl", PackageResources.biceps_curl_yaml),
    ("deadlift", PackageResources.deadlift_yaml), ("front-raise", PackageResources.front_raise_yaml),
    ("jumping-jack", PackageResources.jumping_jack_yaml), ("lunge", PackageResources.lunge_yaml),
    ("plank", PackageResources.plank_yaml), ("pull-up", PackageResources.pull_up_yaml),
    ("push-up", PackageResources.push_up_yaml), ("shoulder-press", PackageResources.shoulder_press_yaml),
    ("sit-up", PackageResources.sit_up_yaml), ("squat", PackageResources.squat_yaml),
  ]

  private static let read = Result {
    try files.map { try ExerciseDefinition(yaml: InputFile(name: "\($0.name).yaml (built in)", bytes: Data($0.bytes))) }
  }

  /// - Throws: `DataError` if a file is wrong; the tests read them all.
  public static var exercises: [ExerciseDefinition] { get throws { try read.get() } }
}

extension DetectorRegistry {
  /// Adds detectors for exercises that are defined by data.
  public init(_ exercises: [ExerciseDefinition]) { self.init(exercises.map(\.definition)) }
}
