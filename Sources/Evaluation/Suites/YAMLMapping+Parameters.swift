import Coaching
import Datasets

extension YAMLMapping {
  /// The values below a key, by parameter.
  ///
  /// - Throws: `DataError` with file, line and key for a parameter that the detector does not have, or a value that is
  ///   none of the parameter's.
  func parameterValues(_ key: String, of detector: DetectorDefinition) throws -> [String: Double] {
    let yaml = try mapping(key)
    try yaml.requireOnly(detector.parameters.map(\.name))
    var values: [String: Double] = [:]
    for parameter in detector.parameters where yaml.keys.contains(parameter.name) {
      guard let value = Assignment.value(try yaml.text(parameter.name), of: parameter), parameter.range.contains(value)
      else {
        throw yaml.failure(
          parameter.name,
          expected: parameter.unit == .toggle
            ? "on or off" : "\(parameter.range.lowerBound) to \(parameter.range.upperBound) \(parameter.unit.rawValue)")
      }
      values[parameter.name] = value
    }
    return values
  }
}
