/// How the holds of an exercise are told: for as long as some conditions hold, frame by frame.
public struct HoldRule: Hashable, Sendable {
  /// All of them must hold.
  public var conditions: [ExerciseCondition]
  /// What a hold without faults is called. One with a fault is called by the fault.
  public var label: String
  /// What everything else is called.
  public var rest: String
  /// What lasts shorter is not said.
  public var minimumDuration: Parameter

  public init(conditions: [ExerciseCondition], label: String, rest: String, minimumDuration: Parameter) {
    self.conditions = conditions
    self.label = label
    self.rest = rest
    self.minimumDuration = minimumDuration
  }

  var parameters: [Parameter] { conditions.map(\.threshold) + [minimumDuration] }
}
