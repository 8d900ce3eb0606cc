import PoseModel

/// The AI coach guide's `evaluateSquatForm`.
public typealias CoachSquat = FormCoach<SquatAnalysis>

/// The form of a squat, in five parts.
///
/// The AI coach guide weights knee tracking 0.25, back 0.30, depth 0.20, tempo 0.15 and balance 0.10 and only names
/// each analysis. Here, after Myer et al. 2014 (the back squat assessment), Escamilla, Knee Biomechanics of the Dynamic
/// Squat Exercise, Med Sci Sports Exerc 33(1), 2001, and Schoenfeld, Squatting Kinematics and Kinetics, J Strength Cond
/// Res 24(12), 2010:
/// - knee tracking: knees caving in (`KneeSeparation`, from the front) and travelling forward (`KneeReach`, from the side);
/// - back: the trunk's lean, and whether it grows on the way up;
/// - depth: the hip's height over the knee as a share of the standing height, 0 with horizontal thighs;
/// - tempo: seconds of the descent, and whether repetitions take the same time;
/// - balance: the range of the centre of mass beside the ankles.
///
/// Caving knees are visible only from the front, lean and forward travel only from the side; `KneeSeparation` tells
/// which view it is. A rounded back cannot be measured at all.
public struct SquatAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftHip, .leftKnee, .leftAnkle]

  private enum Input: Int { case hipHeight, lean, kneeSeparation, kneeReach, massOffset }
  private enum Measure: Int {
    case kneeSeparation, kneeReach, lean, leanRise, depth, descent, paceChange, sway
  }

  /// The state of the squat in progress.
  private struct Squat {
    var kneeSeparation = Float.nan
    var kneeReach = RunningMean()
    var lean = RunningMean()
    var turnLean = Float.nan
    var risen = Extent()
    var sway = Extent()
  }

  private let visibility: Visibility
  private let attempt: Float
  private var cycle: ExcursionCycle
  // Thigh and shank are equally long (0.245 and 0.246 of stature, Drillis and Contini 1966); cameras differ.
  private var standing = RestingLevel(expected: 1, in: 0.7...1.5)
  private var squat = Squat()
  private var durations = RunningMean()
  public private(set) var instant = FormValues()
  /// The hip's height over the knee as a share of the standing height.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = VisibilityThresholds.coach.visibility(values)
    attempt = Float(values[Self.thresholds.attempt])
    cycle = try Self.thresholds.cycle(values)
  }

  public var signals: [any Signal] {
    [
      HipHeight(visibility), TrunkLean(visibility), KneeSeparation(visibility), KneeReach(visibility),
      MassOffset(visibility),
    ]
  }

  public var guides: [Guide] {
    [Guide(signal: Input.hipHeight.rawValue, value: Double(attempt), label: "graded below")]
  }

  public var countingRule: CountingRule? {
    CountingRule(cycle, signal: "hip height (share of standing)", unit: "ratio", by: Self.thresholds)
  }

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let height = signals[Input.hipHeight.rawValue, frame]
    standing.update(height, at: time)
    let share = height / standing.value
    countedValue = share
    let step = cycle.update(share, at: time)
    instant = FormValues()
    var analysed: (Rep, FormValues)?
    if case .finished(let excursion) = step { analysed = (excursion.rep, values(of: excursion)) }
    if cycle.hasBegun { squat = Squat() }
    guard cycle.isMoving, share.isFinite else { return analysed }
    observe(signals, frame, isLow: share < attempt)
    return analysed
  }

  private mutating func observe(_ signals: borrowing SignalColumns, _ frame: Int, isLow: Bool) {
    let lean = signals[Input.lean.rawValue, frame]
    squat.sway.add(signals[Input.massOffset.rawValue, frame])
    if cycle.isTurning {
      squat.turnLean = lean
      squat.risen = Extent()
    }
    squat.risen.add(lean - squat.turnLean)
    guard isLow else { return }
    let separation = signals[Input.kneeSeparation.rawValue, frame]
    // If the distance of the knees is visible, the camera is in front, and their forward reach is not visible.
    let reach = separation.isFinite ? Float.nan : signals[Input.kneeReach.rawValue, frame]
    if cycle.isTurning, separation.isFinite { squat.kneeSeparation = separation }
    squat.kneeReach.add(reach)
    squat.lean.add(lean)
    instant[Measure.kneeSeparation.rawValue] = separation
    instant[Measure.kneeReach.rawValue] = reach
    instant[Measure.lean.rawValue] = lean
    instant[Measure.leanRise.rawValue] = lean - squat.turnLean
  }

  private mutating func values(of excursion: ExcursionCycle.Excursion) -> FormValues {
    let rep = excursion.rep
    let duration = Float(rep.duration.seconds)
    var values = FormValues()
    values[Measure.kneeSeparation.rawValue] = squat.kneeSeparation
    values[Measure.kneeReach.rawValue] = squat.kneeReach.value
    values[Measure.lean.rawValue] = squat.lean.value
    values[Measure.leanRise.rawValue] = squat.risen.maximum
    values[Measure.depth.rawValue] = excursion.bottom
    // A shallow squat takes less time at the same pace.
    let way = cycle.leaves / (cycle.leaves - excursion.bottom)
    values[Measure.descent.rawValue] = rep.turn.map { way * Float(($0 - rep.start).seconds) } ?? .nan
    values[Measure.paceChange.rawValue] = abs(duration - durations.value) / durations.value
    values[Measure.sway.rawValue] = squat.sway.width
    durations.add(duration)
    return values
  }
}

