import PoseModel

/// The live trainer's push-up: arms bent far enough at the bottom, hips on the body's line.
///
/// The document names the analyser and leaves its rules open. They are those of the FitnessGram 90° push-up: elbows to
/// 90°, the body straight from head to toes.
public struct LivePushUp: LiveAnalyser {
  public static let profile = DetectorProfile(
    name: "live-push-up", kind: .form, exercise: "push-up",
    summary: "Counts and judges push-ups by the elbows and the body's line, with spoken and haptic cues.",
    source: "live trainer architecture: analyzePushUp(), whose rules are left open; FitnessGram, 90° Push-Up",
    joints: [.leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftAnkle],
    tasks: [
      .counts, .faults([shallow.name, LivePlank.high.name, LivePlank.sagging.name]), .grades("form"),
      .cues(every: LiveTrainerParameters.repeatTime),
    ])

  static let shallow = LiveFault("shallow", "Lower your chest further", .warning)

  static let elbowAngle = Parameter(
    "elbowAngle", 100, in: 30...170, .degrees, "Elbow angle above which the bottom of a push-up is not low enough.",
    source:
      "FitnessGram/ActivityGram Test Administration Manual, 90° Push-Up: elbows at 90°; 10° for a 2D angle's error")
  static let upAngle = Parameter(
    "upAngle", 150, in: 60...180, .degrees, "Elbow angle above which a rep is over.",
    source: "left open in the live trainer architecture; arms nearly straight, short of a locked elbow's 180°")
  static let downAngle = Parameter(
    "downAngle", 140, in: 30...170, .degrees, "Elbow angle below which a rep counts.",
    source:
      "left open in the live trainer architecture; half of the way from straight to elbowAngle, to count "
      + "shallow reps too")

  public static let parameters = [elbowAngle, LivePlank.line, upAngle, downAngle]

  public static let presets = [
    Preset("corrected", "Needs only one side of the body, for a camera at the side.", ["needsBothSides": 0])
  ]

  public static let parts: [BodyPart] = [.shoulder, .elbow, .wrist, .hip, .ankle]

  public let rep: (signal: Int, up: Float, down: Float)?
  private let elbowAngle: Float
  private let line: Float

  public init(_ values: ParameterValues) {
    elbowAngle = Float(values[Self.elbowAngle])
    line = Float(values[LivePlank.line])
    rep = (0, Float(values[Self.upAngle]), Float(values[Self.downAngle]))
  }

  public func signals(_ visibility: Visibility) -> [any Signal] {
    [
      JointAngle(from: .shoulder, vertex: .elbow, to: .wrist, side: .mean, visibility),
      HeightOverLine(.hip, from: .shoulder, to: .ankle, per: .trunk, side: .mean, visibility),
    ]
  }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(elbowAngle), label: "low enough"),
      Guide(signal: 1, value: Double(line), label: "hips high"),
      Guide(signal: 1, value: -Double(line), label: "hips sag"),
    ]
  }

  public func fault(inFrame values: [Float]) -> LiveFault? {
    values[1] > line ? LivePlank.high : values[1] < -line ? LivePlank.sagging : nil
  }

  public func fault(atTurn values: [Float]) -> LiveFault? { values[0] > elbowAngle ? Self.shallow : nil }
}
