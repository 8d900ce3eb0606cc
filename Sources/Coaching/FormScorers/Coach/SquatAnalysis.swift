import PoseModel

/// What a squat's form is, in five parts.
///
/// The AI coach guide weighs knee tracking 0.25, back 0.30, depth 0.20, tempo 0.15 and balance 0.10 and only names how
/// each is analysed. Here, after Myer et al. 2014 (the back squat assessment), Escamilla, Knee Biomechanics of the Dynamic
/// Squat Exercise, Med Sci Sports Exerc 33(1), 2001, and Schoenfeld, Squatting Kinematics and Kinetics, J Strength Cond
/// Res 24(12), 2010:
/// - knee tracking: knees caving in (`KneeSeparation`, from the front) and travelling forward (`KneeReach`, from the side);
/// - back: the trunk's lean, and whether it grows on the way up;
/// - depth: the hip's height over the knee as a share of that of standing, 0 with level thighs;
/// - tempo: seconds of the descent, and whether repetitions take the same time;
/// - balance: the range of the centre of mass beside the ankles.
///
/// A picture shows knees caving in from the front only, and lean and travel from the side only; `KneeSeparation` decides
/// which of the two it is. The rounding of a back it does not show at all.
public struct SquatAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftHip, .leftKnee, .leftAnkle]

  private enum Input: Int { case hipHeight, lean, kneeSeparation, kneeReach, massOffset }
  private enum Measure: Int {
    case kneeSeparation, kneeReach, lean, leanRise, depth, descent, paceChange, sway
  }

  /// The state of the squat that is going on.
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

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = SightParameters.coach.visibility(values)
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

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let height = signals[Input.hipHeight.rawValue, frame]
    standing.update(height, at: time)
    let share = height / standing.value
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
    // Where the distance of the knees is seen, the camera is in front, and how far they reach forward is not.
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
