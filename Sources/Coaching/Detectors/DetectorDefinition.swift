/// A detector that can be made: what it is, what can be set, and how to make one.
///
/// Most are types that conform to `Detector`; one that is defined by data, such as a file, is made from a closure.
public struct DetectorDefinition: Sendable {
  public let profile: DetectorProfile
  public let parameters: [Parameter]
  public let presets: [Preset]
  private let make: @Sendable (ParameterValues) throws(ParameterError) -> any PoseObserver

  public init(
    profile: DetectorProfile, parameters: [Parameter], presets: [Preset] = [],
    make: @escaping @Sendable (ParameterValues) throws(ParameterError) -> any PoseObserver
  ) {
    self.profile = profile
    self.parameters = parameters
    self.presets = presets
    self.make = make
  }

  public init(_ type: any Detector.Type) {
    self.init(profile: type.profile, parameters: type.parameters, presets: type.presets) {
      (values) throws(ParameterError) in try type.init(values)
    }
  }

  /// One that has seen nothing yet.
  ///
  /// - Throws: `ParameterError.contradiction` where values that are fine alone do not go together.
  public func detector(_ values: ParameterValues) throws(ParameterError) -> any PoseObserver { try make(values) }

  /// The preset of this name.
  public func preset(named name: String) -> Preset? { presets.first { $0.name == name } }
}
