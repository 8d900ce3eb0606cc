extension BinaryScores {
  /// What is told positive at or above a threshold, as shares.
  public struct ROCPoint: Hashable, Sendable {
    public var threshold: Double
    public var falsePositiveRate: Double
    public var truePositiveRate: Double
  }

  /// What is told positive at or above a threshold, as shares.
  public struct PrecisionRecallPoint: Hashable, Sendable {
    public var threshold: Double
    public var precision: Double
    public var recall: Double
  }

  /// From (0, 0) at an infinite threshold to (1, 1) at the lowest score; `nil` without a positive or a negative, and
  /// where a score is NaN.
  ///
  /// One point a score that occurs, none left out. The trapezia under it have the area `areaUnderROC`.
  ///
  /// - Source: Fawcett, An Introduction to ROC Analysis, 2006, algorithm 1.
  public var rocCurve: [ROCPoint]? {
    let positives = Double(judgements.count(where: \.isPositive))
    let negatives = Double(judgements.count) - positives
    guard positives > 0, negatives > 0, !hasNaN else { return nil }
    return [ROCPoint(threshold: .infinity, falsePositiveRate: 0, truePositiveRate: 0)]
      + steps.map { step in
        ROCPoint(
          threshold: step.threshold, falsePositiveRate: Double(step.falsePositives) / negatives,
          truePositiveRate: Double(step.truePositives) / positives)
      }
  }

  /// One point a score that occurs, the highest first; `nil` without a positive, and where a score is NaN.
  ///
  /// There is no point at recall 0, where precision is undefined.
  ///
  /// - Source: Davis and Goadrich, The Relationship Between Precision-Recall and ROC Curves, 2006.
  public var precisionRecallCurve: [PrecisionRecallPoint]? {
    let positives = judgements.count(where: \.isPositive)
    guard positives > 0, !hasNaN else { return nil }
    return steps.map { step in
      PrecisionRecallPoint(
        threshold: step.threshold,
        precision: Double(step.truePositives) / Double(step.truePositives + step.falsePositives),
        recall: Double(step.truePositives) / Double(positives))
    }
  }
}
