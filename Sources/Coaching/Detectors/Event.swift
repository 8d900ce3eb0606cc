import PoseModel

/// Something that a detector says.
public struct Event: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A rep is over and counts.
    case rep(Rep)
    /// What the person does from now on: a state machine's phase, or a posture.
    case phase(String)
    /// A rep, counted or not, has this grade on a criterion.
    case grade(criterion: String, value: Double, rep: Rep)
    /// A rep, counted or not, has a fault.
    case fault(String, rep: Rep)
    /// A stroke is over.
    case stroke(Stroke)
    /// Something to say to the person.
    case cue(Cue)
    /// Something for the person to feel.
    case haptic(HapticPattern)
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
