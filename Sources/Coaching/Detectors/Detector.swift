import PoseModel

/// A part of a coach that watches poses and reports events: a rep counter, a form scorer, a swing detector.
///
/// A detector takes frames in order and returns events. Its only clock is the frames' time, and its state is private:
/// the same poses and parameters always give the same events, however the frames are split into blocks. An app feeds it
/// one frame at a time through `LiveDetector`, a replay feeds it blocks.
public protocol Detector: PoseObserver {
  /// Name, kind and source, for lists, reports and the command line.
  static var profile: DetectorProfile { get }

  /// All parameters, with their defaults.
  static var parameters: [Parameter] { get }

  /// Named sets of values that differ from the defaults, such as a correction of an error in a document.
  static var presets: [Preset] { get }

  /// - Throws: `ParameterError.contradiction` if values contradict each other.
  init(_ values: ParameterValues) throws(ParameterError)
}

extension Detector {
  public static var presets: [Preset] { [] }
}

/// Takes frames in order and reports events.
public protocol PoseObserver: Sendable {
  /// The signals measured before `update`, in the order of its signal columns. Equal signals of several observers are
  /// measured once. Empty for an observer that reads the joints.
  var signals: [any Signal] { get }

  /// The method for measuring `signals` on each frame: one after the other by default. An observer can measure all of
  /// them together, with the same values.
  var measurement: any FrameMeasurement { get }

  /// The thresholds to draw over the signals in a timeline.
  var guides: [Guide] { get }

  /// The conditions for a movement to count as a rep; `nil` for an observer that does not count by thresholds on one
  /// signal.
  var countingRule: CountingRule? { get }

  /// The counting rule's signal on the newest frame, NaN if unknown.
  var countedValue: Float { get }

  /// The counting rule's moving thresholds on the newest frame.
  var countedLevels: CountedLevels { get }

  /// The probability that the count so far is off by one rep at most, 0 to 1; `nil` if unknown. By default that of
  /// `countDoubts`. Below 0.5 the observer abstains: an app asks the person instead of showing the count.
  var countConfidence: Double? { get }

  /// The evidence against the count so far; `nil` if unknown.
  var countDoubts: CountDoubts? { get }

  /// Whether another value of a parameter would have given the same events so far, except for phases that are not in
  /// the profile; false if unknown.
  ///
  /// Detectors implement it for parameters that are only compared with a signal. Studies then replay all settings
  /// between two values of the signal once.
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
  public var countedLevels: CountedLevels { CountedLevels() }
  public var countConfidence: Double? { countDoubts?.confidence }
  public var countDoubts: CountDoubts? { nil }
  public func reportsAlike(with value: Double, of parameter: String) -> Bool { false }
}

/// An event that a detector reports.
public struct Event: Hashable, Sendable {
  /// The kind of an event, with its data.
  public enum Kind: Hashable, Sendable {
    /// A counted rep ended.
    case rep(Rep)
    /// The person's new phase or posture.
    case phase(String)
    /// The grade of a rep, counted or not, on a criterion.
    case grade(criterion: String, value: Double, rep: Rep)
    /// A fault of a rep, counted or not.
    case fault(String, rep: Rep)
    /// A stroke ended.
    case stroke(Stroke)
    /// A cue for the person.
    case cue(Cue)
    /// A haptic pattern for the person.
    case haptic(HapticPattern)
  }

  /// The time of the event.
  public var time: Microseconds
  /// The time of the frame of the report, never before `time`.
  public var reported: Microseconds
  /// The kind of the event, with its data.
  public var kind: Kind
  /// Of a grade, the measure that speaks most for a fault; `nil` if unknown.
  public var evidence: JudgedEvidence?

  public init(time: Microseconds, reported: Microseconds, kind: Kind, evidence: JudgedEvidence? = nil) {
    self.time = time
    self.reported = reported
    self.kind = kind
    self.evidence = evidence
  }

  /// An event that is reported on the frame of its time.
  public init(_ time: Microseconds, _ kind: Kind, evidence: JudgedEvidence? = nil) {
    self.init(time: time, reported: time, kind: kind, evidence: evidence)
  }
}

