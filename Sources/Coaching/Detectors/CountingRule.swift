import PoseModel

/// The conditions for a movement to count as a rep: the thresholds that one signal crosses in order, and the allowed
/// durations.
///
/// A detector declares it in addition to the state machine that decides. The rule decides nothing itself: it only
/// explains why a labelled rep was missed.
public struct CountingRule: Hashable, Sendable {
  /// A threshold that the signal must cross.
  public struct Step: Hashable, Sendable {
    /// The part of a rep that the threshold decides.
    public enum Stage: Hashable, Sendable {
      /// The rep begins.
      case begin
      /// The rep goes far enough to count.
      case turn
      /// The rep is over.
      case end
    }

    /// The part of a rep that the threshold decides.
    public var stage: Stage
    /// Whether the signal must rise above the threshold; otherwise it must fall below it.
    public var isAbove: Bool
    /// The threshold, in the signal's unit; `nil` if it follows the signal: `PoseObserver.countedLevels` has it.
    public var threshold: Double?
    /// The source of the threshold: `bottomAngle`, or `standingAngle − hysteresis`.
    public var parameter: String
    /// The share of the usual range, `CountedLevels.usual`, that a threshold which follows the signal stands for; `nil` for
    /// others.
    public var share: Double?

    public init(
      _ stage: Stage, isAbove: Bool, _ threshold: Double?, by parameter: String, ofUsual share: Double? = nil
    ) {
      self.stage = stage
      self.isAbove = isAbove
      self.threshold = threshold
      self.parameter = parameter
      self.share = share
    }

    /// Whether a value is beyond a level; false for NaN.
    public func isReached(by value: Double, at level: Double) -> Bool { isAbove ? value > level : value < level }
  }

  /// A limit and the parameter that sets it.
  public struct Limit<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The limit, in the unit of the limited quantity.
    public var value: Value
    /// The name of the parameter that sets it: `cooldown`.
    public var parameter: String

    public init(_ value: Value, by parameter: String) {
      self.value = value
      self.parameter = parameter
    }
  }

  /// The measured quantity: `knee angle`.
  public var signal: String
  /// `degrees`, `body heights/s`; empty or `ratio` for a plain number.
  public var unit: String
  /// In the order of crossing; empty if the observer declares none.
  public var steps: [Step]
  /// The least movement of the signal; `nil` for no limit.
  public var range: Limit<Double>?
  /// How clearly a movement must repeat to be counted, as autocorrelation, and the parameter that decides it; `nil` for
  /// an observer that does not choose its signal.
  public var learning: Limit<Double>?
  /// The shortest time from begin to end; `nil` for no limit.
  public var shortest: Limit<Microseconds>?
  /// The shortest time from the end of the last counted rep to that of the next; `nil` for no limit.
  public var cooldown: Limit<Microseconds>?
  /// The share of the usual range above which a movement is no rep; `nil` for no limit.
  public var greatest: Double?

  public init(
    signal: String, unit: String, steps: [Step], range: Limit<Double>? = nil, learning: Limit<Double>? = nil,
    shortest: Limit<Microseconds>? = nil, cooldown: Limit<Microseconds>? = nil, greatest: Double? = nil
  ) {
    self.signal = signal
    self.unit = unit
    self.steps = steps
    self.range = range
    self.learning = learning
    self.shortest = shortest
    self.cooldown = cooldown
    self.greatest = greatest
  }
}

/// The thresholds of a counting rule that follow its signal, in the signal's unit; NaN while there is none.
public struct CountedLevels: Hashable, Sendable {
  /// A rep begins beyond it.
  public var begin = Float.nan
  /// A rep that goes beyond it counts.
  public var turn = Float.nan
  /// A rep is over beyond it.
  public var end = Float.nan
  /// The usual range of the reps, if a threshold is a share of it.
  public var usual = Float.nan
  /// How often the observer has chosen another signal: values are comparable only within one choice.
  public var choice = 0
  /// How clearly the best movement repeats, to compare with the rule's `learning`; NaN once one is chosen, or if none is
  /// large and long enough.
  public var clarity = Float.nan

  public init() {}

  /// The threshold of a part of a rep.
  public subscript(stage: CountingRule.Step.Stage) -> Float {
    switch stage {
    case .begin: begin
    case .turn: turn
    case .end: end
    }
  }
}

extension CountingRule {
  /// The rule of a `RepCycle`; the names are those of the parameters behind its thresholds.
  ///
  /// - Parameter turn: The counting threshold, if it differs from the cycle's own.
  init(
    _ cycle: RepCycle, signal: String, unit: String, start: String, turn: String, hysteresis: String,
    at threshold: Float? = nil, shortest: Limit<Microseconds>? = nil, cooldown: Limit<Microseconds>? = nil
  ) {
    let rises = cycle.turn > cycle.start
    let begin = rises ? cycle.start + cycle.hysteresis : cycle.start - cycle.hysteresis
    self.init(
      signal: signal, unit: unit,
      steps: [
        Step(.begin, isAbove: rises, Double(begin), by: "\(start) \(rises ? "+" : "−") \(hysteresis)"),
        Step(.turn, isAbove: rises, Double(threshold ?? cycle.turn), by: turn),
        Step(.end, isAbove: !rises, Double(cycle.start), by: start),
      ], shortest: shortest, cooldown: cooldown)
  }

  /// The rule of an `ExcursionCycle` with the parameters of `CycleParameters`.
  init(_ cycle: ExcursionCycle, signal: String, unit: String, by parameters: CycleParameters) {
    self.init(
      signal: signal, unit: unit,
      steps: [
        Step(.begin, isAbove: false, Double(cycle.leaves), by: parameters.leaves.name),
        Step(.turn, isAbove: false, Double(cycle.attempt), by: parameters.attempt.name),
        Step(.end, isAbove: true, Double(cycle.returns), by: parameters.returns.name),
      ], shortest: Limit(cycle.shortest, by: CycleParameters.shortest.name))
  }
}
