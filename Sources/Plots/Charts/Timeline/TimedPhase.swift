/// A stretch of a clip in which a detector was in one state.
public struct TimedPhase: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var start: Double
  public var end: Double
  public var name: String

  public init(start: Double, end: Double, name: String) {
    self.start = start
    self.end = end
    self.name = name
  }
}
