extension SquatPosture.Thresholds {
  private static let document = "squat form analyser: SquatThresholds"
  private static let open = "left open by the squat form analyser"

  static let attemptAngle = Parameter(
    "attemptAngle", 140, in: 90...175, .degrees, "A movement whose knee angle goes below it is a squat to be graded.",
    source: open)
  static let perfectKneeAngleMin = Parameter(
    "perfectKneeAngleMin", 70, in: 20...170, .degrees, "Below it the depth is excellent.", source: document)
  static let perfectKneeAngleMax = Parameter(
    "perfectKneeAngleMax", 90, in: 20...170, .degrees, "Above it the squat is shallow.", source: document)
  static let shallowKneeAngle = Parameter(
    "shallowKneeAngle", 140, in: 30...180, .degrees, "Knee angle at which the depth part is worth nothing.",
    source: open)
  static let maxBackLeanAngle = Parameter(
    "maxBackLeanAngle", 20, in: 0...90, .degrees, "Above it the trunk leans too far forward.", source: document)
  static let worstBackLeanAngle = Parameter(
    "worstBackLeanAngle", 60, in: 1...120, .degrees, "Lean at which the back part is worth nothing.", source: open)
  static let kneeForwardThreshold = Parameter(
    "kneeForwardThreshold", 0.05, in: 0...1, .imageHeights, "Above it the knees are too far in front of the ankles.",
    source: document)
  static let worstKneeForward = Parameter(
    "worstKneeForward", 0.2, in: 0.001...2, .imageHeights, "Knee travel at which the knee part is worth nothing.",
    source: open)
  static let depthWeight = Parameter(
    "depthWeight", 1, in: 0...100, .ratio, "What depth weighs in the score.", source: open)
  static let backWeight = Parameter(
    "backWeight", 1, in: 0...100, .ratio, "What the back weighs in the score.", source: open)
  static let kneeWeight = Parameter(
    "kneeWeight", 1, in: 0...100, .ratio, "What the knees weigh in the score.", source: open)
  static let perfectScore = Parameter(
    "perfectScore", 85, in: 0...100, .points, "From here on the form is called perfect.",
    source: "squat form analyser: Perfect Form (85-100% score)")
  static let goodScore = Parameter(
    "goodScore", 60, in: 0...100, .points, "From here on the form is called good.",
    source: "squat form analyser: Good Form (60-84% score)")

  static let parameters = [
    SquatStates.standingAngle, SquatStates.hysteresis, attemptAngle, perfectKneeAngleMin, perfectKneeAngleMax,
    shallowKneeAngle, maxBackLeanAngle, worstBackLeanAngle, kneeForwardThreshold, worstKneeForward, depthWeight,
    backWeight, kneeWeight, perfectScore, goodScore,
  ]

  /// Trunks lean as shanks do in sound squats (Myer et al., The Back Squat, 2014), by 38.5 ± 5.9 degrees in deep ones
  /// (Hemmerich et al. 2006): up to 45, and with it knees travel by 0.246 statures (Drillis and Contini 1966) times the sine
  /// of 44.4, which is 0.103 of an image in which the person is 0.6 high, and about a tenth less in the mean of a squat.
  static let corrected = Preset(
    "corrected", "Leaves a sound squat the lean and the travel of the knees that it takes.",
    [
      maxBackLeanAngle.name: 45, worstBackLeanAngle.name: 75, kneeForwardThreshold.name: 0.095,
      worstKneeForward.name: 0.25,
    ])

  /// - Throws: `ParameterError.contradiction` where a threshold lies beyond the value at which its part is worth nothing.
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
