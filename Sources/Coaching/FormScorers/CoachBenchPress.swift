import PoseModel

/// The bench press of the AI coach guide's first phase.
public typealias CoachBenchPress = FormCoach<BenchPressAnalysis>

/// The form of a bench press: bar path, touch depth, lockout, evenness and elbows.
///
/// The AI coach guide lists the bench press among its first exercises without criteria for its form; the parts are from
/// the IPF Technical Rules since 2023 (depth, lockout), the IPF Technical Newsletter 3/2009 (evenness), McLaughlin's
/// studies of 1984 (bar path) and Green and Comfort 2007 (elbows). The wrists stand for the bar. Elbow angles and the
/// wrists' height need a camera at about the bench's height; the angle between upper arm and trunk is measured in the
/// image and is correct only from above, or in 3D if a recording has depth.
public struct BenchPressAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftElbow, .leftWrist]

  private enum Input: Int { case elbow, handHeight, elbowDifference, upperArm, handFromShoulder }
  private enum Measure: Int { case barTravel, elbowDepth, handDepth, lockout, unevenness, flare }

  /// The state of the press in progress.
  private struct Press {
    var travel = Extent()
    var lowest = Float.infinity
    var unevenness = RunningMean()
    var flare = RunningMean()
  }

  private let visibility: Visibility
  private var cycle: ExcursionCycle
  private var press = Press()
  public private(set) var instant = FormValues()
  /// The elbow angle.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = VisibilityThresholds.coach.visibility(values)
    cycle = try Self.thresholds.cycle(values)
  }

  public var signals: [any Signal] {
    [
      LimbAngle(.elbow, visibility), HandHeight(visibility), ElbowDifference(visibility),
      LimbAngle(.upperArm, visibility), HandOffset(from: .shoulder, visibility),
    ]
  }

  public var guides: [Guide] {
    [
      Guide(signal: Input.elbow.rawValue, value: Double(cycle.attempt), label: "graded below"),
      Guide(signal: Input.elbow.rawValue, value: Double(cycle.returns), label: "top"),
    ]
  }

  public var countingRule: CountingRule? {
    CountingRule(cycle, signal: "elbow angle", unit: "degrees", by: Self.thresholds)
  }

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let elbow = signals[Input.elbow.rawValue, frame]
    countedValue = elbow
    let step = cycle.update(elbow, at: time)
    instant = FormValues()
    var analysed: (Rep, FormValues)?
    if case .finished(let excursion) = step { analysed = (excursion.rep, values(of: excursion)) }
    if cycle.hasBegun { press = Press() }
    guard cycle.isMoving, elbow.isFinite else { return analysed }
    observe(signals, frame, isLow: elbow < cycle.attempt)
    return analysed
  }

  private mutating func observe(_ signals: borrowing SignalColumns, _ frame: Int, isLow: Bool) {
    let difference = signals[Input.elbowDifference.rawValue, frame]
    press.travel.add(signals[Input.handFromShoulder.rawValue, frame])
    press.unevenness.add(difference)
    instant[Measure.unevenness.rawValue] = difference
    let height = signals[Input.handHeight.rawValue, frame]
    if height.isFinite { press.lowest = min(press.lowest, height) }
    guard isLow else { return }
    let flare = signals[Input.upperArm.rawValue, frame]
    press.flare.add(flare)
    instant[Measure.flare.rawValue] = flare
  }

  private func values(of excursion: ExcursionCycle.Excursion) -> FormValues {
    var values = FormValues()
    values[Measure.barTravel.rawValue] = press.travel.width
    values[Measure.elbowDepth.rawValue] = excursion.bottom
    values[Measure.handDepth.rawValue] = press.lowest.isFinite ? press.lowest : .nan
    values[Measure.lockout.rawValue] = excursion.top
    values[Measure.unevenness.rawValue] = press.unevenness.value
    values[Measure.flare.rawValue] = press.flare.value
    return values
  }
}

extension BenchPressAnalysis {
  public static let exercise = CoachedExercise.benchPress
  public static let subject = "bar path, depth, lockout, evenness and elbows"
  public static let source = "AI coach guide: Phase 1, bench; the analysis is this port's"

  private static let port = "the values are this port's"
  private static let green =
    "Green and Comfort, The Affect of Grip Width on Bench Press Performance, Strength Cond J 29(5), 2007"

  static let thresholds = CycleParameters(
    leaves: Parameter(
      "leavesTop", 138, in: 60...175, .degrees, "Elbow angle below which the bar is on its way down.",
      source: "detectRepCompletion is left open by the AI coach guide"),
    attempt: Parameter(
      "attempt", 118, in: 30...170, .degrees, "Elbow angle below which a press is graded.",
      source: "left open by the AI coach guide"),
    returns: Parameter(
      "returnsTop", 142, in: 70...180, .degrees, "Elbow angle above which the press is over.",
      source: "left open by the AI coach guide; low enough for a press without lockout"),
    settling: Parameter(
      "settling", 0.3, in: 0...2, .seconds, "How long to wait for the lockout.",
      source: "left open by the AI coach guide"))

  public static let cycleParameters = thresholds.all

