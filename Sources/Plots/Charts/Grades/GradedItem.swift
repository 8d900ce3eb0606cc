/// One rep or clip with its graders' grades and the detector's score for it, all on one scale.
public struct GradedItem: Hashable, Sendable {
  public var name: String
  /// The detector's score; NaN where it gave none.
  public var score: Double
  /// The graders' mean, lowest and highest grade; NaN where there is none.
  public var mean: Double
  public var lowest: Double
  public var highest: Double

  public init(name: String, score: Double, mean: Double, lowest: Double = .nan, highest: Double = .nan) {
    self.name = name
    self.score = score
    self.mean = mean
    self.lowest = lowest
    self.highest = highest
  }

  var isComplete: Bool { score.isFinite && mean.isFinite }
}
