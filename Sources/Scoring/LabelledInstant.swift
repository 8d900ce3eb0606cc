import PoseModel

/// Something that happened at an instant, and what it is called.
public struct LabelledInstant: Hashable, Sendable {
  public var time: Microseconds
  public var label: String

  public init(time: Microseconds, label: String) {
    self.time = time
    self.label = label
  }
}
