/// The parameters by which a detector says which joints it trusts.
public struct SightParameters: Hashable, Sendable {
  public var minimumConfidence: Parameter
  public var usesDepth: Parameter

  public init(minimumConfidence: Parameter, usesDepth: Parameter) {
    self.minimumConfidence = minimumConfidence
    self.usesDepth = usesDepth
  }

  var all: [Parameter] { [minimumConfidence, usesDepth] }

  func visibility(_ values: ParameterValues) -> Visibility {
    Visibility(minimumConfidence: Float(values[minimumConfidence]), usesDepth: values.isOn(usesDepth))
  }

  /// Joints above 0.3, angles in the picture: the squat analyser runs on Apple Vision's 2D body pose.
  static let squatAnalyser = SightParameters(
    minimumConfidence: Parameter(
      "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are not looked at.",
      source: "squat form analyser: confidenceThreshold"),
    usesDepth: .toggle(
      "usesDepth", false, "Measures angles in space where the recording has depth, not in the picture.",
      source: "off: the squat form analyser sees 2D poses"))
}
