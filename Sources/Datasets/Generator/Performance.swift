/// What someone truly does in one clip: where every joint is at every time, and what a perfect observer would say of it.
public protocol Performance: Sendable {
  var body: Body { get }
  /// Seconds.
  var duration: Double { get }
  /// Every joint's position at a time in seconds; before the beginning and after the end the nearest known.
  func joints(at time: Double) -> JointPositions
  var truth: PerformanceTruth { get }
}

/// What truly happened in a clip, in seconds from its zero, before any rater saw it.
public struct PerformanceTruth: Hashable, Sendable {
  /// One full rep: out of the start posture, at the far end, back in the start posture.
  public struct Rep: Hashable, Sendable {
    public var start: Double
    public var turn: Double
    public var end: Double
    public var form: Form
  }

  /// How good a rep or a whole clip was.
  public struct Form: Hashable, Sendable {
    /// Each fault that raters look for, by its label, with how bad it was: 0 not there, 1 as bad as it gets.
    public var severities: [Judged]
    /// 0...100.
    public var quality: Double
  }

  public struct Judged: Hashable, Sendable {
    public var fault: String
    public var severity: Double
  }

  public struct Event: Hashable, Sendable {
    public var time: Double
    public var label: String
  }

  public struct Interval: Hashable, Sendable {
    public var start: Double
    public var end: Double
    public var label: String
  }

  /// In order of time; `nil` for an exercise that has no reps.
  public var reps: [Rep]?
  /// How good the clip was as a whole, for an exercise that has no reps.
  public var whole: Form?
  public var events: [Event] = []
  public var intervals: [Interval] = []
}
