import PoseModel

/// The measurement of one exercise's form, frame by frame, for `FormCoach` and `LiveCoach`.
public protocol FormAnalysis: Sendable {
  /// The judged exercise.
  static var exercise: CoachedExercise { get }
  /// The parts of the form, for the middle of a sentence: `knee tracking, back, depth, tempo and balance`.
  static var subject: String { get }
  /// The document behind it.
  static var source: String { get }
  /// The joints that it needs. For a joint with sides, one side suffices.
  static var joints: [Joint] { get }
  /// The measures of a repetition, at most eight.
  static var measures: [FormMeasure] { get }
  /// The parts of the form and the parameter of each one's weight in the overall score.
  static var weights: [(part: FormPart, weight: Parameter)] { get }
  /// The thresholds of its cycle.
  static var cycleParameters: [Parameter] { get }

  /// - Throws: `ParameterError.contradiction` if values that are valid alone contradict each other.
  init(_ values: ParameterValues) throws(ParameterError)

  /// The signals measured on every frame, in the order of `update`'s columns.
  var signals: [any Signal] { get }
  /// The thresholds to draw over `signals`.
  var guides: [Guide] { get }
  /// The conditions for a movement to count as a repetition.
  var countingRule: CountingRule? { get }
  /// The counting rule's signal on the newest frame, NaN if unknown.
  var countedValue: Float { get }

  /// Processes the next frame.
  ///
  /// - Returns: The repetition that is reported with this frame.
  mutating func update(
    _ signals: borrowing SignalColumns, _ frame: Int, at time: Microseconds
  ) -> (rep: Rep, values: FormValues)?

  /// The faults that one frame can show.
  static var instantFaults: [FormFault] { get }

  /// The measures of the newest frame alone; all unknown outside a repetition.
  var instant: FormValues { get }
}

extension FormAnalysis {
  public var countingRule: CountingRule? { nil }
  public var countedValue: Float { .nan }

  /// The parameters that both detectors of an exercise share, in the order of lists.
  static var parameters: [Parameter] {
    cycleParameters + measures.flatMap { [$0.good, $0.worst] } + weights.map(\.weight)
      + [FormStandard.issueScore, FormStandard.strengthScore] + VisibilityThresholds.coach.all
  }

  /// The faults without repeats, in the order of the measures.
  static var faults: [String] {
    var seen: Set<FormFault> = []
    return measures.map(\.fault).filter { seen.insert($0).inserted }.map(\.rawValue)
  }
}

extension VisibilityThresholds {
  /// Joints above 0.5, angles in the image: the AI coach guide runs on Apple Vision's 2D body pose.
  static let coach = VisibilityThresholds(
    minimumConfidence: Parameter(
      "minimumConfidence", 0.5, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
      source: "AI coach guide: validatePoseQuality, confidence > 0.5"),
    usesDepth: .toggle(
      "usesDepth", false, "Measures in 3D instead of in the image if the recording has depth.",
      source: "off: the AI coach guide sees 2D poses"))
}

/// The weight of a part.
extension FormPart {
  func weight(_ value: Double, source: String) -> Parameter {
    Parameter(
      "\(rawValue)Weight", value, in: 0...1, .ratio, "The weight of the \(name) in the score.", source: source)
  }
}

/// The thresholds of an `ExcursionCycle`.
struct CycleParameters: Sendable {
  let leaves: Parameter
  let attempt: Parameter
  let returns: Parameter
  let settling: Parameter

  /// The shortest movement that is a repetition, for every exercise.
  static let shortest = Parameter(
    "shortest", 0.5, in: 0...10, .seconds, "A movement shorter than this is the estimator's noise, not a repetition.",
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

/// One measure of a repetition, and the points for its values.
///
/// Gives 100 points up to `good`, none from `worst` on, and linear in between; either may be the greater.
public struct FormMeasure: Hashable, Sendable {
  /// `depth`; its parameters are `depthGood` and `depthWorst`.
  public var name: String
  /// The fault if it gets too few points.
  public var fault: FormFault
  /// The part that it counts towards. A part's score is that of its worst measure.
  public var part: FormPart
  /// Full points up to here, in the measure's unit.
  public var good: Parameter
  /// No points from here on, in the measure's unit.
  public var worst: Parameter

  /// - Parameter summary: The measured quantity, to follow “at”: `depth at which …`.
  init(
    _ name: String, _ fault: FormFault, of part: FormPart, good: Double, worst: Double, in range: ClosedRange<Double>,
    _ unit: Parameter.Unit, _ summary: String, source: String
  ) {
    self.name = name
    self.fault = fault
    self.part = part
    self.good = Parameter(
      "\(name)Good", good, in: range, unit, "Full points for the \(part.name) up to this: \(summary).", source: source)
    self.worst = Parameter(
      "\(name)Worst", worst, in: range, unit, "No points for the \(part.name) from this on: \(summary).",
      source: source)
  }
}

/// The measures of a repetition or a frame, one value per measure in their order; NaN is unknown.
public struct FormValues: Hashable, Sendable {
  private var values = SIMD8<Float>(repeating: .nan)

  public init() {}

  /// Whether any value is known.
  var isKnown: Bool { any(values .== values) }

  /// The value of a measure, by its index in the analysis's `measures` (0...7); NaN is unknown.
  public subscript(_ measure: Int) -> Float {
    get { values[measure] }
    set { values[measure] = newValue }
  }
}

/// The least and the greatest of the known values.
struct Extent: Sendable {
  private var least = Float.infinity
  private var greatest = -Float.infinity

  mutating func add(_ value: Float) {
    guard value.isFinite else { return }
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// The difference; NaN if no value was known.
  var width: Float { least <= greatest ? greatest - least : .nan }
  /// NaN if no value was known.
  var maximum: Float { least <= greatest ? greatest : .nan }
}

/// The mean of the known values.
struct RunningMean: Sendable {
  private var sum: Float = 0
  private var count: Float = 0

  mutating func add(_ value: Float) {
    guard value.isFinite else { return }
    sum += value
    count += 1
  }

  /// NaN if no value was known.
  var value: Float { count > 0 ? sum / count : .nan }
}

/// The level of a signal at rest for this person and camera. It follows rises within some tenths of a second and falls
/// within some tens of seconds; an excursion hardly changes it.
struct RestingLevel: Sendable {
  private static let rise: Float = 0.3
  private static let fall: Float = 20

  /// NaN if nothing is known or expected.
  private(set) var value: Float
  private let range: ClosedRange<Float>
  private var last: Microseconds?

  /// - Parameters:
  ///   - expected: The level before anything is known.
  ///   - range: The possible levels.
  init(expected: Float, in range: ClosedRange<Float>) {
    value = expected
    self.range = range
  }

  /// A level above 0 that starts at the first known value.
  init() { self.init(expected: .nan, in: 0...Float.greatestFiniteMagnitude) }

  mutating func update(_ level: Float, at time: Microseconds) {
    guard level.isFinite else { return }
    defer { last = time }
    guard let last else {
      if value.isNaN { value = level }
      return
    }
    let step = Float((time - last).seconds)
    let constant = level > value ? Self.rise : Self.fall
    value = min(max(value + (level - value) * step / (step + constant), range.lowerBound), range.upperBound)
  }
}
