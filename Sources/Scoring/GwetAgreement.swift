/// Gwet's chance-corrected agreement of several raters: AC1, and AC2 with weights.
///
/// For any number of raters, with missing ratings. If nearly everything gets the same label, κ and α fall to 0 or below
/// although raters hardly ever differ, because their chance agreement goes to 1. Here it goes to 0: raters are taken to
/// guess only where it is hard to tell.
///
/// - Source: Gwet, Computing Inter-rater Reliability and Its Variance in the Presence of High Agreement, 2008, for AC1;
///   Handbook of Inter-Rater Reliability, 4th edition, 2014, §5.4, for weights and missing ratings.
public struct GwetAgreement: Hashable, Sendable {
  /// The weighted share of pairs of raters that agree, the mean over items with two ratings: 0...1.
  public let observed: Double
  /// The agreement expected by chance: 0..<1.
  public let expected: Double

  /// 1 is full agreement, 0 is chance; −1...1, symmetric.
  public var value: Double { (observed - expected) / (1 - expected) }

  /// `nil` if nothing has two ratings, with fewer than two labels, and if a rating is not among the labels.
  ///
  /// - Parameters:
  ///   - ratings: One row per rater, with a rating for each item, `nil` if missing.
  ///   - labels: The full scale in order, including unused labels; none twice.
  ///   - weighting: Uses a label's index in `labels`. An agreement weighs 1, the largest disagreement 0.
  public init?<Label: Hashable>(_ ratings: [[Label?]], labels: [Label], weighting: KappaWeighting = .unweighted) {
    guard labels.count > 1 else { return nil }
    let position = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($0.element, $0.offset) })
    let largest = Double(weighting.disagreement(0, labels.count - 1))
    var (shares, agreement, compared) = (labels.map { _ in 0.0 }, 0.0, 0)
    var rated = 0
    for item in 0..<(ratings.map(\.count).max() ?? 0) {
      let given = ratings.compactMap { row in row.indices.contains(item) ? row[item] : nil }
      let places = given.compactMap { position[$0] }
      guard places.count == given.count else { return nil }
      guard !places.isEmpty else { continue }
      rated += 1
      for place in places { shares[place] += 1 / Double(places.count) }
      guard places.count > 1 else { continue }
      compared += 1
      var disagreement = 0
      for (index, a) in places.enumerated() {
        for b in places[..<index] { disagreement += weighting.disagreement(a, b) }
      }
      let pairs = Double(places.count * (places.count - 1) / 2)
      agreement += 1 - Double(disagreement) / largest / pairs
    }
    guard compared > 0 else { return nil }
    observed = agreement / Double(compared)
    // The weights of all pairs of labels, by their distance.
    let count = labels.count
    let weights = (1..<count).reduce(Double(count)) { sum, distance in
      sum + 2 * Double(count - distance) * (1 - Double(weighting.disagreement(0, distance)) / largest)
    }
    let uncertainty = shares.reduce(0) { $0 + $1 / Double(rated) * (1 - $1 / Double(rated)) }
    expected = weights / Double(count * (count - 1)) * uncertainty
  }
}

extension GwetAgreement: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.ac1": "rater agreement (AC1)",
    "grades.ac2": "rater agreement (AC2, quadratic)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] { [.gwetAC1, .gwetAC2] }
}

extension Metric {
  public static let gwetAC1 = Metric(
    "grades.ac1", "Agreement of raters beyond chance, all disagreements weighted equally (Gwet's AC1).",
    .higherIsBetter, range: -1...1, undefined: "nothing has two ratings, or a grade is not on the scale",
    source: "Gwet, Computing Inter-rater Reliability and Its Variance in the Presence of High Agreement, 2008",
    aggregation: .pooled)

  public static let gwetAC2 = Metric(
    "grades.ac2", "Agreement of raters beyond chance, weighted by the squared steps on the scale (Gwet's AC2).",
    .higherIsBetter, range: -1...1, undefined: "nothing has two ratings, or a grade is not on the scale",
    source: "Gwet, Handbook of Inter-Rater Reliability, 2014, §5.4", aggregation: .pooled)
}
