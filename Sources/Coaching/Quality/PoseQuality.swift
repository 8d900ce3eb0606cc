import PoseModel
import RealModule

/// Reports whether a frame shows enough of the person to coach an exercise, and what to bring into the picture.
///
/// The AI coach guide's pose validation as a running judgement: `acceptable` and `unacceptable` are its postures, and a
/// change is reported with its frame. The required joints are set by region; each exercise has a preset with its name
/// (`posture.pose-quality=deadlift`), the defaults are the squat's. The preset `corrected` counts required joints only
/// and asks for a stable pose, which the guide leaves at 1.
public struct PoseQuality: Detector {
  public static let profile = DetectorProfile(
    name: "pose-quality", kind: .posture, exercise: "",
    summary: "Reports whether a pose shows enough of the body for coaching, and the parts out of sight.",
    source: "AI coach guide: validatePoseQuality",
    tasks: [.postures(["acceptable", "unacceptable"]), .cues(every: cueCooldown)])

  /// The assessment of the newest frame; `nil` before the first.
  public private(set) var assessment: PoseQualityAssessment?
  private let required: JointSet
  private let rule: PoseQualityAssessment.Rule
  private let minimumConfidence: Float
  private let minimumCompleteness: Double
  private let minimumStability: Double
  private let worstNoise: Double
  private let cueCooldown: Microseconds
  private var jitter: JitterWindow
  private var isAcceptable: Bool?
  private var lastCue: Microseconds?

  public init(_ values: ParameterValues) throws(ParameterError) {
    let regions = BodyRegion.allCases.filter { values.isOn(Self.requires($0)) }
    guard !regions.isEmpty else { throw .contradiction("at least one region of the body must be required") }
    required = JointSet(regions.flatMap(\.joints))
    rule = values.isOn(Self.countsRequiredOnly) ? .required : .anyJoint
    minimumConfidence = Float(values[Self.minimumConfidence])
    minimumCompleteness = values[Self.minimumCompleteness]
    minimumStability = values[Self.minimumStability]
    worstNoise = values[Self.worstNoise]
    cueCooldown = Microseconds(seconds: values[Self.cueCooldown]) ?? .zero
    jitter = JitterWindow(frames: Int(values[Self.stabilityFrames].rounded()))
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<poses.count {
      jitter.add(poses, frame, minimumConfidence: minimumConfidence)
      let noise = Double(jitter.noise)
      let assessment = PoseQualityAssessment(
        poses, frame: frame, required: required, rule: rule, minimumConfidence: minimumConfidence,
        minimumCompleteness: minimumCompleteness,
        stability: noise.isNaN ? 1 : 1 - min(noise / worstNoise, 1))
      self.assessment = assessment
      judge(assessment, at: poses.time(frame), &events)
    }
  }

  private mutating func judge(
    _ assessment: PoseQualityAssessment, at time: Microseconds, _ events: inout [Event]
  ) {
    let isStable = assessment.stability >= minimumStability
    let isAcceptable = assessment.isAcceptable && isStable
    if isAcceptable != self.isAcceptable {
      self.isAcceptable = isAcceptable
      events.append(Event(time, .phase(isAcceptable ? "acceptable" : "unacceptable")))
    }
    guard !isAcceptable else { return }
    if let lastCue, time - lastCue < cueCooldown { return }
    lastCue = time
    let text =
      if assessment.detected.isEmpty {
        "I can't see you. Step into the picture."
      } else if let region = BodyRegion.allCases.first(where: {
        !assessment.missing.isDisjoint(with: JointSet($0.joints))
      }) {
        region.cue
      } else {
        "The picture is unsteady. Rest the camera on something and turn on a light."
      }
    events.append(Event(time, .cue(Cue(text, .normal))))
  }
}

