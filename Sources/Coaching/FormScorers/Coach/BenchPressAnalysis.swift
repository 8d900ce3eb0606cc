import PoseModel

/// What a bench press's form is: bar path, touch depth, lockout, evenness and elbows.
///
/// The AI coach guide lists the bench press among its first exercises and says nothing of its form; the parts are from
/// the IPF Technical Rules since 2023 (depth, lockout), the IPF Technical Newsletter 3/2009 (evenness), McLaughlin's
/// studies of 1984 (bar path) and Green and Comfort 2007 (elbows). The bar is where the wrists are. Elbow angles and
/// the wrists' height need a camera at about the bench's height; the angle between upper arm and trunk is that of the
/// picture and true only from above, or in space where a recording has depth.
public struct BenchPressAnalysis: FormAnalysis {
  public static let joints: [Joint] = [.leftShoulder, .leftElbow, .leftWrist]

  private enum Input: Int { case elbow, handHeight, elbowDifference, upperArm, handFromShoulder }
  private enum Measure: Int { case barTravel, elbowDepth, handDepth, lockout, unevenness, flare }

  /// The state of the press that is going on.
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

  public init(_ values: ParameterValues) throws(ParameterError) {
    visibility = SightParameters.coach.visibility(values)
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

  public mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)? {
    let elbow = signals[Input.elbow.rawValue, frame]
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
