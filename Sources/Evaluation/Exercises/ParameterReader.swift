import Coaching
import Datasets
import Files

/// A place for a number in an exercise's file, and the parameter's properties unless the file sets them.
struct ParameterPlace {
  var name: String
  var unit: Parameter.Unit
  var range: ClosedRange<Double>
  var summary: String
  /// The value if the file has none, with its source; `nil` if the file must have one.
  var fallback: (value: Double, source: String)?

  init(
    _ name: String, _ unit: Parameter.Unit, in range: ClosedRange<Double>, _ summary: String,
    default value: Double? = nil, _ source: String = ""
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.summary = summary
    fallback = value.map { ($0, source) }
  }

  /// A threshold on a signal.
  init(_ name: String, on signal: ExerciseSignal, _ summary: String) {
    let range: ClosedRange<Double> =
      switch signal.unit {
      case .degrees: 0...180
      case .trunkLengthsPerSecond: 0...100
      default: -10...10
      }
    self.init(name, signal.unit, in: range, summary)
  }
}

/// Makes a parameter of each number in an exercise's file.
///
/// A number stands alone (`start: 150`) or with details (`start: { value: 150, name: up, range: [90, 180], source: …
/// }`).
struct ParameterReader {
  /// The source of the whole file, for numbers without their own.
  let source: String
  private var names: Set<String> = []

  init(source: String) { self.source = source }

  mutating func number(_ yaml: YAMLMapping, _ key: String, _ place: ParameterPlace) throws -> Parameter {
    if !yaml.keys.contains(key), let (value, origin) = place.fallback {
      return try unique(
        Parameter(place.name, value, in: place.range, place.unit, place.summary, source: origin), yaml, key)
    }
    guard yaml.hasMapping(key) else {
      let value = try yaml.number(key)
      guard place.range.contains(value) else { throw yaml.outOfRange(key, place.range, place.unit) }
      return try unique(
        Parameter(place.name, value, in: place.range, place.unit, place.summary, source: source), yaml, key)
    }
    let own = try yaml.mapping(key)
    try own.requireOnly(["value", "name", "range", "summary", "source"])
    let range = own.keys.contains("range") ? try own.range("range") : place.range
    let value = try own.number("value")
    guard range.contains(value) else { throw own.outOfRange("value", range, place.unit) }
    let name = try own.textIfPresent("name") ?? place.name
    guard DefinedName.camelCase.matches(name) else {
      throw own.failure("name", expected: DefinedName.camelCase.rawValue)
    }
    return try unique(
      Parameter(
        name, value, in: range, place.unit, try own.textIfPresent("summary") ?? place.summary,
        source: try own.textIfPresent("source") ?? source), own, own.keys.contains("name") ? "name" : "value")
  }

  /// `on` or `off`.
  mutating func toggle(_ yaml: YAMLMapping, _ key: String, _ place: ParameterPlace) throws -> Parameter {
    var isOn = place.fallback?.value == 1
    var origin = place.fallback?.source ?? source
    if yaml.keys.contains(key) {
      isOn = try yaml.name(key, of: ["on", "off"]) == "on"
      origin = "from the exercise's file"
    }
    return try unique(.toggle(place.name, isOn, place.summary, source: origin), yaml, key)
  }

  /// The parameter, after checking that its name is new.
  private mutating func unique(_ parameter: Parameter, _ yaml: YAMLMapping, _ key: String) throws -> Parameter {
    guard names.insert(parameter.name).inserted else {
      throw yaml.failure(
        key, expected: "a name that no other number in the file uses", found: "\(parameter.name) again")
    }
    return parameter
  }
}

extension YAMLMapping {
  fileprivate func range(_ key: String) throws -> ClosedRange<Double> {
    let bounds = try numbers(key)
    guard bounds.count == 2, bounds[0] < bounds[1] else {
      throw failure(key, expected: "the lowest and the highest value")
    }
    return bounds[0]...bounds[1]
  }

  fileprivate func outOfRange(_ key: String, _ range: ClosedRange<Double>, _ unit: Parameter.Unit) -> DataError {
    failure(
      key, expected: "\(range.lowerBound.shortestDecimal) to \(range.upperBound.shortestDecimal) \(unit.rawValue)")
  }
}