extension PoseQuality {
  private static let guide = "AI coach guide: validatePoseQuality"
  private static let open = "left open by the AI coach guide"

  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.5, in: 0...1, .ratio, "Joints at or below this confidence count as not detected.",
    source: "\(guide), confidence > 0.5")
  static let minimumCompleteness = Parameter(
    "minimumCompleteness", 0.8, in: 0...2, .ratio, "Lowest completeness of an acceptable pose.",
    source: "\(guide), completenessScore >= 0.8")
  static let countsRequiredOnly = Parameter.toggle(
    "countsRequiredOnly", false, "Counts only the required joints towards completeness, instead of all joints found.",
    source: "off: \(guide) divides all joints found by those required")
  static let minimumStability = Parameter(
    "minimumStability", 0, in: 0...1, .ratio, "Lowest stability of an acceptable pose, however complete.",
    source: "0: \(guide) leaves stabilityScore at 1.0")
  static let worstNoise = Parameter(
    "worstNoise", 0.1, in: 0.001...1, .ratio, "Noise of the joints, in trunk lengths, at which stability is 0.",
    source: "\(open); a tenth of the trunk is where the percentage of detected joints (PDJ) begins to count")
  static let stabilityFrames = Parameter(
    "stabilityFrames", 15, in: 1...300, .frames, "Number of frames over which stability is measured.",
    source: "\(open); half a second at 30 frames a second")
  static let cueCooldown = Parameter(
    "cueCooldown", 4, in: 0...60, .seconds, "The shortest time between two cues.",
    source: "\(open); the squat form analyser's minimumSpeechInterval")

  /// Whether a region's joints are required.
  static func requires(_ region: BodyRegion) -> Parameter {
    let squat = RequiredJoints.regions(for: "squat") ?? []
    return .toggle(
      region.rawValue, squat.contains(region), "The \(region.rawValue) must be seen.",
      source: "\(guide), getRequiredJoints, left open: the joints of the squat's angles")
  }

  public static let parameters =
    [
      minimumConfidence, minimumCompleteness, countsRequiredOnly, minimumStability, worstNoise, stabilityFrames,
      cueCooldown,
    ]
    + BodyRegion.allCases.map { requires($0) }

  public static let presets =
    [
      Preset(
        "corrected",
        "Counts only required joints, because a head cannot replace a knee, and requires a stable pose.",
        [countsRequiredOnly.name: 1, minimumStability.name: 0.5])
    ]
    + RequiredJoints.table.map { exercise, regions in
      Preset(
        exercise, "The regions that \(exercise) needs.",
        Dictionary(uniqueKeysWithValues: BodyRegion.allCases.map { ($0.rawValue, regions.contains($0) ? 1 : 0) }))
    }
}

/// How many of an exercise's required joints one frame shows.
///
/// The AI coach guide's `validatePoseQuality` with its original rules. They have two flaws: completeness divides *all*
/// found joints by the required ones, which can exceed 1 and lets a head replace a knee; and a frame that passes is
/// said to miss nothing. `Rule.required` fixes both.
public struct PoseQualityAssessment: Hashable, Sendable {
  /// The joints that count for completeness.
  public enum Rule: Hashable, Sendable {
    /// All joints found, whether required or not, divided by those required: the guide's.
    case anyJoint
    /// The required joints found, divided by those required.
    case required
  }

  /// The joints that the exercise needs.
  public let required: JointSet
  /// The joints above the minimum confidence, among the guide's 14.
  public let detected: JointSet
  /// The rule for completeness.
  public let rule: Rule
  let minimumCompleteness: Double
  /// The stability of the joints, 0...1. Always 1 in the guide; see `JitterWindow`.
  public var stability: Double

  /// Assesses one frame of some poses.
  ///
  /// - Parameters:
  ///   - poses: The poses that contain the frame.
  ///   - frame: Index in `poses`.
  ///   - required: The joints that the exercise needs.
  ///   - rule: The joints that count for completeness.
  ///   - minimumConfidence: A joint is detected above it, 0...1. The guide's is 0.5.
  ///   - minimumCompleteness: A pose is acceptable from it on. The guide's is 0.8.
  ///   - stability: The stability of the joints, 0...1.
  public init(
    _ poses: borrowing PoseColumns, frame: Int, required: JointSet, rule: Rule = .anyJoint,
    minimumConfidence: Float = 0.5, minimumCompleteness: Double = 0.8, stability: Double = 1
  ) {
    var detected: JointSet = []
    for index in RequiredJoints.guide.indices {
      let joint = RequiredJoints.guide[index]
      guard poses[joint, .confidence, frame] > minimumConfidence else { continue }
      if poses[joint, .x, frame].isFinite && poses[joint, .y, frame].isFinite { detected.formUnion(JointSet(joint)) }
    }
    self.required = required
    self.detected = detected
    self.rule = rule
    self.minimumCompleteness = minimumCompleteness
    self.stability = stability
  }

  /// At least 0, and at most 1 if only required joints count; 1 if none is required.
  public var completeness: Double {
    guard !required.isEmpty else { return 1 }
    let counted = rule == .required ? detected.intersection(required) : detected
    return Double(counted.count) / Double(required.count)
  }

  /// Whether completeness reaches the minimum.
  public var isAcceptable: Bool { completeness >= minimumCompleteness }

  /// 1 if acceptable, otherwise 0, as in the guide.
  public var overallQuality: Double { isAcceptable ? 1 : 0 }

  /// The guide reports the completeness again under this name.
  public var confidence: Double { completeness }

  /// Required joints that were not found; by the guide's rule none if the pose is acceptable.
  public var missing: JointSet {
    rule == .anyJoint && isAcceptable ? [] : required.subtracting(detected)
  }
}

/// The jitter of the joints over the last frames, as noise in trunk lengths.
///
/// A joint's noise is estimated from its second differences: those of independent errors of variance σ² have the
/// variance 6σ², and steady motion has none (Gasser, Sroka and Jennen-Steinmetz, Residual Variance and Residual Pattern
/// in Nonlinear Regression, Biometrika 73, 1986, whose pseudo-residuals these are for evenly spaced frames). A squat
/// accelerates too: at 4 m/s² and 30 frames a second a second difference is 4 mm, under 1 % of a trunk.
struct JitterWindow: Sendable {
  private static let joints: [Joint] = BodyRegion.allCases.flatMap(\.joints)

