import PoseModel

/// Tells standing, hands up, bending, squatting, sitting, kneeling, plank and lying apart by the body's angles.
///
/// The tracker's document names pose classification and leaves its rules open: these are `PoseRules`, of which each
/// distinction follows from body proportions. A class is said once it has held for `hold` seconds, with the time that it
/// began; `unknown` once the deciding joints have been missing for as long. Seen from the front a sitter's thighs point at
/// the camera, and sitting looks like squatting: only a view from the side can tell them apart.
public struct PoseClassifier: Detector {
  public static let profile = DetectorProfile(
    name: "pose-class", kind: .posture, exercise: "",
    summary: "Says what the body does: stands, squats, sits, kneels, bends, lies, or holds a plank.",
    source: "MoveNet pose tracker: Extension Points, Pose Classification",
    joints: [.leftShoulder, .leftHip, .leftKnee],
    labels: PoseClass.allCases.map(\.rawValue))

  static let levelLean = Parameter(
    "levelLean", 45, in: 20...80, .degrees, "A trunk or leg that leans further from the vertical is level.",
    source: "halfway between upright and level")
  static let groundedShankLean = Parameter(
    "groundedShankLean", 60, in: 45...90, .degrees, "Shanks that lean further lie on the ground.",
    source: "chosen: far beyond the 38.5 ± 5.9° of deep squats over flat heels (Hemmerich et al. 2006)")
  static let bentKnee = Parameter(
    "bentKnee", 125, in: 60...170, .degrees, "Below it the knees are bent.",
    source: "chosen: 55° of flexion, halfway between a partial squat's 40° and a half squat's 70°")
  static let straightKnee = Parameter(
    "straightKnee", 140, in: 60...180, .degrees, "Above it the knees are straight.",
    source: "chosen: 40° of flexion, a partial squat's")
  static let lowHips = Parameter(
    "lowHips", 1.2, in: 0...1.7, .ratio, "With the hips less above the ankles, in trunk lengths, the legs are bent.",
    source: "knees at 90°: √(0.245² + 0.246²) / 0.288 (Drillis and Contini 1966)")
  static let openHip = Parameter(
    "openHip", 120, in: 60...180, .degrees, "Above it at the hip, a level trunk does not lie over the thighs.",
    source: "chosen: a squat closes the hip below 90°, a bench or a push-up on the knees leaves it open")
  static let supportingArms = Parameter(
    "supportingArms", 0.35, in: 0...1.2, .ratio,
    "With the shoulders higher above elbow or wrist, in trunk lengths, the arms hold the body up.",
    source: "the lowest push-up keeps a forearm of 0.146/0.288 = 0.5 under the shoulders, lying keeps little")
  static let groundedHips = Parameter(
    "groundedHips", 0.15, in: -1...1, .ratio,
    "With the hips less above elbow or wrist, in trunk lengths, a body on its arms lies on the floor.",
    source: "hips on the floor are 0.11 above the elbows, those of a plank that sags by 20° 0.26; half as far again")
  static let seatedImbalance = Parameter(
    "seatedImbalance", 0.53, in: 0...2, .ratio,
    "With the body's mass further beside the ankles, in trunk lengths, something but the feet carries it.",
    source: "a foot's length, 0.152/0.288 (Drillis and Contini 1966)")
  static let raisedHands = Parameter(
    "raisedHands", 0, in: -1...2, .ratio, "How far the wrists must be above the nose, in trunk lengths.",
    source: "the wrist above the head, as usual for hands up")
  static let hold = Parameter(
    "hold", 0.3, in: 0...5, .seconds, "How long a class must hold before it is said.",
    source: "chosen: below the shortest phase of a repetition, above the drop-outs of an estimator")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are not looked at.",
    source: "MoveNet pose tracker: not drawn below 30 %")

  public static let parameters = [
    levelLean, groundedShankLean, bentKnee, straightKnee, lowHips, openHip, supportingArms, groundedHips,
    seatedImbalance, raisedHands, hold, minimumConfidence,
  ]

  public let rules: PoseRules
  /// The class that was said last; `nil` where none is known.
  public private(set) var current: PoseClass?
  private let hold: Microseconds
  private let visibility: Visibility
  /// What was seen last, and since when.
  private var candidate: PoseClass?
  private var since: Microseconds?

  public init(_ values: ParameterValues) throws(ParameterError) {
    guard values[Self.bentKnee] <= values[Self.straightKnee] else {
      throw .contradiction(
        "bentKnee (\(values[Self.bentKnee])°) must not be above straightKnee (\(values[Self.straightKnee])°)")
    }
    rules = PoseRules(
      levelLean: Float(values[Self.levelLean]), groundedShankLean: Float(values[Self.groundedShankLean]),
      bentKnee: Float(values[Self.bentKnee]), straightKnee: Float(values[Self.straightKnee]),
      lowHips: Float(values[Self.lowHips]), openHip: Float(values[Self.openHip]),
      supportingArms: Float(values[Self.supportingArms]), groundedHips: Float(values[Self.groundedHips]),
      seatedImbalance: Float(values[Self.seatedImbalance]),
      raisedHands: Float(values[Self.raisedHands]))
    hold = Microseconds(seconds: values[Self.hold]) ?? .zero
    visibility = Visibility(minimumConfidence: Float(values[Self.minimumConfidence]), usesDepth: false)
  }

  public var signals: [any Signal] { PoseMeasure.Quantity.allCases.map { PoseMeasure($0, visibility) } }

  public var measurement: any FrameMeasurement { PoseMeasurement(visibility: visibility) }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(rules.levelLean), label: "level"),
      Guide(signal: 1, value: Double(rules.levelLean), label: "level"),
      Guide(signal: 4, value: Double(rules.bentKnee), label: "bent"),
      Guide(signal: 4, value: Double(rules.straightKnee), label: "straight"),
      Guide(signal: 8, value: Double(rules.seatedImbalance), label: "seated"),
    ]
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let seen = rules.poseClass(of: PoseMeasures(signals, frame), after: candidate)
      let time = poses.time(frame)
      if seen != candidate || since == nil {
        candidate = seen
        since = time
      }
      guard candidate != current, let since, time - since >= hold else { continue }
      current = candidate
      events.append(
        Event(time: since, reported: time, kind: .phase(candidate.map(\.rawValue) ?? "unknown")))
    }
  }
}

extension PoseMeasures {
  /// In the order of `PoseMeasure.Quantity`.
  init(_ signals: borrowing SignalColumns, _ frame: Int) {
    trunkLean = signals[0, frame]
    legLean = signals[1, frame]
    thighLean = signals[2, frame]
    shankLean = signals[3, frame]
    kneeAngle = signals[4, frame]
    hipAngle = signals[5, frame]
    hipHeight = signals[6, frame]
    armSupport = signals[7, frame]
    imbalance = signals[8, frame]
    handHeight = signals[9, frame]
    hipClearance = signals[10, frame]
  }
}
