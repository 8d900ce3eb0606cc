import PoseModel

/// The AI coach guide's `evaluateDeadliftForm`.
public typealias CoachDeadlift = FormCoach<DeadliftAnalysis>

/// The form of a deadlift, in the five parts of the AI coach guide.
///
/// A repetition goes from the floor up and back, with its turn at the straightest hip. The guide only names the parts'
/// methods. Here:
/// - bar path: the wrists, which hold the bar, over mid-foot;
/// - hip hinge: whether the shoulders rise along with the hips or the trunk tips over them first, and the lockout;
/// - spine: the angle ear–shoulder–hip. There are no keypoints between shoulder and hip: a back that rounds below the
///   shoulders is found only if the head moves with it, and a lifter who looks up or down is misjudged;
/// - shoulders: over the bar before it leaves the floor;
/// - feet: the stance's width, from the front.
///
/// A front view shows the stance and little else; a side view shows everything but the stance.
public struct DeadliftAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftWrist, .leftHip, .leftKnee, .leftAnkle]

  private enum Input: Int { case hip, knee, handFromFoot, back, handFromShoulder, stance, lean }
  private enum Measure: Int { case barDrift, tipping, lockout, backAngle, shoulderOffset, stance }

  /// The angle of a locked joint, in degrees; estimators do not reliably give a larger one.
  private static let locked: Float = 170
  /// A knee that stays straighter than this does not bend, degrees.
  private static let bent: Float = 150

  /// How hips, knees and trunk move since the bar was last put down.
  private struct Hinge {
    var hipLow = Float.infinity
    var kneeLow = Float.infinity
    /// The trunk's lean with the knees bent most, and its greatest increase until the knees are half extended.
    var lean = Float.nan
    var tipping = Float.nan
    var isHalfWay = false
    var shoulderOffset = Float.nan
  }

  /// The state of the lift in progress.
  private struct Lift {
    var drift = Extent()
    var back = RunningMean()
    var stance = RunningMean()
    var straight = Extent()
  }

  private let visibility: Visibility
  private let leavesFloor: Double
  private let attempt: Double
  /// The cycle of the hip's flexion, which is high at rest, with the bar on the floor.
  private var cycle: ExcursionCycle
  private var hinge = Hinge()
  private var lift = Lift()
  public private(set) var instant = FormValues()
  /// The hip angle.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = VisibilityThresholds.coach.visibility(values)
    leavesFloor = values[Self.leavesFloor]
    attempt = values[Self.attempt]
    for (lower, upper) in [(Self.returnsFloor, Self.leavesFloor), (Self.leavesFloor, Self.attempt)]
    where values[lower] >= values[upper] {
      throw .contradiction(
        "\(lower.name) (\(values[lower])) must be less than \(upper.name) (\(values[upper])) degrees")
    }
    cycle = ExcursionCycle(
      leaves: 180 - Float(leavesFloor), attempt: 180 - Float(attempt), returns: 180 - Float(values[Self.returnsFloor]),
      shortest: Microseconds(seconds: values[CycleParameters.shortest]) ?? .zero, needsRest: true)
  }

  public var signals: [any Signal] {
    [
      LimbAngle(.hip, visibility), LimbAngle(.knee, visibility), HandOffset(from: .foot, visibility),
      LimbAngle(.back, visibility), HandOffset(from: .shoulder, visibility), StanceWidth(visibility),
      TrunkLean(visibility),
    ]
  }

  public var guides: [Guide] {
    [
      Guide(signal: Input.hip.rawValue, value: leavesFloor, label: "off the floor"),
      Guide(signal: Input.hip.rawValue, value: attempt, label: "graded above"),
    ]
  }

  public var countingRule: CountingRule? {
    CountingRule(
      signal: "hip angle", unit: "degrees",
      steps: [
        CountingRule.Step(.begin, isAbove: true, leavesFloor, by: Self.leavesFloor.name),
        CountingRule.Step(.turn, isAbove: true, attempt, by: Self.attempt.name),
        CountingRule.Step(.end, isAbove: false, 180 - Double(cycle.returns), by: Self.returnsFloor.name),
      ], shortest: CountingRule.Limit(cycle.shortest, by: CycleParameters.shortest.name))
  }

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let hip = signals[Input.hip.rawValue, frame]
    countedValue = hip
    let step = cycle.update(180 - hip, at: time)
    instant = FormValues()
    var analysed: (Rep, FormValues)?
    if case .finished(let excursion) = step {
      analysed = (excursion.rep, values())
      hinge = Hinge()
    }
    if cycle.hasBegun { lift = Lift() }
    extend(signals, frame, hip: hip)
    guard cycle.isMoving, hip.isFinite else { return analysed }
    observe(signals, frame, hip: hip)
    return analysed
  }

  private mutating func extend(_ signals: borrowing SignalColumns, _ frame: Int, hip: Float) {
    let (knee, lean) = (signals[Input.knee.rawValue, frame], signals[Input.lean.rawValue, frame])
    guard knee.isFinite, hip.isFinite else { return }
    if hip < hinge.hipLow {
      hinge.hipLow = hip
      hinge.shoulderOffset = signals[Input.handFromShoulder.rawValue, frame]
    }
    if knee < hinge.kneeLow {
      hinge.kneeLow = knee
      hinge.lean = lean
      hinge.tipping = .nan
      hinge.isHalfWay = false
    }
    guard hinge.kneeLow < Self.bent, !hinge.isHalfWay else { return }
    hinge.tipping = Float.maximum(hinge.tipping, lean - hinge.lean)
    hinge.isHalfWay = knee > 0.5 * (hinge.kneeLow + Self.locked)
  }

  private mutating func observe(_ signals: borrowing SignalColumns, _ frame: Int, hip: Float) {
    let (drift, back) = (signals[Input.handFromFoot.rawValue, frame], signals[Input.back.rawValue, frame])
    let stance = signals[Input.stance.rawValue, frame]
    lift.drift.add(drift)
    lift.back.add(back)
    lift.stance.add(stance)
    lift.straight.add(min(hip, signals[Input.knee.rawValue, frame]))
    instant[Measure.barDrift.rawValue] = drift
    instant[Measure.backAngle.rawValue] = back
    instant[Measure.stance.rawValue] = stance
  }

  private func values() -> FormValues {
    var values = FormValues()
    values[Measure.barDrift.rawValue] = lift.drift.maximum
    values[Measure.tipping.rawValue] = hinge.tipping
    values[Measure.lockout.rawValue] = lift.straight.maximum
    values[Measure.backAngle.rawValue] = lift.back.value
    values[Measure.shoulderOffset.rawValue] = hinge.shoulderOffset
    values[Measure.stance.rawValue] = lift.stance.value
    return values
  }
}

