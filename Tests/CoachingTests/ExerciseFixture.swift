import Coaching
import PoseModel
import Testing

/// Exercises made in code, and frames that have the values that a test wants.
enum ExerciseFixture {
  static func parameter(
    _ name: String, _ value: Double, _ unit: Parameter.Unit = .seconds, in range: ClosedRange<Double> = 0...1_000
  ) -> Parameter { Parameter(name, value, in: range, unit, "A number.", source: "the test") }

  static func part(_ name: String) throws -> BodyPart { try #require(BodyPart(name)) }

  /// Raises of the left hand from half a trunk below the shoulder to half a trunk above it.
  static func raise(
    faults: [ExerciseFault] = [], finish: Double = 0, forget: Double? = nil, attempt: Double? = nil,
    adapts: Bool = false, average: Double? = nil
  ) throws -> ExerciseDefinition {
    let lengths = -5.0...5.0
    let rule = RepRule(
      signal: 0, average: average.map { parameter("average", $0) },
      start: parameter("start", -0.5, .trunkLengths, in: lengths),
      turn: parameter("turn", 0.5, .trunkLengths, in: lengths), hysteresis: parameter("hysteresis", 0.1, .trunkLengths),
      attempt: attempt.map { parameter("attempt", $0, .trunkLengths, in: lengths) }, cooldown: parameter("cooldown", 0),
      minimumDuration: parameter("minimumDuration", 0.3), finish: parameter("finish", finish),
      forget: forget.map { parameter("forget", $0) }, phases: ["down", "raising", "up", "lowering"],
      adaptation: RepRule.Adaptation(
        isOn: .toggle("adaptive", adapts, "Follows.", source: "the test"), memory: parameter("memory", 10),
        minimumRange: parameter("minimumRange", 0.3, .trunkLengths), margin: parameter("margin", 0.25, .ratio),
        turnMargin: parameter("turnMargin", 0.25, .ratio)))
    return try exercise(.reps(rule), faults: faults)
  }

  static func exercise(_ rule: ExerciseDefinition.Rule, faults: [ExerciseFault]) throws -> ExerciseDefinition {
    ExerciseDefinition(
      name: "raise", summary: "Raises.", source: "the test", joints: [.leftWrist],
      signals: [
        ExerciseSignal(
          "hand", .height(try part("left_wrist"), above: try part("left_shoulder"), per: .trunk), side: .left),
        ExerciseSignal("speed", .speed(try part("left_wrist"), from: try part("root")), side: .left),
      ], rule: rule, faults: faults, praise: nil,
      visibilityThresholds: VisibilityThresholds(
        minimumConfidence: parameter("minimumConfidence", 0.3, .ratio),
        usesDepth: .toggle("usesDepth", false, "Depth.", source: "the test")),
      speechCooldown: parameter("speechCooldown", 4))
  }

  static func fault(
    _ name: String, _ severity: Cue.Priority, costs deduction: Double, signal: Int = 0, _ statistic: ExerciseStatistic,
    phase: Int? = nil, _ bound: ExerciseCondition.Bound, _ value: Double
  ) -> ExerciseFault {
    ExerciseFault(
      name: name, message: "Mind \(name)", severity: severity,
      deduction: parameter(name + "Deduction", deduction, .points),
      conditions: [
        ExerciseCondition(
          signal: signal, statistic: statistic, phase: phase, bound: bound,
          threshold: parameter(name, value, .trunkLengths, in: -50...50))
      ])
  }

  /// A hand that is so many trunk lengths above its shoulder; nobody for NaN.
  static func frame(hand: Double, at seconds: Double) -> PoseFrame {
    var frame = PoseFrame(time: Microseconds(Int64((seconds * 1e6).rounded())))
    guard hand.isFinite else { return frame }
    for side in Side.allCases {
      frame.set(side.shoulder, x: 0.5, y: 0.4)
      frame.set(side.hip, x: 0.5, y: 0.6)
    }
    frame.set(.leftWrist, x: 0.5, y: Float(0.4 - 0.2 * hand))
    frame.setMidpoints()
    return frame
  }

  /// What is said of a hand at ten frames a second.
  static func events(_ hands: [Double], of exercise: ExerciseDefinition, replacing values: [String: Double] = [:])
    throws
    -> [Event]
  {
    try events(of: exercise, on: hands.enumerated().map { frame(hand: $1, at: Double($0) / 10) }, replacing: values)
  }

  /// What is said of some frames.
  static func events(
    of exercise: ExerciseDefinition, on frames: [PoseFrame], replacing values: [String: Double] = [:]
  ) throws -> [Event] {
    let definition = exercise.definition
    func run(_ base: some PoseObserver) -> [Event] {
      var detector = LiveDetector(base)
      return frames.flatMap { detector.update($0) }
    }
    return run(try definition.detector(ParameterValues(definition.parameters, replacing: values)))
  }
}

extension [Event] {
  var reps: [Rep] { compactMap { if case .rep(let rep) = $0.kind { rep } else { nil } } }
  var phases: [String] { compactMap { if case .phase(let phase) = $0.kind { phase } else { nil } } }
  var faults: [String] { compactMap { if case .fault(let fault, _) = $0.kind { fault } else { nil } } }
  var grades: [Double] { compactMap { if case .grade(_, let value, _) = $0.kind { value } else { nil } } }
  var cues: [String] { compactMap { if case .cue(let cue) = $0.kind { cue.text } else { nil } } }
}
