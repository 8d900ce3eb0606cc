import PoseModel

/// Code of a coach that watches poses and says what it saw: a rep counter, a form scorer, a swing detector.
///
/// A detector takes frames in order and returns events. Its only clock is the frames' time and it keeps its state to
/// itself, so the same poses and parameters always give the same events, however the frames are cut into blocks. An app
/// feeds it one frame at a time through `LiveDetector`, a replay feeds it blocks.
public protocol Detector: PoseObserver {
  /// Name, kind and source, for lists, reports and the command line.
  static var profile: DetectorProfile { get }

  /// Every threshold that can be set, with its default.
  static var parameters: [Parameter] { get }

  /// Named sets of values other than the defaults, such as a correction of what a document says.
  static var presets: [Preset] { get }

  /// - Throws: `ParameterError.contradiction` where values that are fine alone do not go together.
  init(_ values: ParameterValues) throws(ParameterError)
}

extension Detector {
  public static var presets: [Preset] { [] }
}

/// Something that takes frames in order and says what it saw in them.
public protocol PoseObserver: Sendable {
  /// What is measured on the poses before `update` sees them, in the order of its signal columns. Observers with equal
  /// signals share one measurement. Empty for one that reads the joints itself.
  var signals: [any Signal] { get }

  /// How an app measures `signals` on each frame: one after the other, unless an observer whose signals look at the same
  /// joints does it in one go, with the same values.
  var measurement: any FrameMeasurement { get }

  /// The thresholds to draw over the signals in a timeline.
  var guides: [Guide] { get }

  /// What makes a movement count as a rep; `nil` for an observer that counts none by thresholds on one signal.
  var countingRule: CountingRule? { get }

  /// The counting rule's signal on the newest frame, NaN where it is unknown.
  var countedValue: Float { get }

  /// Sees the next frames and appends what it has to say of them, in order of `reported`.
  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event])
}

extension PoseObserver {
  public var signals: [any Signal] { [] }
  public var measurement: any FrameMeasurement { SignalList(signals) }
  public var guides: [Guide] { [] }
  public var countingRule: CountingRule? { nil }
  public var countedValue: Float { .nan }
}

/// Something that a detector says.
public struct Event: Hashable, Sendable {
  /// What happened.
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
  /// What happened.
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

/// What a detector is, for people.
public struct DetectorProfile: Hashable, Sendable {
  /// What a detector reports, and with it which metrics it can be scored with.
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
  /// What it reports; the first part of its `path`.
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

  /// A profile of these properties.
  ///
  /// `counts` is `nil` for what is usual: a detector of kind `reps` counts, another does not. `cooldown` is the parameter
  /// that sets the shortest time between two cues, in seconds.
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

/// A threshold to draw as a line over one of a detector's signals.
public struct Guide: Hashable, Sendable {
  /// Position in the detector's `signals`.
  public var signal: Int
  /// In the signal's unit.
  public var value: Double
  /// What stands beside the line: `bottom`.
  public var label: String

  public init(signal: Int, value: Double, label: String) {
    self.signal = signal
    self.value = value
    self.label = label
  }
}

/// A detector that can be made: what it is, what can be set, and how to make one.
///
/// Most are types that conform to `Detector`; one that is defined by data, such as a file, is made from a closure.
public struct DetectorDefinition: Sendable {
  /// Its name, kind and source.
  public let profile: DetectorProfile
  /// Every threshold that can be set, with its default.
  public let parameters: [Parameter]
  /// Named sets of values other than the defaults.
  public let presets: [Preset]
  private let make: @Sendable (ParameterValues) throws(ParameterError) -> any PoseObserver

  public init(
    profile: DetectorProfile, parameters: [Parameter], presets: [Preset] = [],
    make: @escaping @Sendable (ParameterValues) throws(ParameterError) -> any PoseObserver
  ) {
    self.profile = profile
    self.parameters = parameters
    self.presets = presets
    self.make = make
  }

  public init(_ type: any Detector.Type) {
    self.init(profile: type.profile, parameters: type.parameters, presets: type.presets) {
      (values) throws(ParameterError) in try type.init(values)
    }
  }

  /// One that has seen nothing yet.
  ///
  /// - Throws: `ParameterError.contradiction` where values that are fine alone do not go together.
  public func detector(_ values: ParameterValues) throws(ParameterError) -> any PoseObserver { try make(values) }

  /// The preset of this name.
  public func preset(named name: String) -> Preset? { presets.first { $0.name == name } }
}
