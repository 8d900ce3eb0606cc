/// What a coach lets a person feel, by the names of the live trainer's patterns.
public enum HapticPattern: String, CaseIterable, Hashable, Sendable {
  /// A strong warning tap.
  case formCorrection = "form correction"
  /// A light success tap.
  case goodForm = "good form"
  /// A quick impact.
  case repCompleted = "rep completed"
  /// A double success.
  case setCompleted = "set completed"
  /// A burst to celebrate.
  case workoutCompleted = "workout completed"
}