  /// The last two positions per joint.
  private var before: [SIMD2<Float>]
  private var last: [SIMD2<Float>]
  /// The mean squared second difference per frame, in squared trunk lengths; NaN if none is known.
  private var squares: [Float]
  private var next = 0

  /// - Parameter frames: The length of the window, at least 1.
  init(frames: Int) {
    let unknown = SIMD2<Float>(repeating: .nan)
    before = [SIMD2<Float>](repeating: unknown, count: Self.joints.count)
    last = before
    squares = [Float](repeating: .nan, count: max(frames, 1))
  }

  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int, minimumConfidence: Float) {
    let trunk = SIMD2(
      poses[.neck, .x, frame] - poses[.root, .x, frame], poses[.neck, .y, frame] - poses[.root, .y, frame])
    let length = (trunk * trunk).sum()
    var sum: Float = 0
    var count: Float = 0
    for index in Self.joints.indices {
      let joint = Self.joints[index]
      let isSeen = poses[joint, .confidence, frame] > minimumConfidence
      let place = isSeen ? SIMD2(poses[joint, .x, frame], poses[joint, .y, frame]) : SIMD2(repeating: .nan)
      let difference = before[index] - 2 * last[index] + place
      let square = (difference * difference).sum()
      if square.isFinite {
        sum += square
        count += 1
      }
      before[index] = last[index]
      last[index] = place
    }
    squares[next] = length > 0 && count > 0 ? sum / (count * length) : .nan
    next = (next + 1) % squares.count
  }

  /// Standard deviation of a coordinate's noise in trunk lengths; NaN before three consecutive frames are known.
  var noise: Float {
    var sum: Float = 0
    var count: Float = 0
    for index in squares.indices where squares[index].isFinite {
      sum += squares[index]
      count += 1
    }
    // Each square covers the second differences of two coordinates.
    return count > 0 ? (sum / count / 12).squareRoot() : .nan
  }
}

/// A pair of joints that a person can be asked to bring into the picture.
public enum BodyRegion: String, CaseIterable, Hashable, Sendable {
  /// Both sides of each.
  case shoulders, elbows, wrists, hips, knees, ankles

  /// The left and the right joint, in this order.
  public var joints: [Joint] {
    switch self {
    case .shoulders: [.leftShoulder, .rightShoulder]
    case .elbows: [.leftElbow, .rightElbow]
    case .wrists: [.leftWrist, .rightWrist]
    case .hips: [.leftHip, .rightHip]
    case .knees: [.leftKnee, .rightKnee]
    case .ankles: [.leftAnkle, .rightAnkle]
    }
  }

  /// The cue if the region is out of sight.
  var cue: String {
    switch self {
    case .shoulders: "I can't see your shoulders. Bring your upper body into the picture."
    case .elbows: "I can't see your elbows. Move away from whatever hides them."
    case .wrists: "I can't see your hands. Leave some room above and beside you."
    case .hips: "I can't see your hips. Step back until I see all of you."
    case .knees: "I can't see your knees. Tilt the camera down or step back."
    case .ankles: "I can't see your feet. Step back or lower the camera."
    }
  }
}

/// The joints that must be in the picture to coach an exercise.
///
/// The AI coach guide calls `getRequiredJoints(for:)` and leaves the result open. Here it is every joint of the
/// exercise's angles, on both sides, as the guide's completeness counts them.
public enum RequiredJoints {
  /// The joints of a `PoseKeypoints` in the AI coach guide: 14 joints, with the nose as the head.
  static let guide: [Joint] = [.nose, .neck] + BodyRegion.allCases.flatMap(\.joints)

  /// The needs of one exercise, by its name in datasets; `nil` for an unlisted exercise.
  public static func regions(for exercise: String) -> [BodyRegion]? { table.first { $0.exercise == exercise }?.regions }

  /// The regions by exercise, starting with the three of the AI coach guide.
  static let table: [(exercise: String, regions: [BodyRegion])] = [
    ("squat", [.shoulders, .hips, .knees, .ankles]),
    ("deadlift", [.shoulders, .wrists, .hips, .knees, .ankles]),
    ("bench-press", [.shoulders, .elbows, .wrists]),
    ("push-up", [.shoulders, .elbows, .wrists, .hips, .ankles]),
    ("lunge", [.shoulders, .hips, .knees, .ankles]),
    ("plank", [.shoulders, .hips, .ankles]),
    ("pull-up", [.shoulders, .elbows, .wrists]),
    ("sit-up", [.shoulders, .hips, .knees]),
    ("jumping-jack", [.shoulders, .wrists, .hips, .ankles]),
    ("front-raise", [.shoulders, .elbows, .wrists, .hips]),
    ("shoulder-press", [.shoulders, .elbows, .wrists, .hips]),
    ("biceps-curl", [.shoulders, .elbows, .wrists, .hips]),
  ]
}
