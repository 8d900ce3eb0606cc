import Coaching
import Datasets
import PoseModel

extension ExerciseDefinition {
  /// Reads an exercise's file.
  ///
  /// - Throws: `DataError` with file, line and key where a key is unknown, missing or of another type, a joint, signal
  ///   or phase is not a known one, a number is out of its range, or numbers do not go together.
  public init(yaml file: InputFile) throws {
    let yaml = try YAMLMapping(file)
    try yaml.requireOnly([
      "exercise", "summary", "source", "joints", "minimum_confidence", "depth", "signals", "count", "hold", "faults",
      "praise", "speech_cooldown",
    ])
    let name = try yaml.text("exercise")
    guard PortableName.isValid(name), name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
      throw yaml.failure("exercise", expected: "small letters and digits with hyphens between them")
    }
    let source = try yaml.text("source")
    var parameters = ParameterReader(source: source)
    let signals = try ExerciseSignal.all(yaml)
    let rule = try ExerciseDefinition.Rule(yaml, signals: signals, &parameters)
    let faults = try ExerciseFault.all(yaml, signals: signals, rule: rule, &parameters)
    let sight = SightParameters(
      minimumConfidence: try parameters.number(
        yaml, "minimum_confidence",
        ParameterPlace(
          "minimumConfidence", .ratio, in: 0...1, "Joints at or below this confidence are not looked at.",
          default: 0.3, "squat form analyser: confidenceThreshold")),
      usesDepth: try parameters.toggle(
        yaml, "depth",
        ParameterPlace(
          "usesDepth", .toggle, in: 0...1,
          "Measures angles and lengths in space where the recording has depth, not in the picture.", default: 0,
          "off where a file does not say it")))
    let speechCooldown = try parameters.number(
      yaml, "speech_cooldown",
      ParameterPlace(
        "speechCooldown", .seconds, in: 0...60, "The shortest time between two cues.", default: 4,
        "squat form analyser: minimumSpeechInterval"))
    self.init(
      name: name, summary: try yaml.text("summary"), source: source, joints: try yaml.joints("joints"),
      signals: signals, rule: rule, faults: faults, praise: try yaml.textIfPresent("praise"), sight: sight,
      speechCooldown: speechCooldown)
    do {
      _ = try definition.detector(ParameterValues(definition.parameters))
    } catch {
      throw yaml.failure("count", expected: "numbers that go together", found: "\(error)")
    }
  }
}

extension YAMLMapping {
  /// One of some names.
  func name(_ key: String, of names: [String]) throws -> String {
    let found = try text(key)
    guard names.contains(found) else {
      throw failure(
        key, expected: "one of \(names.joined(separator: ", "))", found: NearNames.question(found, in: names))
    }
    return found
  }

  /// A joint with its side, without one, or a joint that has none.
  func part(_ key: String) throws -> BodyPart { try part(named: text(key), key) }

  /// So many of them, in a list.
  func parts(_ key: String, count: Int) throws -> [BodyPart] {
    let names = try texts(key)
    guard names.count == count else {
      throw failure(key, expected: "\(count) joints", found: "\(names.count)")
    }
    return try names.map { try part(named: $0, key) }
  }

  /// Joints by name; of a pair without its side, the left one.
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
