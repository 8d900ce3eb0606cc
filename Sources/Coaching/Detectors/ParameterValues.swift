/// A value for each of a detector's parameters, all of them within their ranges.
public struct ParameterValues: Hashable, Sendable {
  /// By parameter name; a value for every parameter of the detector.
  public let values: [String: Double]

  /// The defaults of `parameters`, with some of them replaced.
  ///
  /// - Throws: `ParameterError` for a name that is not among the parameters, or a value out of range.
  public init(_ parameters: [Parameter], replacing replaced: [String: Double] = [:]) throws(ParameterError) {
    var values: [String: Double] = [:]
    for parameter in parameters { values[parameter.name] = parameter.defaultValue }
    for (name, value) in replaced.sorted(by: { $0.key < $1.key }) {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        throw .unknown(name, known: parameters.map(\.name))
      }
      guard parameter.range.contains(value), parameter.unit != .toggle || value == 0 || value == 1 else {
        throw .outOfRange(parameter, found: value)
      }
      values[name] = value
    }
    self.values = values
  }

  /// The value of a parameter of the detector that these values were made for.
  public subscript(_ parameter: Parameter) -> Double { values[parameter.name] ?? parameter.defaultValue }

  /// Whether a toggle is on.
  public func isOn(_ toggle: Parameter) -> Bool { self[toggle] == 1 }
}

/// Why a detector can't be made with the values given.
public enum ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String, known: [String])
  case outOfRange(Parameter, found: Double)
  /// Values that are fine alone but not together, in words.
  case contradiction(String)

  public var description: String {
    switch self {
    case .unknown(let name, let known):
      "no parameter is called \(name); there are \(known.sorted().joined(separator: ", "))"
    case .outOfRange(let parameter, let found) where parameter.unit == .toggle:
      "\(parameter.name) takes 0 (off) or 1 (on), found \(found)"
    case .outOfRange(let parameter, let found):
      "\(parameter.name) takes \(parameter.range.lowerBound) to \(parameter.range.upperBound) \(parameter.unit.rawValue)"
        + ", found \(found)"
    case .contradiction(let words): words
    }
  }
}

extension Detector {
  /// The detector with some parameters replaced by name.
  public init(replacing replaced: [String: Double]) throws(ParameterError) {
    try self.init(ParameterValues(Self.parameters, replacing: replaced))
  }
}
