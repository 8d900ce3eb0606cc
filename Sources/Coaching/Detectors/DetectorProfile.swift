import PoseModel

/// What a detector is, for people.
public struct DetectorProfile: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Counts reps.
    case reps
    /// Grades reps and finds faults.
    case form
    /// Finds strokes.
    case swing
    /// Says what a person is doing, frame by frame.
    case posture
  }

  /// Unique among the detectors: `squat-states`. Letters, digits and hyphens.
  public var name: String
  public var kind: Kind
  /// `squat`; empty for a detector that is for any.
  public var exercise: String
  /// One sentence.
  public var summary: String
  /// The document or paper that it comes from.
  public var source: String
  /// The joints without which it says nothing. Of a joint with sides, one side is enough.
  public var joints: [Joint]
  /// Whether its `rep` events are a count of the clip's reps.
  public var counts: Bool
  /// Whether it says cues.
  public var speaks: Bool
  /// How long it means to wait until it says the same again: the default of its parameter, so that who sets that lower is
  /// found out. `nil` where it declares none.
  public var cooldown: Microseconds?
  /// The faults that it can find, by the names that labels use.
  public var faults: [String]
  /// The criterion that its grades are on, where it grades.
  public var criterion: String?
  /// The strokes or postures that it can tell, by the names that labels use.
  public var labels: [String]

  /// - Parameters:
  ///   - counts: `nil` for what is usual: a detector of kind `reps` counts, another does not.
  ///   - cooldown: the parameter that is the shortest time between two cues, in seconds.
  public init(
    name: String, kind: Kind, exercise: String, summary: String, source: String, joints: [Joint] = [],
    counts: Bool? = nil, speaks: Bool = false, cooldown: Parameter? = nil, faults: [String] = [],
    criterion: String? = nil, labels: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.exercise = exercise
    self.summary = summary
    self.source = source
    self.joints = joints
    self.counts = counts ?? (kind == .reps)
    self.speaks = speaks
    self.cooldown = cooldown.flatMap { Microseconds(seconds: $0.defaultValue) }
    self.faults = faults
    self.criterion = criterion
    self.labels = labels
  }

  /// How it is addressed on the command line: `reps.squat-states`.
  public var path: String { "\(kind.rawValue).\(name)" }
}