extension SquatAnalysis {
  public static let exercise = CoachedExercise.squat
  public static let subject = "knee tracking, back, depth, tempo and balance"
  public static let source = "AI coach guide: evaluateSquatForm"

  private static let myer = "Myer et al., The Back Squat: A Proposed Assessment, Strength Cond J 36(6), 2014"
  private static let guide = "AI coach guide: evaluateSquatForm"

  static let thresholds = CycleParameters(
    leaves: Parameter(
      "leavesStanding", 0.8, in: 0.2...0.99, .ratio,
      "Share of the standing hip height over the knee below which a squat begins.",
      source: "detectRepCompletion is left open by the AI coach guide; a knee angle of about 125 degrees"),
    attempt: Parameter(
      "attempt", 0.7, in: 0.1...0.95, .ratio, "Share of the standing hip height below which a squat is graded.",
      source: "left open by the AI coach guide; cos(70 - 24), a knee at 110 degrees over a shank that leans by 24"),
    returns: Parameter(
      "returnsStanding", 0.87, in: 0.3...1, .ratio, "Share of the standing hip height above which a squat is over.",
      source: "left open by the AI coach guide"),
    settling: Parameter(
      "settling", 0, in: 0...2, .seconds, "How long the report of a squat waits after its end.",
      source: "0: nothing of a squat is judged after it"))

  public static let cycleParameters = thresholds.all

  public static let measures = [
    FormMeasure(
      "kneeSeparation", .kneeValgus, of: .kneeTracking, good: 0.9, worst: 0.5, in: 0...2, .ratio,
      "distance of the knees divided by that of the ankles at the turn, from the front",
      source: "Noyes et al., Am J Sports Med 33, 2005, at the lowest point; Willis et al., J Sport Rehabil 28, 2019, "
        + "for the ratio; 1 is upright shanks, the values are this port's"),
    FormMeasure(
      "kneeReach", .kneeForward, of: .kneeTracking, good: 0.62, worst: 0.77, in: 0...1, .ratio,
      "mean sine of the shank's lean, below the attempt's height, from the side",
      source: "\(myer): the knees do not pass the toes excessively; from the mean dorsiflexion of deep squats, 38.5 "
        + "degrees, to two standard deviations of 5.9 more (Hemmerich et al. 2006)"),
    FormMeasure(
      "lean", .forwardLean, of: .back, good: 45, worst: 75, in: 0...120, .degrees,
      "mean lean of the trunk from the vertical, below the attempt's height",
      source: "\(myer): trunk parallel to the shins, which lean 38.5 ± 5.9 (Hemmerich et al. 2006)"),
    FormMeasure(
      "leanRise", .forwardLean, of: .back, good: 12, worst: 40, in: 0...90, .degrees,
      "how much more the trunk leans on the way up than at the turn",
      source: "\(myer): shoulders and hips rise together; the values are this port's"),
    FormMeasure(
      "depth", .shallow, of: .depth, good: 0.1, worst: 0.6, in: -1...1, .ratio,
      "least hip height over the knee, as a share of the standing height",
      source: "\(myer): thighs at least parallel to the ground, which is 0; hips are marked above the crease"),
    FormMeasure(
      "descent", .rushed, of: .tempo, good: 0.5, worst: 0.2, in: 0...10, .seconds,
      "time that the descent would take down to level thighs at its pace",
      source: "\(myer): a controlled, constant speed; a descent that takes a second in all, half of it to leave "
        + "standing, and one of 0.4 s"),
    FormMeasure(
      "paceChange", .rushed, of: .tempo, good: 0.25, worst: 1, in: 0...5, .ratio,
      "difference of the duration from the mean of earlier ones, as a share of that mean",
      source: "AI coach guide names tempo; the values are this port's"),
    FormMeasure(
      "sway", .offBalance, of: .balance, good: 0.25, worst: 0.7, in: 0...3, .ratio,
      "range of the centre of mass beside the ankles, in trunk lengths",
      source: "Winter 2009, table 4.1, for the centre of mass; the values are this port's"),
  ]

