import PoseModel

/// A part of a coach that watches poses and reports events: a rep counter, a form scorer, a swing detector.
///
/// A detector takes frames in order and returns events. Its only clock is the frames' time, and its state is private:
/// the same poses and parameters always give the same events, however the frames are split into blocks. An app feeds it
/// one frame at a time through `LiveDetector`, a replay feeds it blocks.
public protocol Detector: PoseObserver {
  /// Name, kind and source, for lists, reports and the command line.
  static var profile: DetectorProfile { get }

  /// Every threshold that can be set, with its default.
  static var parameters: [Parameter] { get }

  /// Named sets of values that differ from the defaults, such as a correction of an error in a document.
  static var presets: [Preset] { get }

  /// - Throws: `ParameterError.contradiction` if values that are valid alone contradict each other.
  init(_ values: ParameterValues) throws(ParameterError)
}

extension Detector {
  public static var presets: [Preset] { [] }
}

/// Takes frames in order and reports events.
public protocol PoseObserver: Sendable {
  /// The signals measured on the poses before `update`, in the order of its signal columns. Observers with equal
  /// signals share one measurement. Empty for an observer that reads the joints itself.
  var signals: [any Signal] { get }

  /// How an app measures `signals` on each frame: one after the other, unless an observer measures all of them together
  /// with the same values.
  var measurement: any FrameMeasurement { get }

  /// The thresholds to draw over the signals in a timeline.
  var guides: [Guide] { get }

  /// The conditions for a movement to count as a rep; `nil` for an observer that does not count by thresholds on one
  /// signal.
  var countingRule: CountingRule? { get }

  /// The counting rule's signal on the newest frame, NaN if unknown.
  var countedValue: Float { get }

  /// Whether it would have reported the same so far with another value of a parameter, apart from phases that its profile
  /// does not name; false if it does not know.
  ///
  /// A detector declares it for a parameter that it only compares with a signal: a study replays the settings between
  /// two values of the signal once.
  func reportsAlike(with value: Double, of parameter: String) -> Bool

  /// Processes the next frames and appends its events, in the order of `reported`.
  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event])
}

extension PoseObserver {
  public var signals: [any Signal] { [] }
  public var measurement: any FrameMeasurement { SignalList(signals) }
  public var guides: [Guide] { [] }
  public var countingRule: CountingRule? { nil }
  public var countedValue: Float { .nan }
  public func reportsAlike(with value: Double, of parameter: String) -> Bool { false }
}

/// An event that a detector reports.
public struct Event: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A rep is over and counts.
    case rep(Rep)
    /// The person's phase or posture from now on.
    case phase(String)
    /// A rep, counted or not, has this grade on a criterion.
    case grade(criterion: String, value: Double, rep: Rep)
    /// A rep, counted or not, has a fault.
    case fault(String, rep: Rep)
    /// A stroke is over.
    case stroke(Stroke)
    /// A cue for the person.
    case cue(Cue)
    /// A haptic pattern for the person.
    case haptic(HapticPattern)
  }

  /// When it happened.
  public var time: Microseconds
  /// The time of the frame on which the detector reported it: never before `time`.
  public var reported: Microseconds
  /// What happened.
  public var kind: Kind

  public init(time: Microseconds, reported: Microseconds, kind: Kind) {
    self.time = time
    self.reported = reported
    self.kind = kind
  }

  /// An event with the time of the frame that it is reported on.
  public init(_ time: Microseconds, _ kind: Kind) {
    self.init(time: time, reported: time, kind: kind)
  }
}

/// The description of a detector for people.
public struct DetectorProfile: Hashable, Sendable {
  /// The task of a detector, which decides its metrics.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Counts reps.
    case reps
    /// Grades reps and finds faults.
    case form
    /// Finds strokes.
    case swing
    /// Reports what a person is doing, frame by frame.
    case posture
  }

  /// Unique among the detectors: `squat-states`. Letters, digits and hyphens.
  public var name: String
  /// Its task; the first part of its `path`.
  public var kind: Kind
  /// `squat`; empty for a detector for any exercise.
  public var exercise: String
  /// One sentence.
  public var summary: String
  /// The document or paper behind it.
  public var source: String
  /// The joints that it needs. For a joint with sides, one side suffices.
  public var joints: [Joint]
  /// Whether its `rep` events count the clip's reps.
  public var counts: Bool
  /// Whether it gives cues.
  public var speaks: Bool
  /// The intended minimum time between two equal cues: the default of its parameter, which reveals a lower setting.
  /// `nil` if it declares none.
  public var cooldown: Microseconds?
  /// The faults that it can find, by their names in labels.
  public var faults: [String]
  /// The criterion of its grades, if it grades.
  public var criterion: String?
  /// The strokes or postures that it can name, by their names in labels.
  public var labels: [String]
  /// The strokes among `labels`: all of them if its kind is `swing`; `nil` if it does not find strokes.
  public var strokes: [String]?
  /// The postures and phases among `labels`.
  public var postures: [String]
  /// Whether it is also scored by the metrics of papers: events as in spotting (golf's eight by PCE), grades by each
  /// measure of agreement.
  public var spots: Bool
  /// The recordings from which its weights were learned, on which its scores are better than on others; `nil` without
  /// learned weights.
  public var trainedOn: String?

  /// A profile of these properties.
  ///
  /// `counts` is `nil` for the default: a detector of kind `reps` counts, others do not. `cooldown` is the parameter
  /// that sets the shortest time between two cues, in seconds.
  public init(
    name: String, kind: Kind, exercise: String, summary: String, source: String, joints: [Joint] = [],
    counts: Bool? = nil, speaks: Bool = false, cooldown: Parameter? = nil, faults: [String] = [],
    criterion: String? = nil, labels: [String] = [], spots: Bool = false, trainedOn: String? = nil
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
    strokes = kind == .swing ? labels : nil
    postures = kind == .swing ? [] : labels
    self.spots = spots
    self.trainedOn = trainedOn
  }

  /// Its name on the command line: `reps.squat-states`.
  public var path: String { "\(kind.rawValue).\(name)" }
}

/// A threshold to draw as a line over one of a detector's signals.
public struct Guide: Hashable, Sendable {
  /// Index in the detector's `signals`.
  public var signal: Int
  /// In the signal's unit.
  public var value: Double
  /// The label of the line: `bottom`.
  public var label: String

  public init(signal: Int, value: Double, label: String) {
    self.signal = signal
    self.value = value
    self.label = label
  }
}

/// The definition of a detector: its profile, its parameters, and how to make one.
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

  /// A fresh detector.
  ///
  /// - Throws: `ParameterError.contradiction` if values that are valid alone contradict each other.
  public func detector(_ values: ParameterValues) throws(ParameterError) -> any PoseObserver { try make(values) }

  /// The preset with this name.
  public func preset(named name: String) -> Preset? { presets.first { $0.name == name } }
}
