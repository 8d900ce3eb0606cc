import PoseModel

/// The live trainer's plank: shoulders and hips at the same height.
///
/// The document uses the absolute difference of the two heights in the image; here its sign tells whether the hips are
/// high or sag. In a plank on straight arms the shoulders are well above the hips, and the rule never accepts it. The
/// preset `corrected` uses the hips' distance from the line from shoulders to ankles.
public struct LivePlank: LiveAnalyser {
  public static let profile = DetectorProfile(
    name: "live-plank", kind: .form, exercise: "plank",
    summary: "Judges every frame of a plank by the hips' position, with spoken and haptic cues.",
    source: "live trainer architecture: analyzePlank()",
    joints: [.leftShoulder, .leftHip, .leftAnkle],
    tasks: [
      .postures(["correct", high.name, sagging.name]), .faults([high.name, sagging.name]), .grades("form"),
      .cues(every: LiveTrainerParameters.repeatTime),
    ])

  static let high = LiveFault("hips_high", "Straighten your back! Bring your hips down", .warning)
  static let sagging = LiveFault("hips_sag", "Straighten your back! Lift your hips", .error)

  static let level = Parameter(
    "level", 0.3, in: 0...1, .trunkLengths,
    "Height difference of shoulders and hips above which the body is not straight.",
    source: "live trainer architecture: shoulderHipDiff > threshold; left open, 0.3 is a trunk that slopes by 17°")
  static let usesLine = Parameter.toggle(
    "usesLine", false, "Compares the hips with the line from shoulders to ankles instead of the shoulders' height.",
    source: "live trainer architecture: abs(avgShoulderY - avgHipY)")
  static let line = Parameter(
    "line", 0.2, in: 0...1, .trunkLengths, "Distance of the hips from the line above which the body is not straight.",
    source: "20° of bend at the hips by the trunk's and the legs' lengths in Winter, Biomechanics, 2009, figure 4.1")

  public static let parameters = [level, usesLine, line]

  public static let presets = [
    Preset(
      "corrected", "Judges the hips by the line from shoulders to ankles, and needs only one side of the body.",
      ["usesLine": 1, "needsBothSides": 0])
  ]

  public static let parts: [BodyPart] = [.shoulder, .hip, .ankle]

  private let usesLine: Bool
  private let threshold: Float

  public init(_ values: ParameterValues) {
    usesLine = values.isOn(Self.usesLine)
    threshold = Float(values[usesLine ? Self.line : Self.level])
  }

  public func signals(_ visibility: Visibility) -> [any Signal] {
    usesLine
      ? [HeightOverLine(.hip, from: .shoulder, to: .ankle, per: .trunk, side: .mean, visibility)]
      : [JointHeight(.hip, above: .shoulder, per: .trunk, side: .mean, visibility)]
  }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(threshold), label: "hips high"),
      Guide(signal: 0, value: -Double(threshold), label: "hips sag"),
    ]
  }

  public func fault(inFrame values: [Float]) -> LiveFault? {
    values[0] > threshold ? Self.high : values[0] < -threshold ? Self.sagging : nil
  }
}
