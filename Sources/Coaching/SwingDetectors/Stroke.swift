import PoseModel

/// A stroke that was found: when, and which.
public struct Stroke: Hashable, Sendable {
  public var start: Microseconds
  /// When the racket met the ball, as far as the pose shows it.
  public var contact: Microseconds
  public var end: Microseconds
  /// `forehand`, by the names that labels use; `nil` where the detector can't tell.
  public var label: String?
  /// What the detector made of the stroke, where it analyses strokes.
  public var analysis: AnalysisResult?

  /// - Precondition: `start <= contact <= end`.
  public init(
    start: Microseconds, contact: Microseconds, end: Microseconds, label: String?, analysis: AnalysisResult? = nil
  ) {
    precondition(start <= contact && contact <= end)
    self.start = start
    self.contact = contact
    self.end = end
    self.label = label
    self.analysis = analysis
  }
}
