import PoseModel

/// The live trainer's lunge: low enough, front knee over its foot, trunk upright.
///
/// The document names the analyser and leaves its rules open.
public struct LiveLunge: LiveAnalyser {
  public static let profile = DetectorProfile(
    name: "live-lunge", kind: .form, exercise: "lunge",
    summary: "Counts and judges lunges by knees, front shank and trunk, with spoken and haptic cues.",
    source: "live trainer architecture: analyzeLunge(), whose rules are left open",
    joints: [.leftShoulder, .leftHip, .leftKnee, .leftAnkle],
    tasks: [
      .counts, .faults([shallow.name, kneeForward.name, forwardLean.name]), .grades("form"),
      .cues(every: LiveTrainerParameters.repeatTime),
    ])

  static let shallow = LiveFault("shallow", "Lower your back knee further", .warning)
  static let kneeForward = LiveFault("knee_forward", "Keep your front knee over your foot", .error)
  static let forwardLean = LiveFault("forward_lean", "Keep your chest up", .warning)

  static let kneeAngle = Parameter(
    "kneeAngle", 100, in: 30...170, .degrees, "Knee angle above which the bottom of a lunge is not low enough.",
    source: "coaches ask for both knees at 90°; 10° for a 2D angle's error")
  static let shankLean = Parameter(
    "shankLean", 28, in: 0...90, .degrees, "Lean of the front shank above which the knee is past the toes.",
    source: "the ankle's distance from the toes over the shank's length in Winter, Biomechanics, 2009, figure 4.1")
  static let trunkLean = Parameter(
    "trunkLean", 20, in: 0...90, .degrees, "Lean above which the trunk is not upright.",
    source: "left open in the live trainer architecture; the squat form analyser's maxBackLeanAngle")
  static let upAngle = Parameter(
    "upAngle", 150, in: 60...180, .degrees, "Angle of the more bent knee above which a rep is over.",
    source: "left open in the live trainer architecture")
  static let downAngle = Parameter(
    "downAngle", 120, in: 30...170, .degrees, "Angle of the more bent knee below which a rep counts.",
    source: "left open in the live trainer architecture; half of the way down, to count shallow reps too")

  public static let parameters = [kneeAngle, shankLean, trunkLean, upAngle, downAngle]

  public static let presets = [
    Preset("corrected", "Needs only one side of the body.", ["needsBothSides": 0])
  ]

  public static let parts: [BodyPart] = [.shoulder, .hip, .knee, .ankle]

  public let rep: (signal: Int, up: Float, down: Float)?
  private let kneeAngle: Float
  private let shankLean: Float
  private let trunkLean: Float

  public init(_ values: ParameterValues) {
    kneeAngle = Float(values[Self.kneeAngle])
    shankLean = Float(values[Self.shankLean])
    trunkLean = Float(values[Self.trunkLean])
    rep = (0, Float(values[Self.upAngle]), Float(values[Self.downAngle]))
  }

  public func signals(_ visibility: Visibility) -> [any Signal] {
    [
      JointAngle(from: .hip, vertex: .knee, to: .ankle, side: .minimum, visibility),
      // The front leg's shank is the more upright one: the back leg's is nearly horizontal.
      SegmentLean(lower: .ankle, upper: .knee, side: .minimum, visibility), TrunkLean(visibility),
    ]
  }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(kneeAngle), label: "low enough"),
      Guide(signal: 1, value: Double(shankLean), label: "knee past toes"),
      Guide(signal: 2, value: Double(trunkLean), label: "most lean"),
    ]
  }

  public func fault(inFrame values: [Float]) -> LiveFault? {
    values[1] > shankLean ? Self.kneeForward : values[2] > trunkLean ? Self.forwardLean : nil
  }

  public func fault(atTurn values: [Float]) -> LiveFault? { values[0] > kneeAngle ? Self.shallow : nil }
}
