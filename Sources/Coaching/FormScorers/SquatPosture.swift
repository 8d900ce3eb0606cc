import PoseModel

/// Grades squats by knee depth, back lean and knee travel, and gives the most important correction.
///
/// The posture analyser of the squat analyser. Its document gives the four thresholds, the bands and the messages. It
/// does not say how far beyond a threshold a part's score falls to 0, nor the parts' weights: a linear fall and equal
/// weights are this port's choice, and parameters. Every movement out of standing that goes below `attemptAngle` is a
/// rep, whether or not a counter counts it, which allows correcting a shallow squat. Its depth is the smallest knee
/// angle; lean and travel are means over the rep's frames below `attemptAngle`, weighted by how far below.
public struct SquatPosture: Detector {
  public static let profile = DetectorProfile(
    name: "squat-posture", kind: .form, exercise: "squat",
    summary: "Grades each squat by knee depth, back lean and knee travel and speaks the most important correction.",
    source: "squat form analyser: Form Analysis Criteria",
    joints: [.leftHip, .leftKnee, .leftAnkle, .leftShoulder],
    tasks: [.faults(SquatFault.allCases.map(\.rawValue)), .grades("form"), .cues(every: speechCooldown)])

  public static let parameters =
    Thresholds.parameters + [speechCooldown] + SquatStates.visibilityThresholds.all + [ProcessingInterval.parameter]

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
  /// The knee angle.
  public private(set) var countedValue = Float.nan

  public init(_ values: ParameterValues) throws(ParameterError) {
    thresholds = try Thresholds(values)
    speech = CueCooldown(Microseconds(seconds: values[Self.speechCooldown]) ?? .zero)
    visibility = SquatStates.visibilityThresholds.visibility(values)
    interval = ProcessingInterval(values)
    cycle = RepCycle(
      start: thresholds.standingAngle, turn: thresholds.perfectKneeAngleMax, hysteresis: thresholds.hysteresis)
  }

  public var signals: [any Signal] { [LimbAngle(.knee, visibility), TrunkLean(visibility), KneeTravel(visibility)] }

  public var guides: [Guide] {
    [
      Guide(signal: 0, value: Double(thresholds.perfectKneeAngleMax), label: "deep enough"),
      Guide(signal: 1, value: Double(thresholds.maxBackLeanAngle), label: "most lean"),
      Guide(signal: 2, value: Double(thresholds.kneeForwardThreshold), label: "most travel"),
    ]
  }

  /// A squat is judged from `attemptAngle` on; the document counts none.
  public var countingRule: CountingRule? {
    CountingRule(
      cycle, signal: "knee angle", unit: "degrees", start: SquatStates.standingAngle.name,
      turn: Thresholds.attemptAngle.name, hysteresis: SquatStates.hysteresis.name, at: thresholds.attemptAngle)
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      countedValue = signals[0, frame]
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
          time: excursion.rep.end, reported: time, kind: .grade(criterion: "form", value: score, rep: excursion.rep),
          evidence: thresholds.evidence(posture)))
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

/// A weighted mean of the known values.
private struct WeightedMean {
  private var sum: Float = 0
  private var weights: Float = 0

  mutating func add(_ value: Float, weight: Float) {
    guard value.isFinite else { return }
    sum += value * weight
    weights += weight
  }

  /// NaN if no value was known.
  var value: Float { weights > 0 ? sum / weights : .nan }
}

extension SquatPosture.Thresholds {
  private static let document = "squat form analyser: SquatThresholds"
  private static let open = "left open by the squat form analyser"

  static let attemptAngle = Parameter(
    "attemptAngle", 140, in: 90...175, .degrees, "Knee angle below which a movement is graded as a squat.",
    source: open)
  static let perfectKneeAngleMin = Parameter(
    "perfectKneeAngleMin", 70, in: 20...170, .degrees, "Knee angle below which the depth is excellent.",
    source: document)
  static let perfectKneeAngleMax = Parameter(
    "perfectKneeAngleMax", 90, in: 20...170, .degrees, "Knee angle above which a squat is shallow.", source: document)
  static let shallowKneeAngle = Parameter(
    "shallowKneeAngle", 140, in: 30...180, .degrees, "Knee angle at which the depth part scores 0.",
    source: open)
  static let maxBackLeanAngle = Parameter(
    "maxBackLeanAngle", 20, in: 0...90, .degrees, "Lean above which the trunk is too far forward.", source: document)
  static let worstBackLeanAngle = Parameter(
    "worstBackLeanAngle", 60, in: 1...120, .degrees, "Lean at which the back part scores 0.", source: open)
  static let kneeForwardThreshold = Parameter(
    "kneeForwardThreshold", 0.05, in: 0...1, .imageHeights, "Knee travel above which the knees are too far forward.",
    source: document)
  static let worstKneeForward = Parameter(
    "worstKneeForward", 0.2, in: 0.001...2, .imageHeights, "Knee travel at which the knee part scores 0.",
    source: open)
  static let depthWeight = Parameter(
    "depthWeight", 1, in: 0...100, .ratio, "The weight of depth in the score.", source: open)
  static let backWeight = Parameter(
    "backWeight", 1, in: 0...100, .ratio, "The weight of the back in the score.", source: open)
  static let kneeWeight = Parameter(
    "kneeWeight", 1, in: 0...100, .ratio, "The weight of the knees in the score.", source: open)
  static let perfectScore = Parameter(
    "perfectScore", 85, in: 0...100, .points, "Lowest score of perfect form.",
    source: "squat form analyser: Perfect Form (85-100% score)")
  static let goodScore = Parameter(
    "goodScore", 60, in: 0...100, .points, "Lowest score of good form.",
    source: "squat form analyser: Good Form (60-84% score)")

