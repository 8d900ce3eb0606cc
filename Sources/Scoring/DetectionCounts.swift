/// Correct and wrong detections, and the derived shares; undefined shares are `nil`, never 0 or 1.
public struct DetectionCounts: Hashable, Codable, Sendable {
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

  /// The correct share of the detections; undefined without detections.
  public var precision: Double? { share(truePositives, of: truePositives + falsePositives) }

  /// The detected share of the true items; undefined without true items.
  public var recall: Double? { share(truePositives, of: truePositives + falseNegatives) }

  /// 2 TP / (2 TP + FP + FN); undefined without true items and detections.
  public var f1: Double? { share(2 * truePositives, of: 2 * truePositives + falsePositives + falseNegatives) }

  private func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// A mean over values that may be undefined: undefined ones are left out and counted.
public struct MeanOfDefined: Hashable, Sendable {
  /// `nil` if no value is defined.
  public var value: Double?
  /// How many values the mean includes.
  public var defined: Int
  /// How many values are left out.
  public var undefined: Int

  public init(_ values: some Collection<Double?>) {
    let numbers = values.compactMap { $0 }
    defined = numbers.count
    undefined = values.count - numbers.count
    // Summed in sorted order, to make the last digit independent of the order of the values.
    value = numbers.isEmpty ? nil : numbers.sorted().reduce(0, +) / Double(numbers.count)
  }
}

/// Interpolated average precision of detections in descending order of score: the mean, over all true items, of the
/// best precision at or after the detection that finds the item.
///
/// 0...1; `nil` if there is nothing to find.
///
/// - Parameters:
///   - hits: For each detection whether it finds an item that no earlier one found.
///   - count: The number of true items.
/// - Source: Everingham et al., The Pascal Visual Object Classes Challenge: A Retrospective, 2015: the area under the precision that
///   decreases monotonically.
func interpolatedAveragePrecision(hits: [Bool], of count: Int) -> Double? {
  guard count > 0 else { return nil }
  var found = hits.count { $0 }
  var (best, sum) = (0.0, 0.0)
  for (position, isHit) in hits.enumerated().reversed() where isHit {
    best = max(best, Double(found) / Double(position + 1))
    sum += best
    found -= 1
  }
  return sum / Double(count)
}
