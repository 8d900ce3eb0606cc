/// How a coach speaks of a fault.
public struct FaultWording: Hashable, Sendable {
  /// What is wrong, as a noun: `knees caving in`.
  public var issue: String
  /// The one thing to change, a sentence.
  public var correction: String
  /// Why it matters, a sentence.
  public var reason: String
  /// What to think of while moving, a sentence short enough to be called out.
  public var cue: String

  init(_ issue: String, correction: String, reason: String, cue: String) {
    self.issue = issue
    self.correction = correction
    self.reason = reason
    self.cue = cue
  }
}
