/// The moments of one stroke with a racket or club, in seconds from the clip's start; `nil` where one is not known.
public struct TimedSwing: Hashable, Sendable {
  public var start: Double
  public var end: Double
  /// When the wrist is fastest.
  public var peak: Double?
  /// When the ball is hit.
  public var contact: Double?

  public init(start: Double, end: Double, peak: Double? = nil, contact: Double? = nil) {
    self.start = start
    self.end = end
    self.peak = peak
    self.contact = contact
  }

  var isComplete: Bool { start.isFinite && end.isFinite && start <= end }
}
