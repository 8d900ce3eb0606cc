import PoseModel

/// Distinguishes standing, hands up, bending, squatting, sitting, kneeling, plank and lying by the body's angles.
///
/// The tracker's document names pose classification without rules; the rules here are `PoseRules`, derived from body
/// proportions. A class is reported once it has held for `hold` seconds, with its start time; `unknown` once the
/// deciding joints have been missing for that long. From the front, a sitter's thighs point at the camera and sitting
/// looks like squatting: only a side view distinguishes them.
public struct PoseClassifier: Detector {
  public static let profile = DetectorProfile(
    name: "pose-class", kind: .posture, exercise: "",
    summary: "Recognises postures: standing, hands up, squatting, sitting, kneeling, bending, lying and plank.",
    source: "MoveNet pose tracker: Extension Points, Pose Classification",
    joints: [.leftShoulder, .leftHip, .leftKnee],
    tasks: [.postures(PoseClass.allCases.map(\.rawValue))])

  static let levelLean = Parameter(
    "levelLean", 45, in: 20...80, .degrees, "Lean from the vertical above which a trunk or leg is level.",
    source: "halfway between upright and level")
  static let groundedShankLean = Parameter(
    "groundedShankLean", 60, in: 45...90, .degrees, "Lean from the vertical above which the shanks are on the ground.",
    source: "chosen: far beyond the 38.5 ± 5.9° of deep squats over flat heels (Hemmerich et al. 2006)")
  static let bentKnee = Parameter(
    "bentKnee", 125, in: 60...170, .degrees, "Knee angle below which the knees are bent.",
    source: "chosen: 55° of flexion, halfway between a partial squat's 40° and a half squat's 70°")
  static let straightKnee = Parameter(
    "straightKnee", 140, in: 60...180, .degrees, "Knee angle above which the knees are straight.",
    source: "chosen: 40° of flexion, a partial squat's")
  static let lowHips = Parameter(
    "lowHips", 1.2, in: 0...1.7, .ratio,
    "Height of the hips above the ankles, in trunk lengths, below which the legs are bent.",
    source: "knees at 90°: √(0.245² + 0.246²) / 0.288 (Drillis and Contini 1966)")
  static let openHip = Parameter(
    "openHip", 120, in: 60...180, .degrees, "Hip angle above which a level trunk does not lie over the thighs.",
    source: "chosen: a squat closes the hip below 90°, a bench or a push-up on the knees leaves it open")
  static let supportingArms = Parameter(
    "supportingArms", 0.35, in: 0...1.2, .ratio,
    "Height of the shoulders above elbow or wrist, in trunk lengths, above which the arms hold the body up.",
    source: "the lowest push-up keeps a forearm of 0.146/0.288 = 0.5 under the shoulders, lying keeps little")
  static let groundedHips = Parameter(
    "groundedHips", 0.15, in: -1...1, .ratio,
    "Height of the hips above elbow or wrist, in trunk lengths, below which a body on its arms is on the floor.",
    source: "hips on the floor are 0.11 above the elbows, those of a plank that sags by 20° 0.26: between them")
  static let seatedImbalance = Parameter(
    "seatedImbalance", 0.53, in: 0...2, .ratio,
    "Offset of the body's mass from the ankles, in trunk lengths, above which the feet do not carry it alone.",
    source: "a foot's length, 0.152/0.288 (Drillis and Contini 1966)")
  static let raisedHands = Parameter(
    "raisedHands", 0, in: -1...2, .ratio,
    "Least height of the wrists above the nose for raised hands, in trunk lengths.",
    source: "the wrist above the head, as usual for hands up")
  static let hold = Parameter(
    "hold", 0.3, in: 0...5, .seconds, "How long a class must hold before it is reported.",
    source: "chosen: below the shortest phase of a repetition, above the drop-outs of an estimator")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
    source: "MoveNet pose tracker: not drawn below 30 %")

  public static let parameters = [
    levelLean, groundedShankLean, bentKnee, straightKnee, lowHips, openHip, supportingArms, groundedHips,
    seatedImbalance, raisedHands, hold, minimumConfidence,
  ]

  /// The thresholds between the classes.
  public let rules: PoseRules
  /// The last reported class; `nil` if unknown.
  public private(set) var current: PoseClass?
  private let hold: Microseconds
  private let visibility: Visibility
  /// The last observed class, and its start.
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

