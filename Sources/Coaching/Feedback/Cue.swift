/// Something that a coach says to a person.
public struct Cue: Hashable, Sendable {
  public enum Priority: Int, Hashable, Comparable, Sendable {
    case low, normal, high

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The words.
  public var text: String
  public var priority: Priority
  /// The fault that it corrects, by the name that labels use; `nil` for praise, counts and guidance.
  public var fault: String?

  public init(_ text: String, _ priority: Priority, fault: String? = nil) {
    self.text = text
    self.priority = priority
    self.fault = fault
  }
}
