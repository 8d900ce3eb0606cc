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
  PairableRatings(ratings).alpha(level)
}

/// The ratings of the items that have several, ready for α at each level.
struct PairableRatings {
  /// The number of ratings of each item.
  private var sizes: [Int] = []
  /// The ratings, item after item, by their places in `values`.
  private var places: [Int] = []
  /// The distinct ratings, ascending, with how often each was given and its mid-rank, whose distances are the ordinal ones.
  private var values: [(value: Double, count: Double, rank: Double)] = []
  private let areFinite: Bool

  /// - Parameter ratings: As of `krippendorffAlpha`.
  init(_ ratings: [[Double?]]) {
    var all: [Double] = []
    for item in 0..<(ratings.map(\.count).max() ?? 0) {
      let first = all.count
      for row in ratings where row.indices.contains(item) {
        if let rating = row[item] { all.append(rating) }
      }
      if all.count - first > 1 { sizes.append(all.count - first) } else { all.removeSubrange(first...) }
    }
    areFinite = all.allSatisfy(\.isFinite)
    guard areFinite else { return }
    let counts = all.reduce(into: [:]) { $0[$1, default: 0] += 1.0 }
    for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
      let below = values.last.map { $0.rank + $0.count / 2 } ?? 0
      values.append((value, count, below + count / 2))
    }
    let placeOf = Dictionary(uniqueKeysWithValues: zip(values.map(\.value), values.indices))
    places = all.map { placeOf[$0] ?? 0 }
  }

  /// See `krippendorffAlpha`.
  func alpha(_ level: MeasurementLevel) -> Double? {
    guard areFinite, level != .ratio || values.first.map({ $0.value >= 0 }) ?? true else { return nil }
    var (observed, first) = (0.0, 0)
    for size in sizes {
      var sum = 0.0
      for one in first..<first + size {
        for other in first..<one { sum += squaredDifference(places[one], places[other], level) }
      }
      observed += sum / Double(size - 1)
      first += size
    }
    let expected = expected(level)
    guard expected > 0 else { return nil }
    return 1 - Double(places.count - 1) * observed / expected
  }

  private func squaredDifference(_ one: Int, _ other: Int, _ level: MeasurementLevel) -> Double {
    guard one != other else { return 0 }
    let (a, b) = (values[one], values[other])
    let difference =
      switch level {
      case .nominal: 1.0
      case .ordinal: a.rank - b.rank
      case .interval: a.value - b.value
      case .ratio: (a.value - b.value) / (a.value + b.value)
      }
    return difference * difference
  }

  /// The squared differences of all pairs of ratings, added.
  ///
  /// Where they are those of a number, they are the ratings' count times the squared distances from the mean.
  private func expected(_ level: MeasurementLevel) -> Double {
    let count = Double(places.count)
    func squares(_ number: (Int) -> Double) -> Double {
      let mean = values.indices.reduce(0) { $0 + values[$1].count * number($1) } / count
      return count
        * values.indices.reduce(0) { $0 + values[$1].count * (number($1) - mean) * (number($1) - mean) }
    }
    guard values.count > 1 else { return 0 }
    switch level {
    case .nominal: return (count * count - values.reduce(0) { $0 + $1.count * $1.count }) / 2
    case .ordinal: return squares { values[$0].rank }
    case .interval: return squares { values[$0].value }
    case .ratio:
      var sum = 0.0
      for one in values.indices {
        for other in 0..<one {
          sum += values[one].count * values[other].count * squaredDifference(one, other, level)
        }
      }
      return sum
    }
  }
}

/// `krippendorffAlpha` at each level of measurement.
public enum KrippendorffAlpha: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.alpha-nominal": "rater agreement (α, nominal)",
    "grades.alpha-ordinal": "rater agreement (α, ordinal)",
    "grades.alpha-interval": "rater agreement (α, interval)",
    "grades.alpha-ratio": "rater agreement (α, ratio)",
  ]

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
