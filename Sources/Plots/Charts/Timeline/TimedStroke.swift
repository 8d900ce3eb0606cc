/// A true or predicted stroke on a timeline.
public struct TimedStroke: Hashable, Sendable {
  /// Seconds from the clip's start; where only the contact is known, both are that.
  public var start: Double
  public var end: Double
  public var contact: Double
  /// What it is called.
  public var label: String
  /// Whether it has a partner among the strokes of the other side.
  public var isMatched: Bool

  public init(start: Double, end: Double, contact: Double, label: String, isMatched: Bool) {
    self.start = start
    self.end = end
    self.contact = contact
    self.label = label
    self.isMatched = isMatched
  }

  var isComplete: Bool { start.isFinite && end.isFinite && contact.isFinite && start <= end }
}
