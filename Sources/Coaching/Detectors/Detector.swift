import PoseModel

/// Code of a coach that watches poses and says what it saw: a rep counter, a form scorer, a swing detector.
///
/// A detector takes frames in order and returns events. Its only clock is the frames' time and it keeps its state to
/// itself, so the same poses and parameters always give the same events, however the frames are cut into blocks. An app
/// feeds it one frame at a time through `LiveDetector`, a replay feeds it blocks.
public protocol Detector: Sendable {
  /// Name, kind and source, for lists, reports and the command line.
  static var profile: DetectorProfile { get }

  /// Every threshold that can be set, with its default.
  static var parameters: [Parameter] { get }

  /// - Throws: `ParameterError.contradiction` where values that are fine alone do not go together.
  init(_ values: ParameterValues) throws(ParameterError)

  /// What is measured on the poses before `update` sees them, in the order of its signal columns. Detectors with equal
  /// signals share one measurement. Empty for a detector that reads the joints itself.
  var signals: [any Signal] { get }

  /// The thresholds to draw over the signals in a timeline.
  var guides: [Guide] { get }

  /// Sees the next frames and appends what it has to say of them, in order of `reported`.
  mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event])
}

extension Detector {
  public var signals: [any Signal] { [] }
  public var guides: [Guide] { [] }
}

/// What a detector is, for people.
public struct DetectorProfile: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Counts reps.
    case reps
    /// Grades reps and finds faults.
    case form
    /// Finds strokes.
    case swing
  }

  /// Unique among the detectors: `squat-states`. Letters, digits and hyphens.
  public var name: String
  public var kind: Kind
  public var exercise: String
  /// One sentence.
  public var summary: String
  /// The document or paper that it comes from.
  public var source: String
  /// The faults that it can find, by the names that labels use.
  public var faults: [String]
  /// The criterion that its grades are on, where it grades.
  public var criterion: String?

  public init(
    name: String, kind: Kind, exercise: String, summary: String, source: String, faults: [String] = [],
    criterion: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.exercise = exercise
    self.summary = summary
    self.source = source
    self.faults = faults
    self.criterion = criterion
  }
}

/// A threshold to draw as a line over one of a detector's signals.
public struct Guide: Hashable, Sendable {
  /// Position in the detector's `signals`.
  public var signal: Int
  public var value: Double
  public var label: String

  public init(signal: Int, value: Double, label: String) {
    self.signal = signal
    self.value = value
    self.label = label
  }
}
