/// Right and wrong detections, and the shares that follow from them; undefined shares are `nil`, never 0 or 1.
public struct DetectionCounts: Hashable, Sendable {
  public var truePositives: Int
  public var falsePositives: Int
  public var falseNegatives: Int

  public init(truePositives: Int = 0, falsePositives: Int = 0, falseNegatives: Int = 0) {
    self.truePositives = truePositives
    self.falsePositives = falsePositives
    self.falseNegatives = falseNegatives
  }

  public static func + (a: Self, b: Self) -> Self {
    Self(
      truePositives: a.truePositives + b.truePositives, falsePositives: a.falsePositives + b.falsePositives,
      falseNegatives: a.falseNegatives + b.falseNegatives)
  }

  /// Share of the detections that are right; undefined without detections.
  public var precision: Double? { share(truePositives, of: truePositives + falsePositives) }

  /// Share of what was there that was detected; undefined where nothing was.
  public var recall: Double? { share(truePositives, of: truePositives + falseNegatives) }

  /// 2 TP / (2 TP + FP + FN); undefined where nothing was there and nothing was detected.
  public var f1: Double? { share(2 * truePositives, of: 2 * truePositives + falsePositives + falseNegatives) }

  private func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}
