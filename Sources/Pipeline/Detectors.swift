import Coaching
import Datasets
import Files

/// The detectors that can be named in suites and on the command line.
public struct DetectorRegistry: Sendable {
  public let detectors: [DetectorDefinition]

  public init(_ detectors: [DetectorDefinition]) { self.detectors = detectors }

  public init(_ types: [any Detector.Type]) { self.init(types.map { DetectorDefinition($0) }) }

  /// The registry with other detectors added, which replace those of the same name.
  public func adding(_ others: DetectorRegistry) -> DetectorRegistry {
    let names = Set(others.detectors.map(\.profile.name))
    return DetectorRegistry(detectors.filter { !names.contains($0.profile.name) } + others.detectors)
  }

  /// - Throws: `EvaluationError.missing` with the near names.
  public func detector(named name: String) throws -> DetectorDefinition {
    guard let detector = detectors.first(where: { $0.profile.name == name }) else {
      let names = detectors.map(\.profile.name)
      throw EvaluationError.missing(
        what: "detector \(name)", expected: "one that bench detector list names",
        found: "none; " + NearNames.choice(name, in: names))
    }
    return detector
  }
}

/// A detector with its parameter values, which creates new copies of the detector.
public struct DetectorSetting: Sendable {
  public let definition: DetectorDefinition
  public let values: ParameterValues
  public let signals: [any Signal]
  private let prototype: any PoseObserver

  /// The detector's defaults, with some values replaced.
  ///
  /// - Throws: `ParameterError` for values that contradict each other.
  public init(_ definition: DetectorDefinition, replacing replaced: [String: Double] = [:]) throws {
    self.definition = definition
    values = try ParameterValues(definition.parameters, replacing: replaced)
    prototype = try definition.detector(values)
    signals = prototype.signals
  }

  public var profile: DetectorProfile { definition.profile }
  public var name: String { profile.name }
  public var guides: [Guide] { prototype.guides }
  var countingRule: CountingRule? { prototype.countingRule }
  /// The program of the detector; `nil` for a detector in Swift.
  package var outside: (any OutsideObserver)? { prototype as? any OutsideObserver }

  /// A new detector without any state.
  func detector() -> any PoseObserver { prototype }
}

/// A parameter set by a person: `reps.squat-states.bottomAngle=95`.
public struct Assignment: Hashable, Sendable {
  public var detector: String
  public var parameter: String
  public var value: Double

  /// The assignments in a text: of one parameter, or of all parameters of a preset (`form.live-squat=corrected`).
  ///
  /// - Throws: `EvaluationError.usage` if the text is neither.
  public static func all(_ text: String, of detectors: [DetectorDefinition]) throws -> [Assignment] {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, let detector = detectors.first(where: { $0.profile.path == sides[0] }) else {
      return [try Assignment(text, of: detectors)]
    }
    guard let preset = detector.preset(named: sides[1]) else {
      let known = detector.presets.map(\.name)
      throw EvaluationError.usage(
        known.isEmpty
          ? "\(text): \(sides[0]) has no presets; set a parameter as in \(sides[0]).<parameter>=<value>"
          : "\(text): expected one of the presets \(known.joined(separator: ", ")), found "
            + NearNames.question(sides[1], in: known))
    }
    return preset.values.sorted { $0.key < $1.key }.map {
      Assignment(detector: detector.profile.name, parameter: $0.key, value: $0.value)
    }
  }

  /// - Throws: `EvaluationError.usage` if the text is not kind, detector, parameter and value of one of `detectors`.
  public init(_ text: String, of detectors: [DetectorDefinition]) throws {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, path.count == 3 else {
      throw EvaluationError.usage(
        "expected <kind>.<detector>.<parameter>=<value> such as reps.squat-states.bottomAngle=95, found \(text)")
    }
    let names = detectors.map(\.profile.path)
    guard let detector = detectors.first(where: { $0.profile.path == "\(path[0]).\(path[1])" }) else {
      throw EvaluationError.usage(
        "\(text): expected one of the detectors \(names.joined(separator: ", ")), found "
          + NearNames.question("\(path[0]).\(path[1])", in: names))
    }
    let parameters = detector.parameters
    guard let parameter = parameters.first(where: { $0.name == path[2] }) else {
      throw EvaluationError.usage(
        "\(text): expected one of \(detector.profile.path)'s parameters "
          + parameters.map(\.name).joined(separator: ", ")
          + ", found \(NearNames.question(path[2], in: parameters.map(\.name)))")
    }
    guard let value = Self.value(String(sides[1]), of: parameter) else {
      throw EvaluationError.usage(
        "\(text): expected \(parameter.unit == .toggle ? "on or off" : "a number"), found \(sides[1])")
    }
    guard parameter.range.contains(value) else {
      throw EvaluationError.usage("\(text): \(ParameterError.outOfRange(parameter, found: value))")
    }
    self.init(detector: detector.profile.name, parameter: parameter.name, value: value)
  }

  public init(detector: String, parameter: String, value: Double) {
    self.detector = detector
    self.parameter = parameter
    self.value = value
  }

  /// The value of a parameter as text; a toggle can also be `on`, `off`, `true` or `false`.
  package static func value(_ text: String, of parameter: Parameter) -> Double? {
    if parameter.unit == .toggle {
      switch text {
      case "on", "true", "1": return 1
      case "off", "false", "0": return 0
      default: return nil
      }
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension DetectorRegistry {
  public static let builtIn = DetectorRegistry(builtInTypes)

  /// The built-in detectors, grouped by the document that defines them.
  public static let builtInTypes: [any Detector.Type] = [
    // The AI coach guide.
    PoseQuality.self, CoachSquat.self, CoachDeadlift.self, CoachBenchPress.self, LiveCoach<SquatAnalysis>.self,
    LiveCoach<DeadliftAnalysis>.self, LiveCoach<BenchPressAnalysis>.self,
    // The live trainer architecture.
    LiveTrainer<LiveSquat>.self, LiveTrainer<LivePlank>.self, LiveTrainer<LivePushUp>.self,
    LiveTrainer<LiveLunge>.self,
    // The squat form analyser.
    SquatStates.self, SquatPosture.self, DistanceGuide.self,
    // The tennis architecture.
    SwingStates.self, SwingPeaks.self,
    // The MoveNet pose tracker.
    PoseClassifier.self,
    // Without a document.
    RepsAny.self, FormJudge<SquatForm>.self, FormJudge<LungeForm>.self, PushUpJudge.self, SwingStrokes.self,
    GolfEvents.self,
  ]
}
