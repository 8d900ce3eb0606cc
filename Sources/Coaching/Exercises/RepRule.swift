/// How the reps of an exercise are counted: a signal goes from the start past the turn and back.
public struct RepRule: Hashable, Sendable {
  /// Thresholds that follow the signal, for recordings whose values cannot be trusted but whose movement can.
  public struct Adaptation: Hashable, Sendable {
    /// On or off: which of the rules counts.
    public var isOn: Parameter
    /// How long the range is remembered: it shrinks towards the signal with this time constant, seconds.
    public var memory: Parameter
    /// A narrower range is no movement, in the signal's unit.
    public var minimumRange: Parameter
    /// How far from the ends of the range start and turn are, as a share of the range below a half.
    public var margin: Parameter

    public init(isOn: Parameter, memory: Parameter, minimumRange: Parameter, margin: Parameter) {
      self.isOn = isOn
      self.memory = memory
      self.minimumRange = minimumRange
      self.margin = margin
    }
  }

  /// Position in the exercise's signals.
  public var signal: Int
  /// Where a rep begins and ends.
  public var start: Parameter
  /// What a rep must reach to count. Below `start` where the signal falls on the way to the turn.
  public var turn: Parameter
  public var hysteresis: Parameter
  /// A movement that passes it is judged, even where it does not reach the turn and so does not count.
  public var attempt: Parameter?
  /// A rep that ends sooner after the last one does not count.
  public var cooldown: Parameter
  /// A rep that is over sooner does not count.
  public var minimumDuration: Parameter
  /// How long after a rep's end its finish is watched before it is judged.
  public var finish: Parameter
  /// After so long without the joints a rep that has begun is dropped; `nil` for never.
  public var forget: Parameter?
  /// The names of the start, the way to the turn, the turn and the way back.
  public var phases: [String]
  public var adaptation: Adaptation?

  /// - Precondition: `phases` has four names.
  public init(
    signal: Int, start: Parameter, turn: Parameter, hysteresis: Parameter, attempt: Parameter?, cooldown: Parameter,
    minimumDuration: Parameter, finish: Parameter, forget: Parameter?, phases: [String], adaptation: Adaptation?
  ) {
    precondition(phases.count == 4)
    self.signal = signal
    self.start = start
    self.turn = turn
    self.hysteresis = hysteresis
    self.attempt = attempt
    self.cooldown = cooldown
    self.minimumDuration = minimumDuration
    self.finish = finish
    self.forget = forget
    self.phases = phases
    self.adaptation = adaptation
  }

  var parameters: [Parameter] {
    [start, turn, hysteresis] + [attempt].compactMap(\.self) + [cooldown, minimumDuration, finish]
      + [forget].compactMap(\.self)
      + (adaptation.map { [$0.isOn, $0.memory, $0.minimumRange, $0.margin] } ?? [])
  }
}
