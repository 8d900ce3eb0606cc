import Coaching
import Datasets

/// A parameter set by a person: `reps.squat-states.bottomAngle=95`.
public struct Assignment: Hashable, Sendable {
  public var detector: String
  public var parameter: String
  public var value: Double

  /// - Throws: `EvaluationError.usage` where the text is not kind, detector, parameter and value of one of `detectors`.
  public init(_ text: String, of detectors: [any Detector.Type]) throws {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, path.count == 3 else {
      throw EvaluationError.usage(
        "expected <kind>.<detector>.<parameter>=<value> such as reps.squat-states.bottomAngle=95, found \(text)")
    }
    let names = detectors.map { "\($0.profile.kind.rawValue).\($0.profile.name)" }
    guard
      let type = detectors.first(where: { "\($0.profile.kind.rawValue).\($0.profile.name)" == "\(path[0]).\(path[1])" })
    else {
      throw EvaluationError.usage(
        "\(text): expected one of the detectors \(names.joined(separator: ", ")), found "
          + NearNames.question("\(path[0]).\(path[1])", in: names))
    }
    let parameters = type.parameters
    guard let parameter = parameters.first(where: { $0.name == path[2] }) else {
      throw EvaluationError.usage(
        "\(text): expected one of \(names.first { $0.hasSuffix(".\(type.profile.name)") } ?? path[1])'s parameters "
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
    self.init(detector: type.profile.name, parameter: parameter.name, value: value)
  }

  public init(detector: String, parameter: String, value: Double) {
    self.detector = detector
    self.parameter = parameter
    self.value = value
  }

  /// The number that a text means for a parameter; a toggle also takes `on`, `off`, `true` and `false`.
  static func value(_ text: String, of parameter: Parameter) -> Double? {
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
