import PoseModel

/// The live trainer's squat: the hips must come down to the knees.
///
/// The document judges every frame: even a standing person is told to get deeper. That is the default; the preset
/// `corrected` judges depth at the turn, and needs only the side that the camera sees.
public struct LiveSquat: LiveAnalyser {
  public static let profile = DetectorProfile(
    name: "live-squat", kind: .form, exercise: "squat",
    summary: "Counts and judges squats by the hips' height over the knees, with spoken and haptic cues.",
    source: "live trainer architecture: analyzeSquat()",
    joints: [.leftHip, .leftKnee, .leftAnkle],
    tasks: [.counts, .faults([shallow.name]), .grades("form"), .cues(every: LiveTrainerParameters.repeatTime)])

  static let shallow = LiveFault("shallow", "Get deeper!", .warning)

  static let depth = Parameter(
    "depth", 0.2, in: -1...1.5, .trunkLengths,
    "Height of the hips over the knees above which a squat is not deep enough.",
    source: "live trainer architecture: avgHipY > avgKneeY + threshold; left open, 0.2 is thighs 14° short of level")
  static let judgesAtTurn = Parameter.toggle(
    "judgesAtTurn", false, "Judges depth only at the turn of the squat instead of in every frame.",
    source: "live trainer architecture: every frame is judged")
  static let upAngle = Parameter(
    "upAngle", 150, in: 60...180, .degrees, "Knee angle above which a rep is over.",
    source: "left open in the live trainer architecture; 10° short of the squat form analyser's standing")
  static let downAngle = Parameter(
    "downAngle", 120, in: 30...170, .degrees, "Knee angle below which a rep counts.",
    source: "left open in the live trainer architecture; a third of the way down, to count shallow reps too")

  public static let parameters = [depth, judgesAtTurn, upAngle, downAngle]

  public static let presets = [
    Preset(
      "corrected", "Judges depth at the turn of the squat, and needs only one side of the body.",
      ["judgesAtTurn": 1, "needsBothSides": 0])
  ]

  public static let parts: [BodyPart] = [.hip, .knee]

  public let rep: (signal: Int, up: Float, down: Float)?
  private let depth: Float
  private let judgesAtTurn: Bool

  public init(_ values: ParameterValues) {
    depth = Float(values[Self.depth])
    judgesAtTurn = values.isOn(Self.judgesAtTurn)
    rep = (1, Float(values[Self.upAngle]), Float(values[Self.downAngle]))
  }

  public func signals(_ visibility: Visibility) -> [any Signal] {
    [JointHeight(.hip, above: .knee, per: .trunk, side: .mean, visibility), LimbAngle(.knee, visibility)]
  }

  public var guides: [Guide] { [Guide(signal: 0, value: Double(depth), label: "deep enough")] }

  public func fault(inFrame values: [Float]) -> LiveFault? { !judgesAtTurn && values[0] > depth ? Self.shallow : nil }

  public func fault(atTurn values: [Float]) -> LiveFault? { judgesAtTurn && values[0] > depth ? Self.shallow : nil }
}