extension DeadliftAnalysis {
  public static let exercise = CoachedExercise.deadlift
  public static let subject = "bar path, hip hinge, spine, shoulders and feet"
  public static let source = "AI coach guide: evaluateDeadliftForm"

  private static let port = "the values are this port's"

  static let leavesFloor = Parameter(
    "leavesFloor", 115, in: 40...170, .degrees, "Hip angle above which the bar has left the floor.",
    source: "detectRepCompletion is left open by the AI coach guide; with the bar on the floor hips are bent far more")
  static let attempt = Parameter(
    "attempt", 130, in: 50...179, .degrees, "Hip angle above which a lift counts and is graded.",
    source: "left open by the AI coach guide; low enough for a lift without lockout")
  static let returnsFloor = Parameter(
    "returnsFloor", 108, in: 30...165, .degrees, "Hip angle below which the bar is back on the floor.",
    source: "left open by the AI coach guide")

  public static let cycleParameters = [leavesFloor, attempt, returnsFloor, CycleParameters.shortest]

  public static let measures = [
    FormMeasure(
      "barDrift", .barDrift, of: .barPath, good: 0.3, worst: 0.8, in: 0...3, .ratio,
      "greatest distance of the wrists from mid-foot along the floor, in trunk lengths",
      source: "the farther the bar, the longer its lever on hips and back; \(port)"),
    FormMeasure(
      "tipping", .hipsFirst, of: .hipHinge, good: 3, worst: 20, in: 0...90, .degrees,
      "how much the trunk tips forward from the most bent knees until the knees are half extended",
      source: "hips that rise with the shoulders keep the trunk's lean, however low the lifter sits; \(port)"),
    FormMeasure(
      "lockout", .noLockout, of: .hipHinge, good: 168, worst: 145, in: 90...180, .degrees,
      "greatest angle that hips and knees both reach at the top",
      source: "IPF Technical Rules: knees locked and standing erect at the completion; \(port)"),
    FormMeasure(
      "backAngle", .roundedBack, of: .spine, good: 150, worst: 120, in: 60...180, .degrees,
      "mean angle ear, shoulder, hip",
      source: "Cholewicki, McGill and Norman, Med Sci Sports Exerc 23(10), 1991, for the spine's loads; \(port)"),
    FormMeasure(
      "shoulderOffset", .shouldersOffBar, of: .shoulders, good: 0.25, worst: 0.7, in: 0...3, .ratio,
      "distance of the wrists from under the shoulders where the hips are lowest, in trunk lengths",
      source: "arms that hang carry the bar under the shoulders; \(port)"),
    FormMeasure(
      "stance", .feetWide, of: .feet, good: 1.1, worst: 2, in: 0...4, .ratio,
      "mean distance of the ankles in shoulder widths, from the front",
      source: "Escamilla et al., Med Sci Sports Exerc 32(7), 2000: 32 ± 8 cm conventional, 70 ± 11 sumo; \(port)"),
  ]