/// A measure of a graded rep beside its usual values. It decides nothing: it only explains a grade.
public struct JudgedEvidence: Hashable, Sendable {
  /// `greatest lean of the trunk`
  public var measure: String
  /// `degrees`; empty or `ratio` for a plain number.
  public var unit: String
  /// In the graded rep.
  public var value: Double
  /// The usual value in a sound rep.
  public var sound: Double
  /// The usual value in a faulty rep; `nil` if unknown.
  public var faulty: Double?
  /// The parameters of the usual values; none for learned values that cannot be set.
  public var parameters: [String]
  /// The grade below which a rep is called faulty; `nil` if the measure alone decides.
  public var limit: Double?

  public init(
    _ measure: String, unit: String, value: Double, sound: Double, faulty: Double? = nil, parameters: [String] = [],
    limit: Double? = nil
  ) {
    self.measure = measure
    self.unit = unit
    self.value = value
    self.sound = sound
    self.faulty = faulty
    self.parameters = parameters
    self.limit = limit
  }
}

/// The description of a detector for people.
public struct DetectorProfile: Hashable, Sendable {
  /// The main task of a detector.
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
  /// The main task; the first part of `path`.
  public var kind: Kind
  /// `squat`; empty for a detector for any exercise.
  public var exercise: String
  /// One sentence.
  public var summary: String
  /// The document or paper that defines the detector.
  public var source: String
  /// The required joints. For a joint with sides, one side is enough.
  public var joints: [Joint]
  /// What it predicts.
  public var tasks: DetectorTasks
  /// The training recordings of learned weights, on which scores are optimistic; `nil` without learned weights.
  public var trainedOn: String?

  /// A profile with a list of tasks, or with its kind's own: `reps` counts, `swing` finds strokes without a name.
  public init(
    name: String, kind: Kind, exercise: String, summary: String, source: String, joints: [Joint] = [],
    tasks: [DetectorTask]? = nil, trainedOn: String? = nil
  ) {
    let usual: [DetectorTask] =
      switch kind {
      case .reps: [.counts]
      case .swing: [.strokes([])]
      case .form, .posture: []
      }
    self.init(
      name: name, kind: kind, exercise: exercise, summary: summary, source: source, joints: joints,
      tasks: DetectorTasks(tasks ?? usual), trainedOn: trainedOn)
  }

  /// A profile with these tasks.
  public init(
    name: String, kind: Kind, exercise: String, summary: String, source: String, joints: [Joint] = [],
    tasks: DetectorTasks, trainedOn: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.exercise = exercise
    self.summary = summary
    self.source = source
    self.joints = joints
    self.tasks = tasks
    self.trainedOn = trainedOn
  }

  /// The name on the command line: `reps.squat-states`.
  public var path: String { "\(kind.rawValue).\(name)" }
}

extension DetectorTask {
  /// Cues, with the parameter that sets the shortest time between two equal ones, in seconds.
  public static func cues(every cooldown: Parameter) -> Self {
    .cues(cooldown: Microseconds(seconds: cooldown.defaultValue))
  }
}

/// A threshold to draw as a line over one of a detector's signals.
public struct Guide: Hashable, Sendable {
  /// The index in the detector's `signals`.
  public var signal: Int
  /// The threshold in the signal's unit.
  public var value: Double
  /// The label of the line: `bottom`.
  public var label: String

  public init(signal: Int, value: Double, label: String) {
    self.signal = signal
    self.value = value
    self.label = label
  }
}

/// The definition of a detector: profile, parameters and a way to create it.
///
/// Most definitions come from types that conform to `Detector`; those from data, such as a file, use a closure.
public struct DetectorDefinition: Sendable {
  /// The name, kind and source.
  public let profile: DetectorProfile
  /// All parameters, with their defaults.
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

  /// Creates a detector.
  ///
  /// - Throws: `ParameterError.contradiction` if values contradict each other.
  public func detector(_ values: ParameterValues) throws(ParameterError) -> any PoseObserver { try make(values) }

  /// The preset with this name.
  public func preset(named name: String) -> Preset? { presets.first { $0.name == name } }
}