/// The overall posture of a body, as far as its keypoints show it.
public enum PoseClass: String, CaseIterable, Hashable, Sendable {
  /// Upright on straight legs.
  case standing
  /// Standing with both wrists above the nose.
  case handsUp = "hands-up"
  /// On straight legs with the trunk closer to horizontal than to upright: the bottom of a deadlift.
  case bending
  /// On bent legs with the body's mass over the feet.
  case squatting
  /// With the body's mass where the feet alone cannot carry it: on a chair, or on the floor with an upright trunk.
  case sitting
  /// On the shanks.
  case kneeling
  /// Horizontal, with the shoulders held up by the arms: also every part of a push-up.
  case plank
  /// Horizontal on the ground or a bench.
  case lying
}

/// How a frame's measures become a pose class: a pure function with a threshold for each distinction.
///
/// Body lengths are shares of stature from Drillis and Contini 1966 (as in Winter, Biomechanics and Motor Control of Human
/// Movement, 4th ed. 2009, figure 4.1): trunk 0.288, thigh 0.245, shank 0.246, upper arm 0.186, forearm 0.146, foot 0.152.
public struct PoseRules: Hashable, Sendable {
  /// Degrees from the vertical above which a part of the body counts as horizontal.
  public var levelLean: Float
  /// Degrees from the vertical above which the shanks lie on the ground.
  public var groundedShankLean: Float
  /// Degrees at the knee below which the legs are bent.
  public var bentKnee: Float
  /// Degrees at the knee above which they are straight; between the two the last class remains.
  public var straightKnee: Float
  /// Trunk lengths of hip over ankle below which the legs are bent, from any view.
  public var lowHips: Float
  /// Degrees at the hip above which a horizontal trunk is not a squatter's, which lies over the thighs.
  public var openHip: Float
  /// Trunk lengths of shoulder over elbow or wrist above which the arms hold up a horizontal body.
  public var supportingArms: Float
  /// Trunk lengths of hip over elbow or wrist below which a body on its arms has its hips on the floor.
  public var groundedHips: Float
  /// Trunk lengths of the body's mass beside the ankles beyond which the feet cannot carry it.
  public var seatedImbalance: Float
  /// Trunk lengths that the wrists must be above the nose.
  public var raisedHands: Float

  /// The class of a frame; `nil` if the deciding joints are missing.
  ///
  /// - Parameters:
  ///   - measures: The frame's measures.
  ///   - last: The class before, which remains while the knees are between bent and straight.
  public func poseClass(of measures: PoseMeasures, after last: PoseClass? = nil) -> PoseClass? {
    let m = measures
    guard m.trunkLean.isFinite && m.legLean.isFinite else { return nil }
    let trunkIsLevel = m.trunkLean > levelLean
    let kneesAreBent = m.kneeAngle < bentKnee
    if kneesAreBent && m.shankLean > groundedShankLean && (m.thighLean < levelLean || !trunkIsLevel) {
      return .kneeling
    }
    // The feet alone cannot carry it and the arms reach down: hands or elbows carry the rest, whether the hips are in
    // line, too high or too low, as long as they are off the floor. A person getting up from the back has bent knees
    // and a closed hip. If the ankles are out of sight, horizontal thighs show the same.
    let legsAreLevel = m.legLean > levelLean
    if trunkIsLevel && m.armSupport > supportingArms && m.hipClearance > groundedHips
      && (m.imbalance.isFinite ? m.imbalance > seatedImbalance : legsAreLevel)
      && (!kneesAreBent || m.hipAngle > openHip)
    {
      return .plank
    }
    // On a bench the feet are on the ground, but the hip is open; a squatter's trunk lies over the thighs.
    if trunkIsLevel && (legsAreLevel || m.thighLean > levelLean && m.hipAngle > openHip) { return .lying }
    guard m.kneeAngle.isFinite else { return nil }
    if kneesAreBent || m.hipHeight < lowHips || legsAreLevel {
      return m.imbalance > seatedImbalance ? .sitting : .squatting
    }
    guard m.kneeAngle > straightKnee else { return last }
    if trunkIsLevel { return .bending }
    return m.handHeight > raisedHands ? .handsUp : .standing
  }
}
