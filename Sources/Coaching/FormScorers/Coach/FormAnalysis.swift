import PoseModel

/// The measurement of one exercise's form, frame by frame, for `FormCoach` and `LiveCoach`.
public protocol FormAnalysis: Sendable {
  static var exercise: CoachedExercise { get }
  /// What the form is made of, in a sentence's middle: `knee tracking, back, depth, tempo and balance`.
  static var subject: String { get }
  static var source: String { get }
  /// The joints without which it says nothing. Of a joint with sides, one side is enough.
  static var joints: [Joint] { get }
  /// At most eight.
  static var measures: [FormMeasure] { get }
  static var weights: [(part: FormPart, weight: Parameter)] { get }
  /// The thresholds of its cycle.
  static var cycleParameters: [Parameter] { get }

  /// - Throws: `ParameterError.contradiction` where values that are fine alone do not go together.
  init(_ values: ParameterValues) throws(ParameterError)

  var signals: [any Signal] { get }
  var guides: [Guide] { get }

  /// Takes the next frame.
  ///
  /// - Returns: the repetition that is reported with this frame.
  mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)?

  /// The faults that one frame can show.
  static var instantFaults: [FormFault] { get }

  /// What can be judged of the newest frame by itself; all unknown outside a repetition.
  var instant: FormValues { get }
}

extension FormAnalysis {
  /// What both detectors of an exercise can be set to, in the order of lists.
  static var parameters: [Parameter] {
    cycleParameters + measures.flatMap { [$0.good, $0.worst] } + weights.map(\.weight)
      + [FormStandard.issueScore, FormStandard.strengthScore] + SightParameters.coach.all
  }

  /// Without repeats, in the order of the measures.
  static var faults: [String] {
    var seen: Set<FormFault> = []
    return measures.map(\.fault).filter { seen.insert($0).inserted }.map(\.rawValue)
  }
}

extension SightParameters {
  /// Joints above 0.5, angles in the picture: the AI coach guide runs on Apple Vision's 2D body pose.
  static let coach = SightParameters(
    minimumConfidence: Parameter(
      "minimumConfidence", 0.5, in: 0...1, .ratio, "Joints at or below this confidence are not looked at.",
      source: "AI coach guide: validatePoseQuality, confidence > 0.5"),
    usesDepth: .toggle(
      "usesDepth", false, "Measures in space where the recording has depth, not in the picture.",
      source: "off: the AI coach guide sees 2D poses"))
}

/// The weight of a part.
extension FormPart {
  func weight(_ value: Double, source: String) -> Parameter {
    Parameter(
      "\(rawValue)Weight", value, in: 0...1, .ratio, "What the \(name) weighs in the score.", source: source)
  }
}

/// The thresholds of an `ExcursionCycle`.
struct CycleParameters: Sendable {
  let leaves: Parameter
  let attempt: Parameter
  let returns: Parameter
  let settling: Parameter

  /// Of every exercise.
  static let shortest = Parameter(
    "shortest", 0.5, in: 0...10, .seconds, "What takes less time is the estimator's noise, not a repetition.",
    source: "left open by the AI coach guide; nobody lifts twice in half a second")

  var all: [Parameter] { [leaves, attempt, returns, settling, Self.shortest] }

  func cycle(_ values: ParameterValues) throws(ParameterError) -> ExcursionCycle {
    for (lower, upper) in [(attempt, leaves), (leaves, returns)] where values[lower] >= values[upper] {
      throw .contradiction("\(lower.name) (\(values[lower])) must be less than \(upper.name) (\(values[upper]))")
    }
    return ExcursionCycle(
      leaves: Float(values[leaves]), attempt: Float(values[attempt]), returns: Float(values[returns]),
      settling: Microseconds(seconds: values[settling]) ?? .zero,
      shortest: Microseconds(seconds: values[Self.shortest]) ?? .zero)
  }
}
