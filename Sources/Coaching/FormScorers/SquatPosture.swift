import PoseModel

/// Grades squats by knee depth, back lean and knee travel, and says the one thing that matters most.
///
/// The posture analyser of the squat analyser. Its document gives the four thresholds, the bands and the messages; how
/// far beyond a threshold a part's score falls to 0, and the parts' weights, it leaves open: a linear fall and equal
/// weights are this port's, and parameters. A rep is every movement out of standing that goes below `attemptAngle`,
/// whether or not a counter counts it, so that a shallow squat can be told to go deeper. Its depth is the smallest knee
/// angle; lean and travel are means over the rep's frames below `attemptAngle`, weighted with how far below.
public struct SquatPosture: Detector {
  public static let profile = DetectorProfile(
    name: "squat-posture", kind: .form, exercise: "squat",
    summary: "Grades each squat by knee depth, back lean and knee travel and speaks the most important correction.",
    source: "squat form analyser: Form Analysis Criteria",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder], speaks: true, cooldown: speechCooldown,
    faults: SquatFault.allCases.map(\.rawValue), criterion: "form")

  public static let parameters =
    Thresholds.parameters + [speechCooldown] + SquatStates.sight.all + [ProcessingInterval.parameter]

  public static let presets = ProcessingInterval.presets + [Thresholds.corrected]

  static let speechCooldown = Parameter(
    "speechCooldown", 4, in: 0...60, .seconds, "The shortest time between two cues.",
    source: "squat form analyser: minimumSpeechInterval")

  private let thresholds: Thresholds
  private let visibility: Visibility
  private var interval: ProcessingInterval
  private var cycle: RepCycle
  private var lean = WeightedMean()
  private var travel = WeightedMean()
  private var speech: CueCooldown

  public init(_ values: ParameterValues) throws(ParameterError) {
    thresholds = try Thresholds(values)
    speech = CueCooldown(Microseconds(seconds: values[Self.speechCooldown]) ?? .zero)
    visibility = SquatStates.sight.visibility(values)
    interval = ProcessingInterval(values)
    cycle = RepCycle(
      start: thresholds.standingAngle, turn: thresholds.perfectKneeAngleMax, hysteresis: thresholds.hysteresis)
  }

  public var signals: [any Signal] { [KneeAngle(visibility), TrunkLean(visibility), KneeTravel(visibility)] }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(thresholds.perfectKneeAngleMax), label: "deep enough"),
      Guide(signal: 1, value: Double(thresholds.maxBackLeanAngle), label: "most lean"),
      Guide(signal: 2, value: Double(thresholds.kneeForwardThreshold), label: "most travel"),
    ]
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      guard interval.admits(time) else { continue }
      let posture = Posture(
        kneeAngle: signals[0, frame], backLean: signals[1, frame], kneeTravel: signals[2, frame])
      let below = thresholds.attemptAngle - posture.kneeAngle
      if below > 0 {
        lean.add(posture.backLean, weight: below)
        travel.add(posture.kneeTravel, weight: below)
        if let fault = thresholds.fault(onTheWay: posture) {
          speak(Cue(fault.message, .high, fault: fault.rawValue), at: time, &events)
        }
      }
      guard let excursion = cycle.update(posture.kneeAngle, at: time) else { continue }
      if excursion.extreme < thresholds.attemptAngle { judge(excursion, at: time, &events) }
      lean = WeightedMean()
      travel = WeightedMean()
    }
  }

  private mutating func judge(_ excursion: RepCycle.Excursion, at time: Microseconds, _ events: inout [Event]) {
    let posture = Posture(kneeAngle: excursion.extreme, backLean: lean.value, kneeTravel: travel.value)
    let assessment = thresholds.assess(posture)
    if let score = assessment.score {
      events.append(
        Event(
          time: excursion.rep.end, reported: time, kind: .grade(criterion: "form", value: score, rep: excursion.rep)))
    }
    for fault in assessment.faults {
      events.append(Event(time: excursion.rep.end, reported: time, kind: .fault(fault.rawValue, rep: excursion.rep)))
    }
    speak(
      Cue(assessment.message, assessment.faults.isEmpty ? .low : .high, fault: assessment.corrected?.rawValue),
      at: time, &events)
  }

  private mutating func speak(_ cue: Cue, at time: Microseconds, _ events: inout [Event]) {
    if speech.allows(time) { events.append(Event(time, .cue(cue))) }
  }
}

/// A mean of the values that are known, each with its weight.
private struct WeightedMean {
  private var sum: Float = 0
  private var weights: Float = 0

  mutating func add(_ value: Float, weight: Float) {
    guard value.isFinite else { return }
    sum += value * weight
    weights += weight
  }

  /// NaN where no value was known.
  var value: Float { weights > 0 ? sum / weights : .nan }
}
