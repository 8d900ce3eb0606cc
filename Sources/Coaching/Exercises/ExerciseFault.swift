/// Something that can be wrong with a rep or a hold.
public struct ExerciseFault: Hashable, Sendable {
  /// `hips_sag`, as labels call it.
  public var name: String
  /// What is said to the person.
  public var message: String
  /// Of several, the most severe is spoken.
  public var severity: Cue.Priority
  /// What a rep or hold loses of its 100 points for it.
  public var deduction: Parameter
  /// All of them must hold. One whose signal is not known does not.
  public var conditions: [ExerciseCondition]

  public init(
    name: String, message: String, severity: Cue.Priority, deduction: Parameter, conditions: [ExerciseCondition]
  ) {
    self.name = name
    self.message = message
    self.severity = severity
    self.deduction = deduction
    self.conditions = conditions
  }

  var parameters: [Parameter] { conditions.map(\.threshold) + [deduction] }
}
