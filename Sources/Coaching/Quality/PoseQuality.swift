import PoseModel

/// Says whether a frame shows enough of the person to coach an exercise, and what to bring into the picture.
///
/// The AI coach guide's pose validation as a running judgement: `acceptable` and `unacceptable` are its postures, and a
/// change is reported with the frame that brings it. Which joints are required is set by region; a preset of each
/// exercise's name does that (`posture.pose-quality=deadlift`), the defaults are the squat's. The preset `corrected`
/// counts required joints only and asks for a stable pose, which the guide leaves at 1.
public struct PoseQuality: Detector {
  public static let profile = DetectorProfile(
    name: "pose-quality", kind: .posture, exercise: "",
    summary: "Says whether the pose shows enough of the body to coach it, and what is out of sight.",
    source: "AI coach guide: validatePoseQuality", speaks: true, cooldown: cueCooldown,
    labels: ["acceptable", "unacceptable"])

  /// Of the newest frame; `nil` before the first.
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