  static let parameters = [
    SquatStates.standingAngle, SquatStates.hysteresis, attemptAngle, perfectKneeAngleMin, perfectKneeAngleMax,
    shallowKneeAngle, maxBackLeanAngle, worstBackLeanAngle, kneeForwardThreshold, worstKneeForward, depthWeight,
    backWeight, kneeWeight, perfectScore, goodScore,
  ]

  /// In correct squats the trunk leans like the shanks (Myer et al., The Back Squat, 2014), by 38.5 ± 5.9 degrees in
  /// deep ones (Hemmerich et al. 2006): up to 45, with which knees travel by 0.246 statures (Drillis and Contini 1966)
  /// times the sine of 44.4, which is 0.103 of an image in which the person is 0.6 high, and about a tenth less in the
  /// mean of a squat.
  static let corrected = Preset(
    "corrected", "Allows the lean and the knee travel of a correct squat.",
    [
      maxBackLeanAngle.name: 45, worstBackLeanAngle.name: 75, kneeForwardThreshold.name: 0.095,
      worstKneeForward.name: 0.25,
    ])

  /// - Throws: `ParameterError.contradiction` if a threshold lies beyond the value at which its part scores 0.
  public init(_ values: ParameterValues) throws(ParameterError) {
    for (lower, upper) in [
      (Self.perfectKneeAngleMin, Self.perfectKneeAngleMax), (Self.perfectKneeAngleMax, Self.shallowKneeAngle),
      (Self.maxBackLeanAngle, Self.worstBackLeanAngle), (Self.kneeForwardThreshold, Self.worstKneeForward),
      (Self.goodScore, Self.perfectScore), (Self.attemptAngle, SquatStates.standingAngle),
    ] where values[lower] >= values[upper] {
      throw .contradiction(
        "\(lower.name) (\(values[lower])) must be less than \(upper.name) (\(values[upper])) \(upper.unit.rawValue)")
    }
    guard values[Self.depthWeight] + values[Self.backWeight] + values[Self.kneeWeight] > 0 else {
      throw .contradiction("one of depthWeight, backWeight and kneeWeight must be above 0")
    }
    standingAngle = Float(values[SquatStates.standingAngle])
    hysteresis = Float(values[SquatStates.hysteresis])
    attemptAngle = Float(values[Self.attemptAngle])
    perfectKneeAngleMin = Float(values[Self.perfectKneeAngleMin])
    perfectKneeAngleMax = Float(values[Self.perfectKneeAngleMax])
    shallowKneeAngle = Float(values[Self.shallowKneeAngle])
    maxBackLeanAngle = Float(values[Self.maxBackLeanAngle])
    worstBackLeanAngle = Float(values[Self.worstBackLeanAngle])
    kneeForwardThreshold = Float(values[Self.kneeForwardThreshold])
    worstKneeForward = Float(values[Self.worstKneeForward])
    depthWeight = values[Self.depthWeight]
    backWeight = values[Self.backWeight]
    kneeWeight = values[Self.kneeWeight]
    perfectScore = values[Self.perfectScore]
    goodScore = values[Self.goodScore]
  }
}

/// The faults that the squat analyser can find, the most important first.
///
/// Safety comes before depth: a leaning back under load, then the knees, then range of motion.
public enum SquatFault: String, CaseIterable, Hashable, Sendable {
  /// The back leans further than its threshold.
  case forwardLean = "forward_lean"
  /// A knee is further in front of the ankle than its threshold.
  case kneeForward = "knee_forward"
  /// The knees are bent less than the threshold at the bottom.
  case shallow

  /// The message to the person.
  public var message: String {
    switch self {
    case .forwardLean: "Keep back straight - reduce forward lean"
    case .kneeForward: "Keep your knees behind your toes"
    case .shallow: "Go lower - squat deeper"
    }
  }
}

