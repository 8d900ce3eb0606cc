import PoseModel

/// What a deadlift's form is, in the five parts that the AI coach guide names.
///
/// A repetition is from the floor up and back to it, its turn the straightest hip. The guide names the parts' methods
/// only. Here:
/// - bar path: the wrists, which hold the bar, over mid-foot;
/// - hip hinge: whether the shoulders rise along with the hips or the trunk tips over them first, and the lockout;
/// - spine: the angle ear–shoulder–hip. Keypoints have nothing between shoulder and hip, so that a back which rounds
///   below the shoulders is seen only as far as it takes the head along, and a lifter who looks up or down is misjudged;
/// - shoulders: over the bar before it leaves the floor;
/// - feet: the stance's width, from the front.
///
/// From the front a picture shows the stance and hardly anything else; from the side all but the stance.
public struct DeadliftAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftWrist, .leftHip, .leftKnee, .leftAnkle]

  private enum Input: Int { case hip, knee, handFromFoot, back, handFromShoulder, stance, lean }
  private enum Measure: Int { case barDrift, tipping, lockout, backAngle, shoulderOffset, stance }

  /// Of a joint that is locked, degrees; beyond it nothing more is expected of the estimator.
  private static let locked: Float = 170
  /// A knee that stays straighter than this does not bend, degrees.
  private static let bent: Float = 150

  /// How hips, knees and trunk move since the bar was last put down.
  private struct Hinge {
    var hipLow = Float.infinity
    var kneeLow = Float.infinity
    /// Of the trunk where the knees are bent most, and how much more at most until the knees are half extended.
    var lean = Float.nan
    var tipping = Float.nan
    var isHalfWay = false
    var shoulderOffset = Float.nan
  }

  /// The state of the lift that is going on.
  private struct Lift {
    var drift = Extent()
    var back = RunningMean()
    var stance = RunningMean()
    var straight = Extent()
  }

  private let visibility: Visibility
  private let leavesFloor: Double
  private let attempt: Double
  /// Of the hip's flexion: it is high at rest, with the bar on the floor.
  private var cycle: ExcursionCycle
  private var hinge = Hinge()
  private var lift = Lift()
  public private(set) var instant = FormValues()

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = SightParameters.coach.visibility(values)
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
      LimbAngle(.hip, visibility), KneeAngle(visibility), HandOffset(from: .foot, visibility),
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

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let hip = signals[Input.hip.rawValue, frame]
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
