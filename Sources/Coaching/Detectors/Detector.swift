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
