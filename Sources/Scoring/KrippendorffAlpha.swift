/// The meaning of a scale's numbers, which defines the difference of two of them.
///
/// - Source: Stevens, On the Theory of Scales of Measurement, 1946.
public enum MeasurementLevel: String, CaseIterable, Hashable, Sendable {
  /// Names: equal or not.
  case nominal
  /// An order: by the number of ratings in between.
  case ordinal
  /// Steps of the same length.
  case interval
  /// Steps of the same length from a true zero; no value is negative.
  case ratio
}

/// Krippendorff's α: one minus the disagreement within items divided by that among all ratings.
///
/// For any number of raters, with missing ratings. 1 is full agreement, 0 is chance; −1...1. `nil` if nothing has two
/// ratings, if those ratings are all equal, for ratings that are not finite, and for negative ones at the ratio level.
///
/// - Parameter ratings: One row per rater, with a rating for each item, `nil` if missing.
/// - Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, §E.
public func krippendorffAlpha(_ ratings: [[Double?]], level: MeasurementLevel) -> Double? {
  let things = ratings.map(\.count).max() ?? 0
  let units = (0..<things).map { thing in
    ratings.compactMap { row in row.indices.contains(thing) ? row[thing] : nil }
  }.filter { $0.count > 1 }
  let all = units.flatMap(\.self).sorted()
  guard all.allSatisfy(\.isFinite), level != .ratio || all.allSatisfy({ $0 >= 0 }) else { return nil }

  // Each value with its frequency and its mid-rank, whose distances are the ordinal ones.
  var values: [(value: Double, count: Double, rank: Double)] = []
  for value in all {
    if let last = values.last, last.value == value {
      values[values.count - 1].count += 1
      values[values.count - 1].rank += 0.5
    } else {
      values.append((value, 1, (values.last.map { $0.rank + $0.count / 2 } ?? 0) + 0.5))
    }
  }
  let rankOf = Dictionary(uniqueKeysWithValues: values.map { ($0.value, $0.rank) })
  func squaredDifference(_ a: (value: Double, rank: Double), _ b: (value: Double, rank: Double)) -> Double {
    guard a.value != b.value else { return 0 }
    let difference =
      switch level {
      case .nominal: 1.0
      case .ordinal: a.rank - b.rank
      case .interval: a.value - b.value
      case .ratio: (a.value - b.value) / (a.value + b.value)
      }
    return difference * difference
  }

  var observed = 0.0
  for unit in units {
    var sum = 0.0
    let ranked = unit.map { (value: $0, rank: rankOf[$0] ?? 0) }
    for (index, a) in ranked.enumerated() {
      for b in ranked[..<index] { sum += squaredDifference(a, b) }
    }
    observed += sum / Double(unit.count - 1)
  }
  var expected = 0.0
  for (index, a) in values.enumerated() {
    for b in values[..<index] {
      expected += a.count * b.count * squaredDifference((a.value, a.rank), (b.value, b.rank))
    }
  }
  guard expected > 0 else { return nil }
  return 1 - Double(all.count - 1) * observed / expected
}

/// `krippendorffAlpha` at each level of measurement.
public enum KrippendorffAlpha: MetricGroup {
  public static let title = "grades"

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    Metric.krippendorffAlpha
  }
}

extension Metric {
  /// Krippendorff's α at each level.
  public static let krippendorffAlpha = MeasurementLevel.allCases.map { krippendorffAlpha($0) }

  public static func krippendorffAlpha(_ level: MeasurementLevel) -> Metric {
    Metric(
      "grades.alpha-\(level.rawValue)",
      "Agreement of raters beyond chance on \(level.rawValue) grades; grades may be missing (Krippendorff's α).",
      .higherIsBetter, range: -1...1, undefined: "nothing has two ratings, or all of them are equal",
      source: "Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011", aggregation: .pooled)
  }
}