  public static let instantFaults = [FormFault.barDrift, .roundedBack, .feetWide]

  private static let equal = "the AI coach guide gives no weights for the deadlift: equal ones"

  public static let weights: [(part: FormPart, weight: Parameter)] =
    [FormPart.barPath, .hipHinge, .spine, .shoulders, .feet].map { ($0, $0.weight(0.2, source: equal)) }
}

extension Feedback {
  /// The wording of a deadlift fault; `nil` for a fault that a deadlift does not have.
  static func deadlift(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.roundedBack, .beginner):
      FaultWording(
        "a rounded back",
        correction: "Keep your back flat and your chest up from the floor to the top.",
        reason: "A flat back keeps your spine safe under the weight.",
        cue: "Squeeze your shoulder blades into your back pockets.")
    case (.roundedBack, .advanced):
      FaultWording(
        "loss of spinal neutrality",
        correction: "Set the lats and brace before the pull, and keep head, thorax and pelvis in one line.",
        reason: "A flexed spine shifts the load from muscle to ligaments and discs and adds shear.",
        cue: "Brace, lats down, then pull.")
    case (.barDrift, .beginner):
      FaultWording(
        "the bar moving away from you",
        correction: "Keep the bar close to your legs all the way.",
        reason: "A bar that is close is lighter on your back.",
        cue: "Drag the bar up your legs.")
    case (.barDrift, .advanced):
      FaultWording(
        "horizontal bar drift",
        correction: "Hold the bar over mid-foot and against the shins by extending the shoulders with the lats.",
        reason: "Every centimetre forward lengthens the moment arm at the hips and the lumbar spine.",
        cue: "Sweep the bar in.")
    case (.hipsFirst, .beginner):
      FaultWording(
        "the hips shooting up first",
        correction: "Let your hips and your chest rise at the same time.",
        reason: "Otherwise your back has to do the work of your legs.",
        cue: "Push the floor away with your legs.")
    case (.hipsFirst, .advanced):
      FaultWording(
        "early knee extension without hip extension",
        correction: "Keep the trunk's angle until the bar passes the knees, extending knees and hips together.",
        reason: "Hips that lead turn the pull into a stiff-legged one and raise the lumbar extension moment.",
        cue: "Leg press the floor, chest with the hips.")
    case (.noLockout, .beginner):
      FaultWording(
        "not standing up all the way",
        correction: "Finish by standing tall with straight knees and hips.",
        reason: "The last bit trains your hips and completes the lift.",
        cue: "Squeeze your glutes at the top.")
    case (.noLockout, .advanced):
      FaultWording(
        "incomplete hip and knee lockout",
        correction: "Finish with knees and hips extended and the shoulders behind the bar, without leaning back.",
        reason: "The gluteals do their share in the last degrees, and a lift counts at lockout only.",
        cue: "Hips through, ribs down.")
    case (.shouldersOffBar, .beginner):
      FaultWording(
        "shoulders not above the bar",
        correction: "Start with your shoulders right above the bar and your arms hanging straight.",
        reason: "From there the bar goes straight up.",
        cue: "Long arms, shoulders over the bar.")
    case (.shouldersOffBar, .advanced):
      FaultWording(
        "shoulders away from the bar at lift-off",
        correction: "Set hip height so that the arms hang vertically, with the scapulae over the bar.",
        reason: "From any other place the bar swings to the plumb line before it rises.",
        cue: "Wedge in until the arms are plumb.")
    case (.feetWide, .beginner):
      FaultWording(
        "feet too far apart",
        correction: "Put your feet about as wide apart as your hips.",
        reason: "Then your legs can push straight down and your arms have room.",
        cue: "Stand as if you were about to jump.")
    case (.feetWide, .advanced):
      FaultWording(
        "stance too wide for a conventional pull",
        correction:
          "Stand hip to shoulder width with the shins inside the arms, or change to a sumo set-up as a whole.",
        reason: "In between, the arms push the knees in and the grip widens, which lengthens the pull.",
        cue: "Jump stance, shins inside the arms.")
    default: nil
    }
  }
}
