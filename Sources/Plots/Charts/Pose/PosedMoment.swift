/// A figure at a moment that matters, and why it matters.
public struct PosedMoment: Hashable, Sendable {
  /// Seconds from the clip's start.
  public var time: Double
  /// A word or two: "deepest", "cue", "missed".
  public var caption: String
  public var figure: StickFigure
  /// Whether the detector is wrong here: such moments are shown before others.
  public var isWrong: Bool

  public init(time: Double, caption: String, figure: StickFigure, isWrong: Bool = false) {
    self.isWrong = isWrong
    self.time = time
    self.caption = caption
    self.figure = figure
  }
}
