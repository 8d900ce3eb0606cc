import PoseModel

/// The parameters that all exercises of the live trainer share.
struct LiveTrainerParameters: Sendable {
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.5, in: 0...1, .ratio, "A frame with a joint at or below this confidence is not judged.",
    source: "live trainer architecture: leftHip.confidence > 0.5")
  static let needsBothSides = Parameter.toggle(
    "needsBothSides", true, "Judges a frame only when the joints of both sides are seen, not just those of one.",
    source: "live trainer architecture: every joint is guarded; from the side the far one often is not seen")
  static let usesDepth = Parameter.toggle(
    "usesDepth", false, "Measures angles in space where the recording has depth, not in the picture.",
    source: "off: the live trainer sees 2D poses")
  static let faultTime = Parameter(
    "faultTime", 0.3, in: 0...5, .seconds, "A fault must last this long until it is spoken of or held against a rep.",
    source: "left open in the live trainer architecture; about the time in which a person can react to a cue")
  static let repeatTime = Parameter(
    "repeatTime", 4, in: 0...60, .seconds, "The shortest time until the same correction is said again.",
    source: "left open in the live trainer architecture; the squat form analyser's minimumSpeechInterval")
  static let hysteresis = Parameter(
    "hysteresis", 5, in: 0...45, .degrees, "How far below its upper threshold an angle must go for a rep to begin.",
    source: "left open in the live trainer architecture; over twice the jitter of a 2D joint angle")
  static let minimumRepTime = Parameter(
    "minimumRepTime", 0.5, in: 0...10, .seconds, "What takes less time is the estimator's noise, not a rep.",
    source: "left open in the live trainer architecture; nobody does two reps in half a second")
  static let repsPerSet = Parameter(
    "repsPerSet", 10, in: 1...100, .reps, "Reps that make a set.",
    source: "left open in the live trainer architecture; ACSM, Progression Models in Resistance Training, 2009: 8 to 12"
  )
  static let setCount = Parameter(
    "setCount", 3, in: 1...20, .sets, "Sets that make the workout.",
    source: "left open in the live trainer architecture; ACSM, Progression Models, 2009: 1 to 3 for beginners")
  static let wordsPerMinute = Parameter(
    "wordsPerMinute", 160, in: 60...400, .wordsPerMinute, "How fast the voice speaks.",
    source: "the document's rate 0.52 has no unit; radio monologues have 150 to 170 (Tauroza and Allison 1990)")
  static let patience = Parameter(
    "patience", 2, in: 0...30, .seconds, "A cue that has waited longer for its turn is not said any more.",
    source: "left open in the live trainer architecture; within a rep, which takes two seconds and more")
  static let judgingTime = Parameter(
    "judgingTime", 10, in: 1...120, .seconds, "A hold is graded in stretches of this length.",
    source: "left open in the live trainer architecture")

  static let all = [
    minimumConfidence, needsBothSides, usesDepth, faultTime, repeatTime, hysteresis, minimumRepTime,
    repsPerSet, setCount, wordsPerMinute, patience,
    judgingTime,
  ]

  let minimumConfidence: Float
  let needsBothSides: Bool
  let visibility: Visibility
  let faultTime: Microseconds
  let repeatTime: Microseconds
  let hysteresis: Float
  let minimumRepTime: Microseconds
  let judgingTime: Microseconds
  let session: WorkoutSession
  let voice: VoiceQueue

  init(_ values: ParameterValues) {
    func time(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    minimumConfidence = Float(values[Self.minimumConfidence])
    needsBothSides = values.isOn(Self.needsBothSides)
    visibility = Visibility(minimumConfidence: minimumConfidence, usesDepth: values.isOn(Self.usesDepth))
    faultTime = time(Self.faultTime)
    repeatTime = time(Self.repeatTime)
    hysteresis = Float(values[Self.hysteresis])
    minimumRepTime = time(Self.minimumRepTime)
    judgingTime = time(Self.judgingTime)
    session = WorkoutSession(
      repsPerSet: Int(values[Self.repsPerSet].rounded()), setCount: Int(values[Self.setCount].rounded()))
    voice = VoiceQueue(wordsPerMinute: values[Self.wordsPerMinute], patience: time(Self.patience))
  }
}