  public static let instantFaults = [FormFault.kneeValgus, .kneeForward, .forwardLean]

  public static let weights: [(part: FormPart, weight: Parameter)] = [
    (.kneeTracking, FormPart.kneeTracking.weight(0.25, source: guide)),
    (.back, FormPart.back.weight(0.30, source: guide)),
    (.depth, FormPart.depth.weight(0.20, source: guide)),
    (.tempo, FormPart.tempo.weight(0.15, source: guide)),
    (.balance, FormPart.balance.weight(0.10, source: guide)),
  ]
}

extension Feedback {
  /// The wording of a squat fault; `nil` for a fault that a squat does not have.
  static func squat(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.kneeValgus, .beginner):
      FaultWording(
        "knees caving in",
        correction: "Try to push your knees out a bit more to avoid them caving in.",
        reason: "This will help protect your knees and improve your strength.",
        cue: "Focus on driving your knees out as you stand up.")
    case (.kneeValgus, .advanced):
      FaultWording(
        "dynamic knee valgus",
        correction: "Keep the patella over the second toe by abducting and externally rotating the hips.",
        reason: "Valgus loads the medial knee and the ACL and takes the gluteals out of the drive.",
        cue: "Spread the floor with your feet from the turn on.")
    case (.forwardLean, .beginner):
      FaultWording(
        "leaning too far forward",
        correction: "Lift your chest and keep your upper body more upright.",
        reason: "That takes strain off your lower back.",
        cue: "Show your chest to the wall in front of you.")
    case (.forwardLean, .advanced):
      FaultWording(
        "excessive forward trunk lean",
        correction:
          "Keep the trunk about parallel to the shins, and its angle the same through the first half of the ascent.",
        reason: "More lean lengthens the moment arm at the lumbar spine and raises its shear.",
        cue: "Let hips and shoulders rise together.")
    case (.kneeForward, .beginner):
      FaultWording(
        "knees going too far forward",
        correction: "Sit back a little more so that your knees stay nearer to your feet.",
        reason: "That keeps pressure off your knees.",
        cue: "Sit back as if onto a chair.")
    case (.kneeForward, .advanced):
      FaultWording(
        "excessive anterior knee travel",
        correction: "Break at the hips first and keep the shin's lean within your ankle's range with the heel down.",
        reason: "Travel beyond it raises patellofemoral load and shifts the pressure to the forefoot.",
        cue: "Hips back, tripod foot.")
    case (.shallow, .beginner):
      FaultWording(
        "not going low enough",
        correction: "Go a bit lower until your thighs are level with the floor.",
        reason: "The full way down works your legs and hips much more.",
        cue: "Lower your hips down to your knees.")
    case (.shallow, .advanced):
      FaultWording(
        "insufficient depth",
        correction: "Descend until the hip crease is level with the top of the knee.",
        reason: "Gluteal and quadriceps work rises with depth, and partial range trains a partial range.",
        cue: "Hip crease to knee, then drive.")
    case (.offBalance, .beginner):
      FaultWording(
        "losing your balance",
        correction: "Keep your weight over the middle of your feet.",
        reason: "A steady stance keeps you safe and lets you push harder.",
        cue: "Press your whole foot into the floor.")
    case (.offBalance, .advanced):
      FaultWording(
        "centre of mass drifting over the base of support",
        correction: "Keep the centre of mass over mid-foot through both phases.",
        reason: "Sway has to be paid for with ankle and hip torque that does not lift the load.",
        cue: "Mid-foot pressure from start to end.")
    default: nil
    }
  }
}