extension SquatPosture {
  /// The measures of a squat, in one frame or over a rep; NaN if unknown.
  public struct Posture: Hashable, Sendable {
    /// Hip–knee–ankle, degrees: 180 is a straight leg.
    public var kneeAngle: Float
    /// Shoulders over hips from the vertical, degrees.
    public var backLean: Float
    /// Knee beside ankle, image heights.
    public var kneeTravel: Float

    public init(kneeAngle: Float, backLean: Float, kneeTravel: Float) {
      self.kneeAngle = kneeAngle
      self.backLean = backLean
      self.kneeTravel = kneeTravel
    }
  }

  /// The analyser's assessment of a posture.
  public struct Assessment: Hashable, Sendable {
    /// 0...100, the weighted mean over the known parts; `nil` if none is known.
    public var score: Double?
    /// The faults, the most important first.
    public var faults: [SquatFault]
    /// The message: praise from `perfectScore` up, praise and the most important correction from `goodScore` up, the
    /// correction alone below.
    public var message: String
    /// The fault that the message corrects; `nil` for none.
    public var corrected: SquatFault?
  }

  /// The analyser's thresholds and how it turns a posture into a score and a message.
  public struct Thresholds: Hashable, Sendable {
    let standingAngle: Float
    let hysteresis: Float
    let attemptAngle: Float
    let perfectKneeAngleMin: Float
    let perfectKneeAngleMax: Float
    let shallowKneeAngle: Float
    let maxBackLeanAngle: Float
    let worstBackLeanAngle: Float
    let kneeForwardThreshold: Float
    let worstKneeForward: Float
    let depthWeight: Double
    let backWeight: Double
    let kneeWeight: Double
    let perfectScore: Double
    let goodScore: Double

    /// Scores the known parts of a posture and names its faults.
    public func assess(_ posture: Posture) -> Assessment {
      let parts = [
        (posture.kneeAngle, perfectKneeAngleMax, shallowKneeAngle, depthWeight, SquatFault.shallow),
        (posture.backLean, maxBackLeanAngle, worstBackLeanAngle, backWeight, .forwardLean),
        (posture.kneeTravel, kneeForwardThreshold, worstKneeForward, kneeWeight, .kneeForward),
      ].filter { $0.0.isFinite }
      let total = parts.reduce(0) { $0 + $1.3 }
      let score =
        total == 0
        ? nil
        : parts.reduce(0) { sum, part in
          let (value, threshold, worst, weight, _) = part
          return sum + weight * Double(1 - min(max((value - threshold) / (worst - threshold), 0), 1))
        } / total * 100
      let faults = SquatFault.allCases.filter { fault in parts.contains { $0.4 == fault && $0.0 > $0.1 } }
      return Assessment(
        score: score, faults: faults, message: message(posture, score: score, faults: faults),
        corrected: score.map { $0 < perfectScore } == true ? faults.first : nil)
    }

    /// The known measure that is furthest beyond its threshold, or nearest to it; `nil` if none is known.
    func evidence(_ posture: Posture) -> JudgedEvidence? {
      let parts: [(value: Float, threshold: Float, worst: Float, name: String, parameter: Parameter)] = [
        (posture.kneeAngle, perfectKneeAngleMax, shallowKneeAngle, "least knee angle", Self.perfectKneeAngleMax),
        (posture.backLean, maxBackLeanAngle, worstBackLeanAngle, "lean of the trunk", Self.maxBackLeanAngle),
        (
          posture.kneeTravel, kneeForwardThreshold, worstKneeForward, "knees' travel beyond the ankles",
          Self.kneeForwardThreshold
        ),
      ]
      let shares = parts.filter(\.value.isFinite).map { part in
        (part: part, share: (part.value - part.threshold) / (part.worst - part.threshold))
      }
      guard let part = shares.max(by: { $0.share < $1.share })?.part else { return nil }
      return JudgedEvidence(
        part.name, unit: part.parameter.unit.rawValue, value: Double(part.value), sound: Double(part.threshold),
        parameters: [part.parameter.name])
    }

    /// The most important fault of a frame during the squat; depth is judged when the squat is over.
    func fault(onTheWay posture: Posture) -> SquatFault? {
      if posture.backLean > maxBackLeanAngle { return .forwardLean }
      return posture.kneeTravel > kneeForwardThreshold ? .kneeForward : nil
    }

    private func message(_ posture: Posture, score: Double?, faults: [SquatFault]) -> String {
      guard let score else { return "Position yourself in camera view" }
      guard score < perfectScore else {
        return posture.kneeAngle < perfectKneeAngleMin ? "Excellent technique!" : "Perfect squat form!"
      }
      let correction = faults.first.map { [$0.message] } ?? []
      return ((score >= goodScore ? ["Good job!"] : []) + correction).joined(separator: " ")
    }
  }
}