  public static let measures = [
    FormMeasure(
      "barTravel", .barDrift, of: .barPath, good: 0.45, worst: 1, in: 0...3, .ratio,
      "range of the wrists beside the shoulders along the floor, in trunk lengths",
      source: "McLaughlin's studies of 1984: off the chest experts press towards the head; \(port)"),
    FormMeasure(
      "elbowDepth", .shallow, of: .depth, good: 95, worst: 125, in: 20...180, .degrees, "least elbow angle",
      source: "IPF Technical Rules, 2023: elbows level with the shoulders or lower, so about 90; \(port)"),
    FormMeasure(
      "handDepth", .shallow, of: .depth, good: 0.5, worst: 0.8, in: -1...1, .ratio,
      "least height of the wrists over the shoulders, in arm lengths",
      source:
        "level upper arms (IPF, 2023) leave a forearm's share of 0.44 (Drillis and Contini 1966); \(port)"),
    FormMeasure(
      "lockout", .noLockout, of: .lockout, good: 163, worst: 140, in: 90...180, .degrees,
      "greatest elbow angle at the top",
      source: "IPF Technical Rules: arms straight, elbows locked; \(port)"),
    FormMeasure(
      "unevenness", .uneven, of: .evenness, good: 12, worst: 40, in: 0...120, .degrees,
      "mean difference of the elbows' angles",
      source: "IPF Technical Newsletter 3/2009: a slightly uneven press passes; \(port)"),
    FormMeasure(
      "flare", .elbowFlare, of: .elbows, good: 70, worst: 95, in: 0...180, .degrees,
      "mean angle of the upper arms with the trunk, below the attempt's angle",
      source: "\(green): risk with shoulders close to 90 degrees of abduction; \(port)"),
  ]

  public static let instantFaults = [FormFault.uneven, .elbowFlare]

  private static let equal = "the AI coach guide gives no weights for the bench press: equal ones"

  public static let weights: [(part: FormPart, weight: Parameter)] =
    [FormPart.barPath, .depth, .lockout, .evenness, .elbows].map { ($0, $0.weight(0.2, source: equal)) }
}

extension Feedback {
  /// The wording of a bench press fault; `nil` for a fault that a bench press does not have.
  static func benchPress(_ fault: FormFault, _ level: CoachingLevel) -> FaultWording? {
    switch (fault, level) {
    case (.shallow, .beginner):
      FaultWording(
        "stopping above the chest",
        correction: "Lower the bar until it lightly touches your chest.",
        reason: "The whole way trains your chest much better than half of it.",
        cue: "Touch your chest, then press.")
    case (.shallow, .advanced):
      FaultWording(
        "incomplete eccentric range",
        correction: "Lower to a controlled touch, the elbows level with the shoulders or below.",
        reason: "The pectorals are loaded most near the chest, where the sticking region begins.",
        cue: "Pull the bar down to the touch point.")
    case (.noLockout, .beginner):
      FaultWording(
        "not straightening the arms",
        correction: "Push until your arms are straight.",
        reason: "Your triceps work the most in the last part.",
        cue: "Punch the ceiling.")
    case (.noLockout, .advanced):
      FaultWording(
        "missing elbow lockout",
        correction: "Extend both elbows fully over the shoulders before the next descent.",
        reason: "The triceps finish the lift, and locked arms carry the bar on bone between repetitions.",
        cue: "Finish over the shoulders.")
    case (.uneven, .beginner):
      FaultWording(
        "one arm higher than the other",
        correction: "Push with both arms equally so that the bar stays level.",
        reason: "A level bar spares your shoulders and builds both sides.",
        cue: "Keep the bar level like a shelf.")
    case (.uneven, .advanced):
      FaultWording(
        "asymmetric elbow extension",
        correction:
          "Match both elbows' angles through the press; check grip and scapular set, and cut the load if it stays.",
        reason: "Asymmetry overloads one shoulder and grows with fatigue.",
        cue: "Drive both fists at one speed.")
    case (.elbowFlare, .beginner):
      FaultWording(
        "elbows pointing out to the sides",
        correction: "Bring your elbows somewhat closer to your body.",
        reason: "That is much kinder to your shoulders.",
        cue: "Tuck your elbows halfway in.")
    case (.elbowFlare, .advanced):
      FaultWording(
        "excessive shoulder abduction",
        correction: "Hold the upper arms at 45 to 70 degrees of abduction with the scapulae retracted.",
        reason: "Near 90 degrees the anterior capsule and the acromioclavicular joint take more of the load.",
        cue: "Bend the bar to set the elbows.")
    case (.barDrift, .beginner):
      FaultWording(
        "the bar wandering",
        correction: "Lower and press the bar along the same line.",
        reason: "A steady line keeps the weight over your shoulders.",
        cue: "Same way down, same way up.")
    case (.barDrift, .advanced):
      FaultWording(
        "excessive horizontal bar path",
        correction: "Keep the bar's arc short, from the lower chest to over the shoulder joints.",
        reason: "The further the bar is from the shoulder the longer its moment arm there.",
        cue: "Up and back to the rack position.")
    default: nil
    }
  }
}
