import Statistics

/// The true motion in one clip: the position of every joint at every time, and the labels of a perfect observer.
public protocol SimulatedMotion: Sendable {
  var body: Body { get }
  /// Seconds.
  var duration: Double { get }
  /// The positions of all joints at a time in seconds; before the beginning and after the end the nearest known ones.
  func joints(at time: Double) -> JointPositions
  var groundTruth: MotionGroundTruth { get }
}

/// The true events of a clip, in seconds from its zero, independent of any rater.
public struct MotionGroundTruth: Hashable, Sendable {
  /// One full rep: out of the start posture, at the far end, back in the start posture.
  public struct Rep: Hashable, Sendable {
    public var start: Double
    public var turn: Double
    public var end: Double
    public var form: Form
  }

  /// The quality of a rep or a whole clip.
  public struct Form: Hashable, Sendable {
    /// Each fault that raters judge, by label, with its severity: 0 absent, 1 the worst.
    public var severities: [FaultSeverity]
    /// 0...100.
    public var quality: Double
  }

  public struct FaultSeverity: Hashable, Sendable {
    public var fault: String
    public var severity: Double
  }

  public struct Instant: Hashable, Sendable {
    public var time: Double
    public var label: String
  }

  public struct Period: Hashable, Sendable {
    public var start: Double
    public var end: Double
    public var label: String
  }

  /// The reps in time order; `nil` for an exercise without reps.
  public var reps: [Rep]?
  /// The form of the whole clip, for an exercise without reps.
  public var whole: Form?
  public var events: [Instant] = []
  public var intervals: [Period] = []
}

/// A possible fault of an exercise.
public struct Fault: Hashable, Sendable {
  /// Its name in labels, such as `hips_sag`.
  public let name: String
  /// The cost of its worst case, subtracted from a rep's quality of at most 92 out of 100.
  public let cost: Double

  public init(_ name: String, cost: Double) {
    self.name = name
    self.cost = cost
  }

  /// Stops short of the far end of the movement.
  public static let shallow = Fault("shallow", cost: 38)
  /// Ends before the elbows, or in a deadlift the hips, are straight.
  public static let noLockout = Fault("no_lockout", cost: 24)
  /// The trunk sways back and forth, or swings, to help the arms.
  public static let swinging = Fault("swinging", cost: 28)
  public static let leaningBack = Fault("leaning_back", cost: 28)
  public static let forwardLean = Fault("forward_lean", cost: 28)
  public static let kneeForward = Fault("knee_forward", cost: 26)
  public static let hipsSag = Fault("hips_sag", cost: 36)
  public static let hipsHigh = Fault("hips_high", cost: 32)
}

/// The severity of each fault at one instant: 0 absent, 1 the worst.
public struct Severities: Hashable, Sendable {
  private var values: [Fault: Double] = [:]

  public init(_ values: [Fault: Double] = [:]) { self.values = values }

  public subscript(_ fault: Fault) -> Double {
    get { values[fault] ?? 0 }
    set { values[fault] = newValue }
  }

  /// The severities between `a` (fraction 0) and `b` (fraction 1).
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    guard fraction < 1, a != b else { return b }
    var blend = Self()
    for fault in Set(a.values.keys).union(b.values.keys) { blend[fault] = .blend(a[fault], b[fault], fraction) }
    return blend
  }

  /// The true form with these faults; `hurry` in 0...1 is the degree of haste.
  func form(of faults: [Fault], hurry: Double = 0) -> MotionGroundTruth.Form {
    MotionGroundTruth.Form(
      severities: faults.map { MotionGroundTruth.FaultSeverity(fault: $0.name, severity: self[$0]) },
      quality: max(92 - faults.map { self[$0] * $0.cost }.reduce(0, +) - 12 * hurry, 0))
  }
}

/// A recurring fault.
struct Habit<Fault: Hashable & Sendable>: Hashable, Sendable {
  var fault: Fault
  /// The share of reps with the fault.
  var probability: Double
  /// The mean severity, 0...1.
  var severity: Double

  /// The habits of the subject with this number: every `faults.count + 1`th subject has none; the others have one of
  /// the faults in turn, and sometimes a second, milder one.
  static func draw(index: Int, among faults: [Fault], using generator: inout SeededGenerator) -> [Self] {
    guard index % (faults.count + 1) > 0 else { return [] }
    let main = (index - 1) % (faults.count + 1)
    var habits = [
      Self(fault: faults[main], probability: generator.uniform(0.45, 0.8), severity: generator.uniform(0.35, 0.9))
    ]
    guard faults.count > 1 else { return habits }
    let other = faults[(main + generator.integer(1...faults.count - 1)) % faults.count]
    if generator.chance(0.4) {
      habits.append(
        Self(fault: other, probability: generator.uniform(0.15, 0.35), severity: generator.uniform(0.2, 0.6)))
    }
    return habits
  }

  /// The habits that occur in one rep, and their severities: more and stronger in a tired body.
  static func severities(
    of habits: [Self], tiredness: Double, using generator: inout SeededGenerator
  ) -> [Fault: Double] {
    var severities: [Fault: Double] = [:]
    for habit in habits where generator.chance(min(habit.probability + 0.25 * tiredness, 1)) {
      severities[habit.fault] = min(max(habit.severity + 0.2 * tiredness + generator.normal(0, sd: 0.15), 0.05), 1)
    }
    return severities
  }
}
