/// A figure at a moment that matters, and why it matters.
public struct PosedMoment: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var time: Double
  /// A word or two: "deepest", "cue", "missed".
  public var caption: String
  public var figure: StickFigure

  public init(time: Double, caption: String, figure: StickFigure) {
    self.time = time
    self.caption = caption
    self.figure = figure
  }
}
