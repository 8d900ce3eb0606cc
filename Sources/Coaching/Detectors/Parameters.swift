/// A setting of a detector: a threshold, a weight, a time.
public struct Parameter: Hashable, Sendable {
  /// The unit of a parameter; the raw value is its name for people.
  public enum Unit: String, Hashable, Sendable {
    /// Degrees, seconds, a plain number and points of a score (0...100).
    case degrees, seconds, ratio, points
    /// Lengths in the world, and whole numbers of frames, reps and sets.
    case metres, frames, reps, sets
    /// Shares of the image's height.
    case imageHeights = "image heights"
    /// Shares of the person's height.
    case bodyHeights = "body heights"
    /// Shares of the person's height per second.
    case bodyHeightsPerSecond = "body heights/s"
    /// Times a second.
    case perSecond = "1/s"
    /// The speed of a voice.
    case wordsPerMinute = "words a minute"
    /// Multiples of the trunk, hip to shoulder.
    case trunkLengths = "trunk lengths"
    /// Multiples of the trunk, hip to shoulder, per second.
    case trunkLengthsPerSecond = "trunk lengths per second"
    /// 0 is off, 1 is on.
    case toggle = "on or off"
  }

  /// `bottomAngle`
  public var name: String
  /// The default value, within `range`.
  public var defaultValue: Double
  /// The allowed values, both ends included.
  public var range: ClosedRange<Double>
  /// The unit of `defaultValue` and `range`.
  public var unit: Unit
  /// The effect of the parameter, in one sentence.
  public var summary: String
  /// The source of the default.
  public var source: String

  public init(
    _ name: String, _ defaultValue: Double, in range: ClosedRange<Double>, _ unit: Unit, _ summary: String,
    source: String
  ) {
    self.name = name
    self.defaultValue = defaultValue
    self.range = range
    self.unit = unit
    self.summary = summary
    self.source = source
  }

  /// An on/off parameter.
  public static func toggle(_ name: String, _ isOn: Bool, _ summary: String, source: String) -> Parameter {
    Parameter(name, isOn ? 1 : 0, in: 0...1, .toggle, summary, source: source)
  }
}

/// A value for each of a detector's parameters, all of them within their ranges.
public struct ParameterValues: Hashable, Sendable {
  /// The value of every parameter of the detector, by name.
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

/// The reason why values are invalid for a detector.
public enum ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An unknown name, with the known ones.
  case unknown(String, known: [String])
  /// A value outside the parameter's range, or a toggle's value other than 0 and 1.
  case outOfRange(Parameter, found: Double)
  /// Values that are valid alone but not together, in words.
  case contradiction(String)

  /// A sentence for people: what was expected and what was found.
  public var description: String {
    switch self {
    case .unknown(let name, let known):
      "unknown parameter \(name); choose from \(known.sorted().joined(separator: ", "))"
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

/// A named set of parameter values, such as one that corrects an error in a document.
public struct Preset: Hashable, Sendable {
  /// `corrected`. Letters, digits and hyphens.
  public var name: String
  /// One sentence: what it changes and why.
  public var summary: String
  /// The values by parameter name; other parameters keep their defaults.
  public var values: [String: Double]

  public init(_ name: String, _ summary: String, _ values: [String: Double]) {
    self.name = name
    self.summary = summary
    self.values = values
  }
}
