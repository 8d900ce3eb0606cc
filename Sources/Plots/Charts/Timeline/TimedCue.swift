/// A message that the coach gave, on a timeline.
public struct TimedCue: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var time: Double
  public var text: String

  public init(time: Double, text: String) {
    self.time = time
    self.text = text
  }
}
