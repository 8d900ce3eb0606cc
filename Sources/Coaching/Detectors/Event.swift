import PoseModel

/// Something that a detector says.
public struct Event: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A rep is over and counts.
    case rep(Rep)
    /// A state machine entered a phase.
    case phase(String)
    /// A rep, counted or not, has this grade on a criterion.
    case grade(criterion: String, value: Double, rep: Rep)
    /// A rep, counted or not, has a fault.
    case fault(String, rep: Rep)
    /// Something to say to the person.
    case cue(String, Priority)
  }

  public enum Priority: Int, Hashable, Comparable, Sendable {
    case low, normal, high

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// When it happened.
  public var time: Microseconds
  /// The frame on which the detector said so: never before `time`.
  public var reported: Microseconds
  public var kind: Kind

  public init(time: Microseconds, reported: Microseconds, kind: Kind) {
    self.time = time
    self.reported = reported
    self.kind = kind
  }

  /// An event of the frame that it is reported on.
  public init(_ time: Microseconds, _ kind: Kind) {
    self.init(time: time, reported: time, kind: kind)
  }
}
