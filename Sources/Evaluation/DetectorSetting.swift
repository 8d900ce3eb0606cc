import Coaching

/// A detector with the values of its parameters, of which any number of fresh copies can be made.
public struct DetectorSetting: Sendable {
  public let type: any Detector.Type
  public let values: ParameterValues
  private let prototype: any Detector

  /// - Throws: `ParameterError`.
  public init(_ type: any Detector.Type, _ values: ParameterValues) throws {
    self.type = type
    self.values = values
    prototype = try type.init(values)
  }

  public var profile: DetectorProfile { type.profile }
  public var name: String { type.profile.name }
  public var signals: [any Signal] { prototype.signals }
  public var guides: [Guide] { prototype.guides }

  /// A detector that has seen nothing yet.
  func detector() -> any Detector { prototype }
}
