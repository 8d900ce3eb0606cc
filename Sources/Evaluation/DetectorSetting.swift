import Coaching

/// A detector with the values of its parameters, of which any number of fresh copies can be made.
public struct DetectorSetting: Sendable {
  public let definition: DetectorDefinition
  public let values: ParameterValues
  private let prototype: any PoseObserver

  /// The detector's defaults, with some of them replaced.
  ///
  /// - Throws: `ParameterError`.
  public init(_ definition: DetectorDefinition, replacing replaced: [String: Double] = [:]) throws {
    self.definition = definition
    values = try ParameterValues(definition.parameters, replacing: replaced)
    prototype = try definition.detector(values)
  }

  public var profile: DetectorProfile { definition.profile }
  public var name: String { profile.name }
  public var signals: [any Signal] { prototype.signals }
  public var guides: [Guide] { prototype.guides }

  /// A detector that has seen nothing yet.
  func detector() -> any PoseObserver { prototype }
}
